//! A story for programs: JSON. The keys are a contract.

use std::ops::ControlFlow;

use beeline_model::{Cause, ProcessPosition, ProcessStep, StepTeller, Story, StoryEnd, StoryStep};
use beeline_promela::source::SourceMap;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::model::location::location;

/// A story for programs.
#[derive(Serialize)]
pub(crate) struct StoryObject<'a> {
    error: Option<String>,
    detail: Option<&'a str>,
    causes: Vec<CauseObject<'a>>,
    cycle_start: Option<usize>,
    steps: StepObjects<'a>,
    processes: Vec<RestingObject<'a>>,
    values: Vec<ValueObject<'a>>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    step: usize,
    #[serde(flatten)]
    turn: TurnObject<'a>,
    partner: Option<TurnObject<'a>>,
    changes: Vec<ChangeObject<'a>>,
    /// Output of `printf` and `printm`.
    printed: &'a str,
    fault: Option<String>,
    /// Whether the step belongs to the causal core, if that is known.
    needed: Option<bool>,
}

/// The part of one process in a step.
#[derive(Serialize)]
pub(crate) struct TurnObject<'a> {
    pid: usize,
    process: &'a str,
    file: String,
    line: u32,
    statement: &'a str,
}

#[derive(Serialize)]
struct ChangeObject<'a> {
    name: &'a str,
    before: Option<&'a str>,
    after: &'a str,
}

#[derive(Serialize)]
struct RestingObject<'a> {
    pid: usize,
    process: &'a str,
    file: Option<String>,
    line: Option<u32>,
    statements: &'a [String],
    /// For each statement the condition that it waits for.
    obstacles: &'a [Option<String>],
    at_end: bool,
}

#[derive(Serialize)]
struct ValueObject<'a> {
    name: &'a str,
    value: &'a str,
}

/// A part that causes an error.
#[derive(Serialize)]
pub(crate) struct CauseObject<'a> {
    part: &'a str,
    text: &'a str,
    values: Vec<ValueObject<'a>>,
}

impl<'a> CauseObject<'a> {
    /// The causes of the error at the end of a story.
    pub(crate) fn all(end: &'a StoryEnd) -> Vec<CauseObject<'a>> {
        let cause = |Cause { part, text, values, .. }: &'a Cause| {
            let values = values.iter().map(|(name, value)| ValueObject { name, value });
            CauseObject { part, text, values: values.collect() }
        };
        end.causes.iter().map(cause).collect()
    }
}

impl<'a> StoryObject<'a> {
    /// A story with these steps, which become objects one at a time, as they are written.
    pub(crate) fn new(
        story: &'a Story,
        teller: &'a dyn StepTeller,
        sources: &'a SourceMap,
    ) -> StoryObject<'a> {
        let end = &story.end;
        let values = end.values.iter();
        StoryObject {
            error: end.error.map(|wrong| wrong.to_string()),
            detail: end.detail.as_deref(),
            causes: CauseObject::all(end),
            cycle_start: story.cycle_start,
            steps: StepObjects { teller, core: &story.core, sources },
            processes: end.processes.iter().map(|p| RestingObject::new(p, sources)).collect(),
            values: values.map(|(name, value)| ValueObject { name, value }).collect(),
        }
    }
}

/// The steps of a story, as an array.
struct StepObjects<'a> {
    teller: &'a dyn StepTeller,
    /// For each step whether the error needs it, where that is known.
    core: &'a [bool],
    sources: &'a SourceMap,
}

impl Serialize for StepObjects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut array = serializer.serialize_seq(None)?;
        let mut failed = None;
        self.teller.tell(&mut |at, step| {
            let needed = self.core.get(at).copied();
            let object = StepObject { needed, ..StepObject::new(at + 1, step, self.sources) };
            failed = array.serialize_element(&object).err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        failed.map_or_else(|| array.end(), Err)
    }
}

impl<'a> StepObject<'a> {
    fn new(step: usize, told: &'a StoryStep, sources: &SourceMap) -> StepObject<'a> {
        let changes = told.changes.iter().map(|change| ChangeObject {
            name: &change.name,
            before: change.before.as_deref(),
            after: &change.after,
        });
        StepObject {
            step,
            turn: TurnObject::new(&told.turn, sources),
            partner: told.partner.as_ref().map(|partner| TurnObject::new(partner, sources)),
            changes: changes.collect(),
            printed: &told.printed,
            fault: told.fault.map(|fault| fault.to_string()),
            needed: None,
        }
    }
}

impl<'a> TurnObject<'a> {
    pub(crate) fn new(turn: &'a ProcessStep, sources: &SourceMap) -> TurnObject<'a> {
        let location = location(sources, turn.span);
        TurnObject {
            pid: turn.pid,
            process: &turn.process,
            file: location.file.to_string(),
            line: location.line,
            statement: &turn.statement,
        }
    }
}

impl<'a> RestingObject<'a> {
    fn new(resting: &'a ProcessPosition, sources: &SourceMap) -> RestingObject<'a> {
        let location = resting.span.map(|span| location(sources, span));
        RestingObject {
            pid: resting.pid,
            process: &resting.process,
            file: location.as_ref().map(|location| location.file.to_string()),
            line: location.map(|location| location.line),
            statements: &resting.statements,
            obstacles: &resting.obstacles,
            at_end: resting.at_end,
        }
    }
}
