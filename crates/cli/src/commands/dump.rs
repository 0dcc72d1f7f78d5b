//! `beeline dump`: a model in one of the forms of the pipeline, or all of its states.

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_analysis::facts;
use beeline_engine::automata::{self, EdgeCoverage};
use beeline_engine::claim::{self, ClaimText};
use beeline_engine::interpreter::Machine;
use beeline_model::{Model as _, UnknownProperty};
use beeline_promela::{Frontend, hir, printer};
use beeline_promela_model::{PromelaModel, StateGraph, TooManyStates};
use beeline_timed::model::TimedModel;
use clap::ValueEnum;
use serde::Serialize;

use crate::args::dump::{Dump, Form, Pictures, STATES};
use crate::base::failure::Failure;
use crate::base::json::{self, Header};
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::Retelling;
use crate::model::loaded::LoadedModel;
use crate::render::automata::picture;
use crate::render::dumped::DumpObject;
use crate::render::{diagnostics, state_graph, tokens};

/// Executes `dump`: the form goes to standard output, diagnostics to standard error.
pub(crate) fn dump(options: &Dump) -> Result<CommandOutput, CommandOutput> {
    let loaded = load::parse(&LoadRequest {
        properties: &options.pictures.properties,
        semantics: options.pictures.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    if loaded.is_broken() {
        load::accept(&loaded, &options.report)?;
    }
    let text = match loaded.as_timed() {
        Some(model) => timed_form(options, model),
        None => form(options, &loaded, load::promela(&loaded, &options.report)?),
    };
    let text = text.map_err(|error| load::fail(&loaded.model, &options.report, error))?;
    let exit = loaded.exit();
    if !options.report.json {
        let out = text.unwrap_or_default();
        return Ok(CommandOutput { out, err: remarks(options, &loaded), exit });
    }
    // States have a JSON object of their own.
    let out = match (options.form, text) {
        (Form::States, Some(text)) => text,
        (form, text) => {
            let name = form.to_possible_value().expect("no form is hidden");
            json::line(&DumpObject::new(&loaded, name.get_name(), text))
        }
    };
    Ok(CommandOutput { out, err: String::new(), exit })
}

/// Why a form cannot be printed.
enum DumpError {
    /// The trail cannot be executed.
    Trail(Failure),
    /// The model has no factored view, for this reason.
    Factored(String, String),
    /// The model has no such property.
    Property(UnknownProperty),
    /// The formula of this property has no claim, for this reason.
    Claim(String, String),
    /// The model of this name has no formula.
    NoFormula(String),
    /// The model of this name has more states than this.
    States(String, usize),
    /// Timed automata have no form of this name.
    Untimed(String),
}

impl From<DumpError> for Failure {
    fn from(error: DumpError) -> Failure {
        match error {
            DumpError::Trail(failure) => failure,
            DumpError::Factored(model, why) => Failure::new(
                format!("`{model}` has no factored view: {why}"),
                "heuristics of the whole system are not available for it",
            ),
            DumpError::Property(error) => {
                Failure::new(error.to_string(), "without --property, all are printed")
            }
            DumpError::Claim(property, why) => {
                Failure::new(format!("`{property}`: {why}"), "`beeline lint` also checks formulas")
            }
            DumpError::NoFormula(model) => Failure::new(
                format!("`{model}` has no ltl formula"),
                "--property 'ltl: FORMULA' adds one",
            ),
            DumpError::Untimed(form) => Failure::new(
                format!("timed automata cannot be printed as {form}"),
                "`--form automata`, also with `--dot`, and `--form factored` can be printed",
            ),
            DumpError::States(model, limit) => Failure::new(
                format!("`{model}` has more than {limit} states"),
                "`--states N` prints more of them, `beeline count` counts them",
            ),
        }
    }
}

/// The requested form. The early ones can be printed for any text; the later ones only for a model
/// without errors.
fn form(
    options: &Dump,
    loaded: &LoadedModel,
    model: &PromelaModel<Frontend>,
) -> Result<Option<String>, DumpError> {
    let sound = !loaded.diagnostics.has_errors();
    Ok(match options.form {
        Form::Tokens => Some(tokens::dump(model.front())),
        Form::Ast => Some(printer::print(&model.front().program)),
        Form::Hir => sound.then(|| hir::print::dump(model.hir())),
        Form::Automata if sound => Some(automata(options, loaded, model)?),
        Form::States if sound => Some(states(options, loaded, model)?),
        Form::Claim if sound => Some(claims(options, loaded, model)?),
        Form::Factored if sound => Some(factored(options, loaded, model)?),
        Form::Facts if sound => Some(facts::dump(&machine(options, model))),
        Form::Automata | Form::States | Form::Claim | Form::Factored | Form::Facts => None,
    })
}

/// The requested form of timed automata.
fn timed_form(options: &Dump, model: &TimedModel) -> Result<Option<String>, DumpError> {
    let Pictures { dot, svg, trail, .. } = &options.pictures;
    let text = match options.form {
        Form::Automata if *svg => return Err(DumpError::Untimed("SVG".to_owned())),
        Form::Automata if trail.is_some() => {
            return Err(DumpError::Untimed("automata with a trail".to_owned()));
        }
        Form::Automata if *dot => model.automata_graph(),
        Form::Automata => model.automata(),
        Form::Factored => {
            model.factored().map_err(|why| DumpError::Factored(model.about().name.clone(), why))?
        }
        form => {
            let form = form.to_possible_value().expect("no form is hidden");
            return Err(DumpError::Untimed(format!("`{}`", form.get_name())));
        }
    };
    Ok(Some(text))
}

fn automata(
    options: &Dump,
    loaded: &LoadedModel,
    model: &PromelaModel<Frontend>,
) -> Result<String, DumpError> {
    let (front, semantics) = (model.front(), model.semantics());
    let model = &front.hir;
    let (merge, route) = match &options.pictures.trail {
        Some(file) => {
            let retelling = Retelling::read(loaded, file).map_err(DumpError::Trail)?;
            let trail = &retelling.given.trail;
            let route = beeline_promela_model::route(front, trail, semantics);
            let route: EdgeCoverage =
                route.map_err(|error| DumpError::Trail(retelling.misfit(&error)))?;
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
        (_, true) => picture(&automata, model, route.as_ref()),
        _ => automata::dump(&automata, model),
    })
}

/// The model as it is executed.
fn machine<'a>(options: &Dump, model: &'a PromelaModel<Frontend>) -> Machine<'a> {
    let improvements = if options.plain {
        automata::AutomataOptions::PLAIN
    } else {
        automata::AutomataOptions::OPTIMISED
    };
    model.semantics().machine(model.hir(), improvements)
}

