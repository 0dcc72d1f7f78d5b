//! Printing a run step by step.

use std::io::IsTerminal;

use beeline_kernel::FaultKind;
use beeline_model::{Model, OverflowRemark, StepTeller, Story, StoryStep};
use beeline_source::source::SourceMap;
use serde::Serialize;

use crate::args::simulate::{SEED, Simulate};
use crate::base::exit::Exit;
use crate::base::json::Header;
use crate::base::output::CommandOutput;
use crate::base::stream::Stream;
use crate::commands::simulate::run_end::{MOST_LINES, RunEnd};
use crate::model::loaded::LoadedModel;
use crate::model::location::{place, source_line};
use crate::render::story::{self, StoryObject, Widths};

/// The object that `simulate --json` prints.
#[derive(Serialize)]
struct SimulationObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    /// The seed of a random run.
    seed: Option<u64>,
    /// The file of a guided run.
    trail: Option<String>,
    ending: String,
    remarks: Vec<String>,
    #[serde(flatten)]
    story: StoryObject<'a>,
}

/// Prints the steps of a run, as text or as JSON.
pub(crate) struct StepPrinter<'a> {
    pub(crate) options: &'a Simulate,
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) stream: Stream,
    pub(crate) widths: Widths,
    /// The number of steps so far.
    pub(crate) steps: u64,
    /// The first overflow of the run, and the number of its step.
    overflow: Option<(u64, String)>,
    /// The lines that may still be printed, if they are limited.
    lines_left: Option<u64>,
}

impl<'a> StepPrinter<'a> {
    pub(crate) fn new(options: &'a Simulate, loaded: &'a LoadedModel) -> StepPrinter<'a> {
        let widths = Widths { number: 3, process: longest_name(loaded.as_model()) };
        let stream = Stream::new();
        StepPrinter { options, loaded, stream, widths, steps: 0, overflow: None, lines_left: None }
    }

    pub(crate) fn sources(&self) -> &'a SourceMap {
        self.loaded.sources()
    }

    /// Limits the lines if a person reads them.
    pub(crate) fn limit_lines(&mut self) {
        let reads = std::io::stdout().is_terminal() && !self.options.report.json;
        self.lines_left = reads.then_some(MOST_LINES);
    }

    /// Whether a person has seen enough lines.
    pub(crate) fn is_full(&self) -> bool {
        self.lines_left == Some(0)
    }

    /// Prints a step and the line of its statement.
    pub(crate) fn step_with_source(&mut self, step: &StoryStep) {
        let (line, digits) = (source_line(self.sources(), step.turn.span), self.widths.number);
        self.print(step, &format!("{:digits$}  > {line}\n", ""));
    }

    /// Prints a step.
    pub(crate) fn step(&mut self, step: &StoryStep) {
        self.print(step, "");
    }

    /// Takes the last step back.
    pub(crate) fn back(&mut self) {
        self.steps -= 1;
        self.overflow.take_if(|(step, _)| *step > self.steps);
    }

    /// Prints a step, more text about it, and a remark if it is the first with an overflow.
    fn print(&mut self, step: &StoryStep, more: &str) {
        self.steps += 1;
        let remark = self.overflow_remark(step);
        let report = &self.options.report;
        let text = match (report.json, report.quiet) {
            (true, _) => return,
            (false, true) => step.printed.clone(),
            (false, false) => {
                let step = story::step(step, self.steps as usize, self.widths, self.sources());
                step + more + &remark.map_or(String::new(), |remark| format!("remark: {remark}\n"))
            }
        };
        self.stream.say(&text);
        let lines = text.lines().count() as u64;
        self.lines_left = self.lines_left.map(|left| left.saturating_sub(lines));
    }

    /// The first overflow of the run, if it is in this step and no error by itself.
    fn overflow_remark(&mut self, step: &StoryStep) -> Option<String> {
        let overflow = step.overflow.as_ref().filter(|_| self.overflow.is_none())?;
        if step.fault == Some(FaultKind::Overflow) {
            return None;
        }
        let OverflowRemark { span, text } = overflow;
        let place = place(self.sources(), *span);
        let remark = format!("overflow in step {}, {place}: {text}", self.steps);
        self.overflow = Some((self.steps, remark.clone()));
        Some(remark)
    }

    pub(crate) fn finish(
        mut self,
        end: RunEnd,
        story: &Story,
        teller: &dyn StepTeller,
    ) -> CommandOutput {
        let report = &self.options.report;
        let ending = story::ending(&story::after(self.steps as usize), &end.words(), &story.end);
        let mut err = String::new();
        if report.json {
            let random = self.options.trail.is_none();
            let trail = self.options.trail.as_ref();
            self.stream.say_line(&SimulationObject {
                header: Header::new(&self.loaded.model),
                seed: random.then_some(self.options.seed.unwrap_or(SEED)),
                trail: trail.map(|file| file.to_string_lossy().into_owned()),
                ending: end.name(),
                remarks: self.overflow.iter().map(|(_, remark)| remark.clone()).collect(),
                story: StoryObject::new(story, teller, self.sources()),
            });
        } else if !report.quiet {
            self.stream.say(&ending);
            self.stream.say(&story::state(&story.end, self.sources()));
        } else if end.exit() != Exit::Success {
            // With `--quiet`, standard output has only the output of the model.
            err = ending;
        }
        self.stream.finish(err, end.exit())
    }
}

/// The length of the longest `Proctype(pid)`.
fn longest_name(model: &dyn Model) -> usize {
    let names = model.process_names();
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + "(0)".len()
}
