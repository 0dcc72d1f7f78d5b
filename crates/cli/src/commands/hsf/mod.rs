//! `beeline hsf`: HSF-SPIN's options and its statistics, for readers of the papers.

mod choice;
mod json;
mod outcome;
mod text;

use std::path::PathBuf;

use beeline_checker::hsf::{self, HsfError, HsfPlan, HsfReport};
use beeline_model::{Engine, Verdict};

use crate::args::hsf::Hsf;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json as lines;
use crate::base::output::CommandOutput;
use crate::base::{file, units};
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::model::trail_paths::TrailPaths;
use crate::run::ProgressObserver;
use choice::Choice;
use outcome::HsfRun;

/// Executes `hsf`.
pub(crate) fn hsf(options: &Hsf) -> Result<CommandOutput, CommandOutput> {
    if let Some(out) = choice::listing(options) {
        return Ok(CommandOutput { out, err: String::new(), exit: Exit::Success });
    }
    let fail = |failure: Failure| load::fail(&options.shown(), &options.report, failure);
    let choice = Choice::new(options).map_err(|error| fail(error.into()))?;
    let Some(input) = options.input() else {
        let help = "name a model after the options; `-` reads standard input";
        return Err(fail(Failure::new("there is no model to search", help)));
    };
    let semantics = options.meaning.semantics();
    let request = LoadRequest::new(&input, &options.report);
    let (loaded, mut err) = load::read(&LoadRequest { semantics, ..request })?;
    load::promela(&loaded, &options.report)?;
    let plan = plan(options, &choice);
    let mut observer =
        ProgressObserver::within(options.time, options.progress, options.report.quiet);
    let report = hsf::run(loaded.as_model(), &plan, &mut observer);
    observer.finish();
    let report = match report {
        Ok(report) => report,
        // An unconfirmed finding is a bug of Beeline, and reported as one.
        Err(HsfError::Unconfirmed(error)) => panic!("{error}"),
        Err(error @ HsfError::Heuristic(_)) => {
            let help = "`beeline hsf -H` lists the heuristics";
            return Err(fail(Failure::new(format!("-H: {error}"), help)));
        }
        Err(error @ HsfError::Claim(_)) => {
            let help = "`beeline hsf -E` lists the kinds of errors";
            return Err(fail(Failure::new(format!("-El: {error}"), help)));
        }
    };
    let seconds = observer.seconds();
    let file = write(&loaded, options, &report, &mut err);
    let exit = match report.verdict {
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Holds => Exit::Success,
        Verdict::Unknown(_) => Exit::Unknown,
    };
    let outcome =
        HsfRun { loaded: &loaded, options, choice: &choice, report: &report, file, seconds };
    let out = if options.report.json {
        lines::line(&json::object(&outcome))
    } else {
        text::text(&outcome)
    };
    Ok(CommandOutput { out, err, exit })
}

fn plan(options: &Hsf, choice: &Choice) -> HsfPlan {
    HsfPlan {
        algorithm: choice.algorithm.value,
        weight: options.weight.as_ref().map(|(weight, _)| *weight),
        heuristic: choice.heuristic.clone(),
        sought: choice.error.value,
        counting: options.counting,
        successors: options.successors,
        engine: Engine::default(),
        bytes: Some(options.memory.unwrap_or_else(units::half_of_memory)),
        store: options.store,
        seed: options.seed,
        files: file::access(),
    }
}

/// Writes the trail and returns its file. The verdict stands when it cannot be written.
fn write(
    loaded: &LoadedModel,
    options: &Hsf,
    report: &HsfReport,
    err: &mut String,
) -> Option<PathBuf> {
    let [found] = report.verdict.violations() else { return None };
    if options.no_trail {
        return None;
    }
    let file = TrailPaths::new(&loaded.model, options.trail.as_deref()).first().to_owned();
    match trail::write(&file, &found.trail) {
        Ok(()) => Some(file),
        Err(error) => {
            let name = file.display();
            err.push_str(&format!(
                "warning: cannot write the trail `{name}`: {error}\n\
                 help: the verdict is valid nevertheless; `--trail FILE` names another file\n"
            ));
            None
        }
    }
}