/// The model in factors, with the steps that can fail.
fn factored(
    options: &Dump,
    loaded: &LoadedModel,
    model: &PromelaModel<Frontend>,
) -> Result<String, DumpError> {
    let machine = machine(options, model);
    relaxed_view(&machine, &FactoredGoal::Faults)
        .map(|view| view.dump())
        .map_err(|error| DumpError::Factored(loaded.model.clone(), error.to_string()))
}

/// The claims of the requested formulas.
fn claims(
    options: &Dump,
    loaded: &LoadedModel,
    model: &PromelaModel<Frontend>,
) -> Result<String, DumpError> {
    let names = &options.pictures.properties;
    let asked = model.select(names).map_err(DumpError::Property)?;
    let model = model.hir();
    let as_what = match &options.pictures {
        Pictures { dot: true, .. } => ClaimText::Dot,
        Pictures { hoa: true, .. } => ClaimText::Hoa,
        _ => ClaimText::Never,
    };
    let mut out = String::new();
    for property in &asked {
        let Some(formula) = &property.formula else { continue };
        let Some(number) = model.formula(formula) else { continue };
        let text = claim::dump(model, number, &property.name, as_what)
            .map_err(|error| DumpError::Claim(property.name.clone(), error.to_string()))?;
        out += &text;
    }
    if out.is_empty() {
        return Err(DumpError::NoFormula(loaded.model.clone()));
    }
    Ok(out)
}

/// The object that `dump --form states --json` prints.
#[derive(Serialize)]
struct Graph<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(flatten)]
    graph: state_graph::GraphObject<'a>,
}

fn states(
    options: &Dump,
    loaded: &LoadedModel,
    model: &PromelaModel<Frontend>,
) -> Result<String, DumpError> {
    let (front, semantics) = (model.front(), model.semantics());
    let improvements = if options.plain {
        automata::AutomataOptions::PLAIN
    } else {
        automata::AutomataOptions::OPTIMISED
    };
    let limit = options.pictures.states.unwrap_or(STATES);
    let graph: StateGraph =
        beeline_promela_model::state_graph(front, improvements, semantics, limit)
            .map_err(|TooManyStates| DumpError::States(loaded.model.clone(), limit))?;
    let sources = loaded.sources();
    Ok(if options.report.json {
        let graph = state_graph::object(&graph, sources);
        json::line(&Graph { header: Header::new(&loaded.model), graph })
    } else if options.pictures.dot {
        state_graph::dot(&graph, sources)
    } else {
        state_graph::text(&graph, sources)
    })
}

/// Diagnostics and their summary.
fn remarks(options: &Dump, loaded: &LoadedModel) -> String {
    let mut text = load::messages(loaded, &options.report);
    if !text.is_empty() && !options.report.quiet {
        text += &diagnostics::summary(&loaded.model, &loaded.diagnostics);
    }
    text
}
