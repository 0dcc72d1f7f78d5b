//! `beeline dump`: a model in one of the forms it passes through, or all of its states.

mod layers;
mod options;
mod picture;
mod states;
mod tokens;

use beeline_analysis::factored::{FactoredGoal, FactoredView};
use beeline_analysis::facts;
use beeline_checker::{StateGraph, TooManyStates};
use beeline_engine::automata::{self, EdgeCoverage};
use beeline_engine::claim::{self, ClaimText};
use beeline_engine::interpreter::Machine;
use beeline_promela::diagnostic::Severity;
use beeline_promela::{hir, printer};
use serde::Serialize;

use crate::load;
use crate::loaded::{LoadedModel, unreadable};
use crate::options::{Dump, Form};
use crate::output::CommandOutput;
use crate::render;
use crate::render::json::{self, Header};
use crate::trail::{self, Given};

pub(crate) use options::Pictures;

/// Answers `dump`. What was asked for is the form, so diagnostics step aside to
/// standard error.
pub(crate) fn dump(options: &Dump) -> CommandOutput {
    let formulas = beeline_checker::formulas(&options.pictures.properties);
    let loaded = match LoadedModel::read_with(&options.input, &formulas) {
        Ok(loaded) => loaded,
        Err(error) => return unreadable(&options.input, &options.report, &error),
    };
    let text = match form(options, &loaded) {
        Ok(text) => text,
        Err((message, help)) => return load::failure(&loaded, &options.report, message, help),
    };
    let exit = loaded.exit();
    if !options.report.json {
        let out = text.unwrap_or_default();
        return CommandOutput { out, err: remarks(options, &loaded), exit };
    }
    // States are data already.
    let out = match (options.form, text) {
        (Form::States, Some(text)) => text,
        (form, text) => json::line(&json::Dumped::new(&loaded, form, text)),
    };
    CommandOutput { out, err: String::new(), exit }
}

/// The form asked for. The early ones show what could be made out of any text;
/// the later ones mean nothing for a model with errors. `Err` is what is wrong with
/// what was asked for, and what to do.
fn form(options: &Dump, loaded: &LoadedModel) -> Result<Option<String>, (String, String)> {
    let result = &loaded.result;
    let sound = !result.diagnostics.has_errors();
    Ok(match options.form {
        Form::Tokens => Some(tokens::dump(result)),
        Form::Ast => Some(printer::print(&result.program)),
        Form::Hir => sound.then(|| hir::print::dump(&result.hir)),
        Form::Automata if sound => Some(automata(options, loaded)?),
        Form::States if sound => Some(states(options, loaded)?),
        Form::Claim if sound => Some(claims(options, loaded)?),
        Form::Factored if sound => Some(factored(options, loaded)?),
        Form::Facts if sound => Some(facts::dump(&machine(options, loaded))),
        Form::Automata | Form::States | Form::Claim | Form::Factored | Form::Facts => None,
    })
}

fn automata(options: &Dump, loaded: &LoadedModel) -> Result<String, (String, String)> {
    let model = &loaded.result.hir;
    let (merge, route) = match &options.pictures.trail {
        Some(file) => {
            let semantics = options.pictures.meaning.semantics();
            let given = Given::read(loaded, file)?;
            let trail = trail::retell(loaded, &given, semantics)?.file;
            let route = beeline_checker::route(model, &trail, semantics);
            let route: EdgeCoverage = route.expect("it was executed just now");
            // The edges of a trail are those of the automata it was made with.
            (trail.merged, Some(route))
        }
        None => (!options.plain, None),
    };
    let improvements =
        if merge { automata::AutomataOptions::OPTIMISED } else { automata::AutomataOptions::PLAIN };
    let automata = automata::build(model, improvements);
    Ok(match (options.pictures.dot, options.pictures.svg) {
        (true, _) => automata::dot(&automata, model, route.as_ref()),
        (_, true) => picture::picture(&automata, model, route.as_ref()),
        _ => automata::dump(&automata, model),
    })
}

