//! Runs a text through every form up to automata, for tests that no input causes a panic.

use beeline_engine::automata::{self, AutomataOptions};
use beeline_promela::diagnostic::Severity;
use beeline_promela::preprocess::{FileLoader, NoIncludes};
use beeline_promela::source::{SourceMap, Span};
use beeline_promela::{Frontend, hir, printer};

/// The result for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has errors; these are their codes, in the order found.
    Refused(Vec<&'static str>),
    /// It became automata with this many edges in all, unmerged.
    Built(usize),
}

/// Reads a text without includes, and continues as far as possible.
///
/// # Panics
/// When a guarantee of the front-end is violated: see [`check`].
pub fn exercise(text: &str) -> Outcome {
    exercise_with(text, &mut NoIncludes)
}

/// The same with files to include.
///
/// # Panics
/// As above.
pub fn exercise_with(text: &str, loader: &mut dyn FileLoader) -> Outcome {
    let options = beeline_promela::preprocess::PreprocessOptions::default();
    let front = beeline_promela::read("model.pml", text, loader, &options);
    check(&front);
    if front.diagnostics.has_errors() {
        let errors = front.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        return Outcome::Refused(errors.map(|error| error.code).collect());
    }
    // The content of dumps is irrelevant here; they only must not fail.
    let merged = automata::build(&front.hir, AutomataOptions::OPTIMISED);
    automata::dump(&merged, &front.hir);
    let plain = automata::build(&front.hir, AutomataOptions::PLAIN);
    automata::dump(&plain, &front.hir);
    hir::print::dump(&front.hir);
    printer::print(&front.program);
    Outcome::Built(plain.iter().map(|automaton| automaton.edges.len()).sum())
}

/// Checks the guarantees of the front-end about its messages.
///
/// # Panics
/// When a message has no text or points outside its file, or when errors were
/// counted but none was kept.
pub fn check(front: &Frontend) {
    let diagnostics = &front.diagnostics;
    for message in diagnostics.iter() {
        assert!(!message.code.is_empty() && !message.message.is_empty(), "{message:?}");
        let fix = message.fix.iter().filter_map(|fix| fix.edit.as_ref()).map(|(span, _)| *span);
        let related = message.related.iter().map(|label| label.span);
        for span in std::iter::once(message.span).chain(related).chain(fix) {
            assert!(is_valid(span, &front.sources), "{message:?}");
            front.sources.location(span);
        }
    }
    assert!(diagnostics.suppressed() == 0 || diagnostics.has_errors());
}

/// Whether a span lies in its file and cuts no character in two.
fn is_valid(span: Span, sources: &SourceMap) -> bool {
    let text = &sources.file(span.file).text;
    text.get(span.start as usize..span.end as usize).is_some()
}
