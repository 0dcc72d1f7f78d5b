//! `beeline dump`: a model in one of the forms it passes through.

mod tokens;

use beeline_engine::automata;
use beeline_promela::diagnostic::Severity;
use beeline_promela::{Frontend, hir, printer};

use crate::answer::Answer;
use crate::front::{Front, unreadable};
use crate::options::{Dump, Form};
use crate::render::{self, json};

/// Answers `dump`. What was asked for is the form, so diagnostics step aside to
/// standard error.
pub(crate) fn dump(options: &Dump) -> Answer {
    let front = match Front::read(&options.input) {
        Ok(front) => front,
        Err(error) => return unreadable(&options.input, &options.report, &error),
    };
    let text = form(options, &front.result);
    if options.report.json {
        let out = json::line(&json::Dumped::new(&front, options.form, text));
        return Answer { out, err: String::new(), exit: front.exit() };
    }
    Answer { out: text.unwrap_or_default(), err: remarks(options, &front), exit: front.exit() }
}

/// The form asked for. The early ones show what could be made out of any text;
/// the later ones mean nothing for a model with errors.
fn form(options: &Dump, result: &Frontend) -> Option<String> {
    let sound = !result.diagnostics.has_errors();
    match options.form {
        Form::Tokens => Some(tokens::dump(result)),
        Form::Ast => Some(printer::print(&result.program)),
        Form::Hir => sound.then(|| hir::print::dump(&result.hir)),
        Form::Automata => sound.then(|| automata(options, result)),
    }
}

fn automata(options: &Dump, result: &Frontend) -> String {
    let improvements =
        if options.plain { automata::Options::PLAIN } else { automata::Options::OPTIMISED };
    let automata = automata::build(&result.hir, improvements);
    let draw = if options.dot { automata::dot } else { automata::dump };
    draw(&automata, &result.hir)
}

/// Errors, and warnings unless they are unwanted.
fn remarks(options: &Dump, front: &Front) -> String {
    let paint = options.report.color.paint(&std::io::stderr());
    let diagnostics = &front.result.diagnostics;
    let wanted = diagnostics
        .iter()
        .filter(|message| message.severity == Severity::Error || !options.report.quiet);
    let mut text: String = wanted
        .map(|message| render::render(message, &front.result.sources, paint) + "\n")
        .collect();
    if !text.is_empty() && !options.report.quiet {
        text += &render::summary(&front.model, diagnostics);
    }
    text
}