/// The model as it is executed.
fn machine<'a>(options: &Dump, loaded: &'a LoadedModel) -> Machine<'a> {
    let improvements = if options.plain {
        automata::AutomataOptions::PLAIN
    } else {
        automata::AutomataOptions::OPTIMISED
    };
    options.pictures.meaning.semantics().machine(&loaded.result.hir, improvements)
}

/// The model in factors, with the steps that can fail.
fn factored(options: &Dump, loaded: &LoadedModel) -> Result<String, (String, String)> {
    let machine = machine(options, loaded);
    FactoredView::of(&machine, &FactoredGoal::Faults).map(|view| view.dump()).map_err(|error| {
        let help = "heuristics that look at the whole system are not available for it".to_owned();
        (format!("`{}` has no factored view: {error}", loaded.model), help)
    })
}

/// The claims of the formulas that are asked for.
fn claims(options: &Dump, loaded: &LoadedModel) -> Result<String, (String, String)> {
    let model = &loaded.result.hir;
    let names = &options.pictures.properties;
    let asked = beeline_checker::select(model, names)
        .map_err(|error| (error.to_string(), "without --property, all are printed".to_owned()))?;
    let as_what = match &options.pictures {
        Pictures { dot: true, .. } => ClaimText::Dot,
        Pictures { hoa: true, .. } => ClaimText::Hoa,
        _ => ClaimText::Never,
    };
    let mut out = String::new();
    for property in &asked {
        let Some(formula) = &property.formula else { continue };
        let Some(number) = model.formula(formula) else { continue };
        let text = claim::dump(model, number, &property.name, as_what).map_err(|error| {
            let help = "`beeline lint` looks at formulas, too".to_owned();
            (format!("`{}`: {error}", property.name), help)
        })?;
        out += &text;
    }
    if out.is_empty() {
        let message = format!("`{}` has no ltl formula", loaded.model);
        return Err((message, "--property 'ltl: FORMULA' adds one".to_owned()));
    }
    Ok(out)
}

/// The object that `dump --form states --json` prints.
#[derive(Serialize)]
struct Graph<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(flatten)]
    graph: states::GraphObject<'a>,
}

fn states(options: &Dump, loaded: &LoadedModel) -> Result<String, (String, String)> {
    let model = &loaded.result.hir;
    let improvements = if options.plain {
        automata::AutomataOptions::PLAIN
    } else {
        automata::AutomataOptions::OPTIMISED
    };
    let limit = options.pictures.states.unwrap_or(options::STATES);
    let semantics = options.pictures.meaning.semantics();
    let graph: StateGraph = beeline_checker::state_graph(model, improvements, semantics, limit)
        .map_err(|TooManyStates| {
            let message = format!("`{}` has more than {limit} states", loaded.model);
            let help = "`--states N` prints more of them, `beeline count` counts them";
            (message, help.to_owned())
        })?;
    let sources = &loaded.result.sources;
    Ok(if options.report.json {
        let graph = states::object(&graph, sources);
        json::line(&Graph { header: Header::new(&loaded.model), graph })
    } else if options.pictures.dot {
        states::dot(&graph, sources)
    } else {
        states::text(&graph, sources)
    })
}

/// Errors, and warnings unless they are unwanted.
fn remarks(options: &Dump, loaded: &LoadedModel) -> String {
    let paint = options.report.color.paint(&std::io::stderr());
    let diagnostics = &loaded.result.diagnostics;
    let wanted = diagnostics
        .iter()
        .filter(|message| message.severity == Severity::Error || !options.report.quiet);
    let mut text: String = wanted
        .map(|message| render::render(message, &loaded.result.sources, paint) + "\n")
        .collect();
    if !text.is_empty() && !options.report.quiet {
        text += &render::summary(&loaded.model, diagnostics);
    }
    text
}
