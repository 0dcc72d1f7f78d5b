//! `beeline hsf`: HSF-SPIN's options and its statistics, for people who come from the
//! papers.

mod choice;
mod json;
mod options;
mod text;

use std::path::PathBuf;

use beeline_checker::Engine;
use beeline_checker::hsf::{self, HsfError, HsfOutcome, HsfPlan, HsfReport};

pub(crate) use self::options::Hsf;
use crate::exit::Exit;
use crate::file;
use crate::load;
use crate::loaded::LoadedModel;
use crate::output::CommandOutput;
use crate::progress::ProgressObserver;
use crate::render::json as lines;
use crate::trail::{self, Places};
use crate::units;
use choice::Choice;

/// Everything there is to say.
struct Outcome<'a> {
    loaded: &'a LoadedModel,
    options: &'a Hsf,
    choice: &'a Choice,
    report: &'a HsfReport,
    /// Where the trail was written.
    file: Option<PathBuf>,
    seconds: f64,
}

/// Answers `hsf`.
pub(crate) fn hsf(options: &Hsf) -> CommandOutput {
    if let Some(out) = choice::listing(options) {
        return CommandOutput { out, err: String::new(), exit: Exit::Success };
    }
    let refuse = |(message, help)| load::usage(&options.shown(), &options.report, message, help);
    let choice = match Choice::new(options) {
        Ok(choice) => choice,
        Err(refusal) => return refuse(refusal),
    };
    let Some(input) = options.input() else {
        let help = "name one behind the options; `-` reads standard input".to_owned();
        return refuse(("there is no model to search".to_owned(), help));
    };
    let (loaded, mut err) = match load::read(&input, &options.report) {
        Ok(ready) => ready,
        Err(answer) => return answer,
    };
    let plan = plan(options, &choice);
    let mut observer =
        ProgressObserver::within(options.time, options.progress, options.report.quiet);
    let report = hsf::run(&loaded.result.hir, &plan, &mut observer);
    observer.finish();
    let report = match report {
        Ok(report) => report,
        // A finding that cannot be confirmed is a bug of ours, and reported as one.
        Err(HsfError::Check(error)) => panic!("{error}"),
        Err(error @ HsfError::Heuristic(_)) => {
            let help = "`beeline hsf -H` lists the heuristics".to_owned();
            return refuse((format!("-H: {error}"), help));
        }
        Err(error @ HsfError::Claim(_)) => {
            let help = "`beeline hsf -E` lists what can be looked for".to_owned();
            return refuse((format!("-El: {error}"), help));
        }
    };
    let seconds = observer.seconds();
    let file = write(&loaded, options, &report, &mut err);
    let exit = match report.ending {
        HsfOutcome::Found(_) => Exit::Violated,
        HsfOutcome::Nothing => Exit::Success,
        HsfOutcome::Unknown(_) => Exit::Unknown,
    };
    let outcome =
        Outcome { loaded: &loaded, options, choice: &choice, report: &report, file, seconds };
    let out = if options.report.json {
        lines::line(&json::object(&outcome))
    } else {
        text::text(&outcome)
    };
    CommandOutput { out, err, exit }
}

fn plan(options: &Hsf, choice: &Choice) -> HsfPlan {
    HsfPlan {
        algorithm: choice.algorithm.value,
        weight: options.weight.as_ref().map(|(weight, _)| *weight),
        heuristic: choice.heuristic.clone(),
        sought: choice.error.value,
        counting: options.counting,
        successors: options.successors,
        semantics: options.meaning.semantics(),
        engine: Engine::default(),
        bytes: Some(options.memory.unwrap_or_else(units::half_of_memory)),
        store: options.store,
        seed: options.seed,
        files: file::access(),
    }
}

/// Writes the trail and says where. One that cannot be written is a pity, but the
/// verdict stands.
fn write(
    loaded: &LoadedModel,
    options: &Hsf,
    report: &HsfReport,
    err: &mut String,
) -> Option<PathBuf> {
    let HsfOutcome::Found(found) = &report.ending else { return None };
    if options.no_trail {
        return None;
    }
    let file = Places::new(&loaded.model, options.trail.as_deref()).file(1);
    match trail::write(&file, &found.trail) {
        Ok(()) => Some(file),
        Err(error) => {
            let name = file.display();
            err.push_str(&format!(
                "warning: cannot write the trail `{name}`: {error}\n\
                 help: the verdict stands; `--trail FILE` writes it elsewhere\n"
            ));
            None
        }
    }
}
