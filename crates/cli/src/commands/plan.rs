//! `beeline plan`: a plan of a planning task, or the validation of one.

use std::path::Path;

use beeline_checker::{
    CheckError, PlanningProblem, PlanningReport, PlanningRequest, PlanningVerdict, Stats,
};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{Reason, System};
use beeline_pddl::{
    GroundError, NumberRange, PlanFault, PlanStep, PlanningRead, PlanningSystem, PlanningTask,
    PlanningText, ReplayedPlan, SasTask, read, read_plan, read_sas, replay, replay_sas,
};
use beeline_source::diagnostic::Severity;

use crate::args::plan::{PlanCommand, TaskFormat};
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::base::{file, json};
use crate::commands::load;
use crate::model::file::ModelFile;
use crate::render::diagnostics::{self, DiagnosticsObject};
use crate::render::plan::{self, FoundPlan, PlanOutcome, ValidationOutcome};
use crate::run::{ProgressObserver, WatchdogLimits, with_watchdog};

/// Executes `plan`.
pub(crate) fn plan(options: &PlanCommand) -> Result<CommandOutput, CommandOutput> {
    match (options.from, &options.problem) {
        (Some(TaskFormat::Sas), None) => plan_sas(options),
        (Some(TaskFormat::Sas), Some(_)) => Err(usage(
            options,
            "--from sas needs one file, and two are given",
            "the output of Fast Downward's translator has the domain and the problem",
        )),
        (_, Some(problem)) => plan_pddl(options, problem),
        (_, None) => Err(usage(
            options,
            "the problem is missing",
            "a task in PDDL has two files: beeline plan DOMAIN PROBLEM",
        )),
    }
}

fn usage(options: &PlanCommand, message: &str, help: &str) -> CommandOutput {
    let failure = Failure::new(message.to_owned(), help);
    load::fail(&options.domain.to_string_lossy(), &options.report, failure)
}

fn plan_pddl(options: &PlanCommand, problem: &Path) -> Result<CommandOutput, CommandOutput> {
    let domain = source(options, &options.domain)?;
    let problem = source(options, problem)?;
    let text = |file: &'_ ModelFile| (file.name.clone(), file.text.clone());
    let ((domain_name, domain_text), (problem_name, problem_text)) =
        (text(&domain), text(&problem));
    let of_domain = PlanningText { name: &domain_name, text: &domain_text };
    let of_problem = PlanningText { name: &problem_name, text: &problem_text };
    let given = read(of_domain, of_problem);
    let run = PlanRun { options, name: &problem_name, warnings: messages(options, &given) };
    let Some(mut task) = given.task else { return Err(run.refuse(&given)) };
    task.range = options.range.unwrap_or(task.range);
    run.execute(GivenTask::Pddl(Box::new(task)))
}

fn plan_sas(options: &PlanCommand) -> Result<CommandOutput, CommandOutput> {
    let file = source(options, &options.domain)?;
    let task = read_sas(&file.text).map_err(|error| {
        let message = format!("`{}`, {error}", file.name);
        let help = "the format is that of Fast Downward's translator, version 3";
        load::fail_with(&file.name, &options.report, Failure::new(message, help), Exit::Model)
    })?;
    let run = PlanRun { options, name: &file.name, warnings: String::new() };
    run.execute(GivenTask::Sas(task))
}

/// A task that was read.
enum GivenTask {
    Pddl(Box<PlanningTask>),
    Sas(SasTask),
}

impl GivenTask {
    fn replay(&self, steps: &[PlanStep]) -> Result<ReplayedPlan, PlanFault> {
        match self {
            GivenTask::Pddl(task) => replay(task, steps),
            GivenTask::Sas(task) => replay_sas(task, steps),
        }
    }

    fn system(self, deadline: Deadline, bytes: usize) -> Result<PlanningSystem, GroundError> {
        match self {
            GivenTask::Pddl(task) => PlanningSystem::new(*task, deadline, bytes),
            GivenTask::Sas(task) => Ok(PlanningSystem::of_sas(task)),
        }
    }
}

fn source(options: &PlanCommand, path: &Path) -> Result<ModelFile, CommandOutput> {
    ModelFile::read(path)
        .map_err(|error| load::fail(&path.to_string_lossy(), &options.report, error))
}

