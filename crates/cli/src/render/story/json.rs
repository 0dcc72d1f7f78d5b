//! A story for programs: JSON. The keys are a contract.

use beeline_model::{ProcessPosition, ProcessStep, Story, StoryStep};
use beeline_promela::source::SourceMap;
use serde::Serialize;

use crate::model::location::location;

/// A story for programs.
#[derive(Serialize)]
pub(crate) struct StoryObject<'a> {
    error: Option<String>,
    detail: Option<&'a str>,
    cycle_start: Option<usize>,
    steps: Vec<StepObject<'a>>,
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

impl<'a> StoryObject<'a> {
    pub(crate) fn new(story: &'a Story, sources: &SourceMap) -> StoryObject<'a> {
        let steps = story.steps.iter().enumerate();
        let end = &story.end;
        let values = end.values.iter();
        StoryObject {
            error: end.error.map(|wrong| wrong.to_string()),
            detail: end.detail.as_deref(),
            cycle_start: story.cycle_start,
            steps: steps
                .map(|(at, step)| {
                    let needed = story.core.get(at).copied();
                    StepObject { needed, ..StepObject::new(at + 1, step, sources) }
                })
                .collect(),
            processes: end.processes.iter().map(|p| RestingObject::new(p, sources)).collect(),
            values: values.map(|(name, value)| ValueObject { name, value }).collect(),
        }
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
