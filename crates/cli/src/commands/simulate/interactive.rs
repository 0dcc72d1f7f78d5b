//! A run whose steps the user chooses, by lines on standard input: in a terminal as well as in a
//! script.

use std::path::Path;

use beeline_model::{Simulation, Story, StoryStep};

use crate::args::simulate::{STEPS, Simulate};
use crate::base::numbers::count;
use crate::base::output::CommandOutput;
use crate::base::units;
use crate::commands::simulate::condition::ConditionModel;
use crate::commands::simulate::line_reader::LineReader;
use crate::commands::simulate::printer::StepPrinter;
use crate::commands::simulate::run_end::RunEnd;
use crate::commands::simulate::save::save;
use crate::commands::simulate::user_command::{HELP, UserCommand};
use crate::model::loaded::LoadedModel;
use crate::model::trail;
use crate::render::story;
use crate::run::{InterruptGuard, is_interrupted};

/// Reads commands until the input ends, or the user quits.
pub(crate) fn interact(
    options: &Simulate,
    loaded: &LoadedModel,
    run: &mut dyn Simulation,
) -> CommandOutput {
    let printer = StepPrinter::new(options, loaded);
    let mut dialog = Dialog { options, printer, run, undone: Vec::new() };
    let mut lines = LineReader::new();
    dialog.list();
    while dialog.printer.stream.is_heard() {
        let Some(line) = lines.next(&mut dialog.printer.stream) else { break };
        match UserCommand::parse(&line) {
            None => {}
            Some(Ok(UserCommand::Quit)) => break,
            Some(Ok(command)) => dialog.execute(command),
            Some(Err(complaint)) => dialog.say(&format!("{complaint}\n")),
        }
    }
    let end_of_run = dialog.run.ending().map_or(RunEnd::Quit, RunEnd::Ended);
    let end = dialog.run.state();
    let Dialog { printer, run, .. } = dialog;
    let story = Story::new(Vec::new(), end);
    save(options, run, printer.finish(end_of_run, &story, &story))
}

struct Dialog<'a> {
    options: &'a Simulate,
    printer: StepPrinter<'a>,
    run: &'a mut dyn Simulation,
    /// The choices that were undone, the last one first.
    undone: Vec<usize>,
}

impl Dialog<'_> {
    fn execute(&mut self, command: UserCommand) {
        match command {
            UserCommand::Take(number) => self.take(number),
            UserCommand::Random(count) => {
                let _guard = InterruptGuard::new();
                for _ in 0..count {
                    if self.take_any().is_none() || !self.goes_on() {
                        break;
                    }
                }
                self.list();
            }
            UserCommand::Until(condition) => self.until(&condition),
            UserCommand::Back(count) => {
                if !self.back(count) {
                    self.say("this is the beginning\n");
                }
                self.list();
            }
            UserCommand::Goto(number) => self.goto(number),
            UserCommand::State => {
                let state = self.run.state();
                self.say(&story::whole_state(&state, self.printer.sources()));
            }
            UserCommand::List => self.list(),
            UserCommand::Save(file) => self.save(&file),
            UserCommand::Help => self.say(HELP),
            UserCommand::Quit => {}
        }
    }

    fn say(&mut self, text: &str) {
        self.printer.stream.say(text);
    }

    /// Takes a step of the list.
    fn take(&mut self, number: usize) {
        let step = number.checked_sub(1).and_then(|at| self.run.take(at));
        if let Some(step) = step {
            self.took(&step);
            return self.list();
        }
        let there = match self.run.choices().len() {
            0 => "no step is enabled; `back` undoes one".to_owned(),
            count => format!("choose from 1 to {count}"),
        };
        self.say(&format!("there is no step {number}: {there}\n"));
    }

    /// Takes a random step.
    fn take_any(&mut self) -> Option<()> {
        let step = self.run.take_any()?;
        self.took(&step);
        Some(())
    }

    /// Whether more random steps are wanted: Ctrl-C ends them, and not the dialog.
    fn goes_on(&self) -> bool {
        self.printer.stream.is_heard() && !is_interrupted()
    }

    /// Prints a step that was taken.
    fn took(&mut self, step: &StoryStep) {
        // The steps that were taken back stay, while the same ones are taken again.
        if self.undone.pop() != self.run.taken().last().copied() {
            self.undone.clear();
        }
        self.printer.step_with_source(step);
    }

    /// Takes steps back; `false` when there were fewer.
    fn back(&mut self, count: u64) -> bool {
        for _ in 0..count {
            let last = self.run.taken().last().copied();
            if !self.run.back() {
                return false;
            }
            self.undone.extend(last);
            self.printer.back();
        }
        true
    }

    /// Goes to the state after a step.
    fn goto(&mut self, number: u64) {
        let steps = self.printer.steps;
        let last = steps + self.undone.len() as u64;
        if number > last {
            let last = units::steps(last);
            let text = format!("this run has {last}; `random` and `until` take further ones\n");
            return self.say(&text);
        }
        if number < steps {
            self.back(steps - number);
        }
        while self.printer.steps < number {
            let step = self.undone.last().and_then(|choice| self.run.take(*choice));
            let Some(step) = step else { break };
            self.took(&step);
        }
        self.list();
    }

    /// Takes random steps until a condition holds.
    fn until(&mut self, condition: &str) {
        let model = match ConditionModel::read(self.options, condition) {
            Ok(model) => model,
            Err(error) => return self.say(&error.to_string()),
        };
        // A run that has begun can be repeated.
        let Ok(mut beside) = model.follow(self.run.taken()) else { return };
        if beside.holds() {
            return self.say(&format!("`{condition}` is true already\n"));
        }
        let _guard = InterruptGuard::new();
        for _ in 0..STEPS {
            if !self.goes_on() || self.take_any().is_none() {
                break;
            }
            let choice = self.run.taken().last().copied();
            beside.take(choice.expect("a step was taken"));
            if beside.holds() {
                self.say(&format!("`{condition}` is true\n"));
                return self.list();
            }
        }
        let more = match self.run.ending() {
            Some(_) => "the run ended before it",
            None if is_interrupted() => "interrupted, `until` again goes on",
            None => "`until` again goes on",
        };
        self.say(&format!(
            "`{condition}` is false after {} steps: {more}\n",
            count(self.printer.steps)
        ));
        self.list();
    }

    /// Writes the run so far.
    fn save(&mut self, file: &Path) {
        let name = file.display();
        let text = match trail::write(file, &self.run.trail()) {
            Ok(()) => format!("{} written to {name}\n", units::steps(self.printer.steps)),
            Err(error) => format!("cannot write the trail `{name}`: {error}\n"),
        };
        self.say(&text);
    }

    /// Lists the possible steps.
    fn list(&mut self) {
        let after = self.printer.steps;
        if let Some(ending) = self.run.ending() {
            let words = RunEnd::Ended(ending).words();
            let text = story::ending(&story::after(after as usize), &words, &self.run.state());
            return self.say(&text);
        }
        let after = units::steps(after);
        self.say(&format!("enabled steps after {after}:\n"));
        let widths = self.printer.widths;
        for (at, mut choice) in self.run.choices().into_iter().enumerate() {
            // The step is not executed yet, so it has printed nothing.
            choice.printed.clear();
            let text = story::step(&choice, at + 1, widths, self.printer.sources());
            self.say(&text);
        }
    }
}