/// Errors, and warnings unless they are suppressed, as text.
fn messages(options: &PlanCommand, given: &PlanningRead) -> String {
    let report = &options.report;
    let paint = report.color.paint(&std::io::stderr());
    let is_silent = (report.quiet || report.json) && !given.diagnostics.has_errors();
    let all = given.diagnostics.iter().filter(|message| {
        message.severity == Severity::Error || !(report.quiet || report.json || is_silent)
    });
    all.map(|message| diagnostics::render(message, &given.sources, paint) + "\n").collect()
}

/// The command on a task that was read.
struct PlanRun<'a> {
    options: &'a PlanCommand,
    name: &'a str,
    warnings: String,
}

impl PlanRun<'_> {
    fn execute(&self, task: GivenTask) -> Result<CommandOutput, CommandOutput> {
        match &self.options.validate {
            Some(file) => self.validate(&task, file),
            None => self.search(task),
        }
    }

    /// The output for texts with errors.
    fn refuse(&self, given: &PlanningRead) -> CommandOutput {
        if self.options.report.json {
            let object = DiagnosticsObject::about(self.name, &given.diagnostics, &given.sources);
            return CommandOutput {
                out: json::line(&object),
                err: String::new(),
                exit: Exit::Model,
            };
        }
        let mut err = self.warnings.clone();
        if !self.options.report.quiet {
            err += &diagnostics::summary(self.name, &given.diagnostics);
        }
        CommandOutput { out: String::new(), err, exit: Exit::Model }
    }

    /// Executes a given plan.
    fn validate(&self, task: &GivenTask, path: &Path) -> Result<CommandOutput, CommandOutput> {
        let options = self.options;
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("cannot read the plan `{}`: {error}", path.display());
            load::fail(self.name, &options.report, Failure::new(message, "check the name"))
        })?;
        let replayed: Result<_, PlanFault> = read_plan(&text).and_then(|steps| task.replay(&steps));
        let outcome = ValidationOutcome { name: self.name, replayed: &replayed };
        let out = match options.report.json {
            true => json::line(&plan::validation_object(&outcome)),
            false => plan::validation_text(&outcome),
        };
        let exit = if replayed.is_ok() { Exit::Success } else { Exit::Violated };
        Ok(CommandOutput { out, err: self.warnings.clone(), exit })
    }

    /// Searches for a plan.
    fn search(&self, task: GivenTask) -> Result<CommandOutput, CommandOutput> {
        let options = self.options;
        let (time, quiet) = (options.time, options.report.quiet);
        let mut observer = ProgressObserver::within(time, options.progress, quiet);
        let settings = options.plan();
        let give_up = |stop: Stop, seconds: f64| {
            let report = unknown(Reason::StoppedInside(stop));
            let outcome = PlanOutcome::new(self.name, &report, seconds);
            self.output(&outcome, String::new())
        };
        let limits = WatchdogLimits::of_search(time, options.memory_limit());
        let bytes = options.memory_limit();
        let mut grounding = None;
        let found = with_watchdog(limits, give_up, || {
            use beeline_checker::Observer as _;
            let system = match task.system(observer.deadline(), bytes / 2) {
                Ok(system) => system,
                Err(error) => return (Err(error), None),
            };
            grounding = Some(observer.seconds());
            if options.ground {
                return (Ok(Ok(unknown(Reason::Stopped(Stop::Time)))), Some(system));
            }
            if system.is_unsolvable() {
                let report = PlanningReport {
                    verdict: PlanningVerdict::Unsolvable,
                    ..unknown(Reason::Stopped(Stop::Time))
                };
                return (Ok(Ok(report)), Some(system));
            }
            let request = PlanningRequest {
                optimal: options.optimal,
                own_search: options.search.is_some(),
                unit_costs: system.has_unit_costs(),
                symmetry: options.symmetry.into(),
            };
            let property = PlanningSystem::property();
            let up_to_symmetry = |deadline| {
                let found = system.up_to_symmetry(deadline)?;
                Some(Box::new(found) as Box<dyn System + '_>)
            };
            let problem = PlanningProblem {
                system: &system,
                property: &property,
                up_to_symmetry: &up_to_symmetry,
            };
            let report = beeline_checker::find_plan(problem, request, &settings, &mut observer);
            (Ok(report), Some(system))
        });
        observer.finish();
        let (mut report, system) = match found {
            (Ok(report), system) => (report.map_err(|error| self.fail(&error))?, system),
            (Err(GroundError::Metric(why)), _) => {
                let failure = Failure::new(
                    format!("the metric is not supported: {why}"),
                    "the metric is a sum of functions that actions increase by constants",
                );
                return Err(load::fail_with(self.name, &options.report, failure, Exit::Model));
            }
            (Err(error @ GroundError::Range { .. }), _) => {
                let failure =
                    Failure::new(error.to_string(), "--range has the initial values, too");
                return Err(load::fail(self.name, &options.report, failure));
            }
            (Err(error), _) => {
                let mut report = unknown(Reason::unsupported(error.to_string()));
                report.remarks.clear();
                (report, None)
            }
        };
        if let (true, Some(system)) = (options.ground, &system) {
            return Ok(self.grounded(system));
        }
        if let (Some(NumberRange { least, greatest }), Some(system)) = (options.range, &system)
            && system.has_numbers()
        {
            let remark = format!("numbers stay from {least} to {greatest}, by --range");
            report.remarks.push(remark);
        }
        let mut outcome = PlanOutcome::new(self.name, &report, observer.seconds());
        outcome.grounding_seconds = grounding;
        outcome.sizes = system.as_ref().map(PlanningSystem::sizes);
        outcome.shows_stats = options.stats;
        outcome.is_quiet = quiet;
        if let (PlanningVerdict::Solved(violation), Some(system)) = (&report.verdict, &system) {
            let steps = system.plan(&violation.trail);
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            outcome.plan = Some(FoundPlan { steps, length: violation.length });
        }
        let mut problem = String::new();
        if let (Some(path), Some(found)) = (&options.out, &outcome.plan)
            && let Err(error) = file::replace(path, plan::plan_text(found))
        {
            let message = format!("cannot write the plan `{}`: {error}", path.display());
            let failure = Failure::new(message, "--out FILE names another file");
            problem = failure.render(options.report.color.paint(&std::io::stderr()));
        }
        let mut output = self.output(&outcome, problem.clone());
        if !problem.is_empty() {
            output.exit = Exit::Usage;
        }
        Ok(output)
    }

    /// The size of a grounded task.
    fn grounded(&self, system: &PlanningSystem) -> CommandOutput {
        let sizes = system.sizes();
        let out = match self.options.report.json {
            true => json::line(&plan::grounded_object(self.name, sizes)),
            false => plan::sizes_text(sizes),
        };
        CommandOutput { out, err: self.warnings.clone(), exit: Exit::Success }
    }

    fn fail(&self, error: &CheckError) -> CommandOutput {
        let help = match error {
            CheckError::Unconfirmed(error) => panic!("{error}"),
            CheckError::Heuristic(_) | CheckError::Reduction(_) => {
                "`beeline list planning-heuristics` describes the heuristics of planning tasks"
            }
        };
        let failure = Failure::new(error.to_string(), help);
        load::fail(self.name, &self.options.report, failure)
    }

    fn output(&self, outcome: &PlanOutcome<'_>, problem: String) -> CommandOutput {
        let out = match self.options.report.json {
            true => json::line(&plan::object(outcome)),
            false => plan::text(outcome),
        };
        let exit = match outcome.report.verdict {
            PlanningVerdict::Solved(_) => Exit::Success,
            PlanningVerdict::Unsolvable => Exit::Violated,
            PlanningVerdict::Unknown(_) => Exit::Unknown,
        };
        CommandOutput { out, err: self.warnings.clone() + &problem, exit }
    }
}

/// A report without an answer.
fn unknown(reason: Reason) -> PlanningReport {
    PlanningReport {
        verdict: PlanningVerdict::Unknown(reason),
        stopped: None,
        by: None,
        stats: Stats::default(),
        peak_bytes: 0,
        remarks: Vec::new(),
    }
}
