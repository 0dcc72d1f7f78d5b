//! `beeline simulate`: one run of a model, at random, by choice, or along a trail.

mod condition;
mod interactive;
mod line_reader;
mod printer;
mod run_end;
mod save;
mod user_command;

use std::ops::ControlFlow;

use beeline_kernel::Deadline;
use beeline_model::{Simulation, SimulationEnd, SimulationError, StepTeller, Story, StoryEnd};

use crate::args::simulate::{SEED, STEPS, Simulate};
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::commands::retell::Retelling;
use crate::model::loaded::LoadedModel;
use crate::run::{catch_interrupts, is_interrupted};
use printer::StepPrinter;
use run_end::RunEnd;
use save::save;

/// Executes `simulate`.
pub(crate) fn simulate(options: &Simulate) -> Result<CommandOutput, CommandOutput> {
    if options.interactive && options.input.model.as_os_str() == "-" {
        let message = "standard input cannot hold both the model and your choices";
        let failure = Failure::new(message, "put the model into a file");
        return Err(load::fail("-", &options.report, failure));
    }
    let (loaded, warnings) = load::read(&LoadRequest {
        semantics: options.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    })?;
    if let Some(file) = &options.trail {
        let fail = |error| load::fail(&loaded.model, &options.report, error);
        let retelling = Retelling::read(&loaded, file).map_err(fail)?;
        let guided = retelling.with_story(&[], |mut story, teller| {
            let core = loaded.as_model().causal_core(&retelling.given.trail, Deadline::NEVER);
            story.core = core.unwrap_or_default();
            guided(options, &loaded, warnings, &story, teller)
        });
        return guided.map_err(fail);
    }
    let simulation = loaded.as_model().simulation(options.seed.unwrap_or(SEED));
    let mut simulation = match simulation {
        Ok(simulation) => simulation,
        Err(SimulationError::InitialFault(kind)) => {
            let end = StoryEnd::initial_fault(kind);
            let story = Story::new(Vec::new(), end);
            return Ok(guided(options, &loaded, warnings, &story, &story));
        }
        Err(SimulationError::Unsupported(why)) => {
            let failure = Failure::new(why.to_string(), "`beeline check` checks it");
            return Err(load::fail(&loaded.model, &options.report, failure));
        }
    };
    // Warnings come before the run, which may take long.
    let said = CommandOutput { out: String::new(), err: warnings, exit: Exit::Success };
    said.give();
    if options.interactive {
        simulation.remember();
        return Ok(interactive::interact(options, &loaded, &mut *simulation));
    }
    Ok(at_random(options, &loaded, &mut *simulation))
}

/// A random run.
fn at_random(options: &Simulate, loaded: &LoadedModel, run: &mut dyn Simulation) -> CommandOutput {
    let limit = options.steps.unwrap_or(STEPS);
    let mut printer = StepPrinter::new(options, loaded);
    let mut steps = Vec::new();
    catch_interrupts();
    if options.steps.is_none() {
        printer.limit_lines();
    }
    while printer.steps < limit
        && printer.stream.is_heard()
        && !printer.is_full()
        && !is_interrupted()
    {
        let Some(step) = run.take_any() else { break };
        printer.step(&step);
        if options.report.json {
            steps.push(step);
        }
    }
    let unfinished = match printer.is_full() {
        _ if is_interrupted() => RunEnd::Interrupted,
        true => RunEnd::LineLimit,
        false => RunEnd::Limit,
    };
    let end = run.ending().map_or(unfinished, RunEnd::Ended);
    let story = Story::new(steps, run.state());
    let answer = printer.finish(end, &story, &story);
    save(options, run, answer)
}

/// A run along a trail.
fn guided(
    options: &Simulate,
    loaded: &LoadedModel,
    warnings: String,
    story: &Story,
    teller: &dyn StepTeller,
) -> CommandOutput {
    let said = CommandOutput { out: String::new(), err: warnings, exit: Exit::Success };
    said.give();
    let mut printer = StepPrinter::new(options, loaded);
    teller.tell(&mut |_, step| {
        printer.step(step);
        if printer.stream.is_heard() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let ending = story.end.error.map(SimulationEnd::Error);
    printer.finish(ending.map_or(RunEnd::TrailEnd, RunEnd::Ended), story, teller)
}
