//! `beeline compare`: whether one model can do all that another does.

use beeline_checker::{CompareError, CompareOptions, CompareReport, Related};
use beeline_kernel::Stop;
use beeline_model::{Reason, StoryRequest, Subject, Trail};

use crate::args::compare::Compare;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::render::check::SHOWN_STEPS;
use crate::render::compare::{self, CompareOutcome, ToldDifference};
use crate::run::{ProgressObserver, ReportLimits, WatchdogLimits, with_watchdog};

/// Executes `compare`.
pub(crate) fn compare(options: &Compare) -> Result<CommandOutput, CommandOutput> {
    let second = options.abstraction();
    let semantics = options.meaning.semantics();
    let properties = &options.observed;
    let request = LoadRequest::new(&options.input, &options.report);
    let request = LoadRequest { properties, option: "--observe", semantics, ..request };
    let (a, of_a) = load::read(&request)?;
    let (b, of_b) = load::read(&LoadRequest { input: &second, ..request })?;
    let run = CompareRun { options, models: [&a, &b], warnings: of_a + &of_b };
    run.execute()
}

/// A comparison of two loaded models.
struct CompareRun<'a> {
    options: &'a Compare,
    models: [&'a LoadedModel; 2],
    warnings: String,
}

impl CompareRun<'_> {
    fn execute(&self) -> Result<CommandOutput, CommandOutput> {
        let options = self.options;
        let (time, quiet) = (options.time, options.report.quiet);
        let mut observer = ProgressObserver::within(time, options.progress, quiet);
        let plan = options.plan();
        let question = CompareOptions {
            relation: options.relation,
            matching: options.matching(),
            observed: &options.observed,
        };
        let give_up = |stop: Stop, seconds: f64| {
            let related = Related::Unknown(Reason::StoppedInside(stop), None);
            let report = CompareReport { related, states: [None; 2], peak_bytes: 0 };
            self.output(&report, seconds, ReportLimits::LEAST)
        };
        let limits = WatchdogLimits::of_search(time, options.memory_limit());
        let models = self.models.map(LoadedModel::as_model);
        let report = with_watchdog(limits, give_up, || {
            beeline_checker::compare(models, &question, &plan, &mut observer)
        });
        observer.finish();
        let report = report.map_err(|error| self.fail(&error))?;
        Ok(self.output(&report, observer.seconds(), observer.left_for_report()))
    }

    /// The output for a question that cannot be asked.
    fn fail(&self, error: &CompareError) -> CommandOutput {
        let help = match error {
            // A run that is not confirmed is a bug of Beeline, and reported as one.
            CompareError::Unconfirmed(error) => panic!("{error}"),
            CompareError::Unknown(_) => {
                "--observe takes a condition on a Promela model; without it, states without a step \
                 are observed"
            }
            CompareError::NotACondition(_) => {
                "leave out temporal operators, as in --observe 'x > 0'"
            }
            CompareError::TooManyConditions(_) => "observe the conditions that matter",
        };
        let failure = Failure::new(error.to_string(), help);
        load::fail(&self.models[0].model, &self.options.report, failure)
    }

    /// The answer as text or JSON.
    fn output(&self, report: &CompareReport, seconds: f64, limits: ReportLimits) -> CommandOutput {
        let (told, problem) = match &report.related {
            Related::No(difference) => {
                let (file, problem) = self.write_trail(&difference.run.trail);
                let request = StoryRequest {
                    steps: SHOWN_STEPS,
                    deadline: limits.deadline(),
                    ..StoryRequest::new(Subject::Properties(&[]))
                };
                let story = self.models[0].as_model().story(&difference.run.trail, &request);
                let story =
                    story.unwrap_or_else(|error| panic!("a trail of the model fails: {error}"));
                (Some(ToldDifference { story, file }), problem)
            }
            Related::Yes | Related::Unknown(..) => (None, String::new()),
        };
        let outcome = CompareOutcome {
            models: self.models,
            relation: self.options.relation,
            matching: self.options.matching(),
            observed: self.options.conditions(),
            report,
            told: told.as_ref(),
            seconds,
            is_quiet: self.options.report.quiet,
        };
        let out = match self.options.report.json {
            true => json::line(&compare::object(&outcome)),
            false => compare::text(&outcome),
        };
        let exit = match report.related {
            Related::Yes => Exit::Success,
            Related::No(_) => Exit::Violated,
            Related::Unknown(..) => Exit::Unknown,
        };
        CommandOutput { out, err: self.warnings.clone() + &problem, exit }
    }

    /// Writes the trail, if a file is given. Returns the file, and a message about a failure.
    fn write_trail(&self, trail: &Trail) -> (Option<String>, String) {
        let Some(file) = &self.options.trail else { return (None, String::new()) };
        match trail::write(file, trail) {
            Ok(()) => (Some(file.display().to_string()), String::new()),
            Err(error) => {
                let file = file.display();
                let problem = format!(
                    "warning: cannot write the trail `{file}`: {error}\nhelp: --trail FILE names \
                     another file; with --json, `text` has the trail\n"
                );
                (None, problem)
            }
        }
    }
}
