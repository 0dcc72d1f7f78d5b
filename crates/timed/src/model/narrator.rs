//! Runs as stories: each step with its edges, its time, and the values that it changes.

use beeline_model::{
    Cause, ErrorKind, ProcessPosition, ProcessState, ProcessStep, StateValue, Story, StoryEnd,
    StoryStep, ValueChange, WholeState,
};
use beeline_source::source::SourceMap;

use super::timed_run::TimedRun;
use crate::network::{TimedEdge, TimedNetwork};
use crate::semantics::concrete::ConcreteState;
use crate::semantics::synchronisation::Part;
use crate::syntax::fragment::Fragment;

/// Tells runs of a network.
#[derive(Clone, Copy)]
pub(super) struct TimedNarrator<'n> {
    pub(super) net: &'n TimedNetwork,
    pub(super) sources: &'n SourceMap,
}

/// A number of units as a number: `3`, `7/2`.
pub(super) fn time(units: i64, scale: i64) -> String {
    let (mut a, mut b) = (units.abs(), scale);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    let (number, unit) = (units / divisor, scale / divisor);
    if unit == 1 { number.to_string() } else { format!("{number}/{unit}") }
}

impl TimedNarrator<'_> {
    /// The name of a location; one without a name is numbered.
    pub(super) fn location(&self, process: usize, location: u32) -> String {
        let name = &self.net.processes[process].locations[location as usize].name;
        if name.is_empty() { format!("location {location}") } else { name.to_string() }
    }

    /// A text of the model without the entities of XML.
    fn text(&self, span: beeline_source::source::Span) -> String {
        let raw = self.sources.text(span);
        let plain = Fragment::of_xml(span.file, span.start as usize, raw).text;
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// An edge: its ends and its labels.
    pub(super) fn edge(&self, process: usize, edge: &TimedEdge) -> String {
        let ends =
            format!("{} -> {}", self.location(process, edge.from), self.location(process, edge.to));
        let labels = self.labels(edge);
        if labels.is_empty() { ends } else { format!("{ends} {{{labels}}}") }
    }

    /// The labels of an edge.
    pub(super) fn labels(&self, edge: &TimedEdge) -> String {
        let labels = edge.labels.iter().map(|&(span, behind)| self.text(span) + behind);
        labels.collect::<Vec<_>>().join("; ")
    }

    fn process_step(&self, part: Part) -> ProcessStep {
        let process = &self.net.processes[part.process as usize];
        let edge = &process.edges[part.edge as usize];
        let mut statement = self.edge(part.process as usize, edge);
        if !edge.selects.is_empty() {
            let mut values = vec![0; edge.selects.len()];
            edge.choice(part.variant, &mut values);
            let chosen = edge.selects.iter().zip(values);
            let chosen = chosen.map(|((name, ..), value)| format!("{name} = {value}"));
            statement += &format!(" [{}]", chosen.collect::<Vec<_>>().join(", "));
        }
        let (pid, process) = (part.process as usize, process.name.clone());
        ProcessStep { pid, process, span: edge.span, statement }
    }

    /// The description of a step: between these states with their times. One that fails has no state
    /// after it.
    pub(super) fn step(
        &self,
        step: &[Part],
        before: (&ConcreteState<'_>, i64),
        after: Option<(&ConcreteState<'_>, i64)>,
    ) -> StoryStep {
        let mut turn = self.process_step(step[0]);
        if step.len() > 2 {
            let others: Vec<String> =
                step[2..].iter().map(|&part| self.process_step(part).process).collect();
            turn.statement += &format!(" (also received by {})", others.join(", "));
        }
        let partner = step.get(1).map(|&part| self.process_step(part));
        let mut changes = Vec::new();
        if let Some((after, now)) = after {
            let change = |name: String, before: String, after: String| ValueChange {
                name,
                before: Some(before),
                after,
                is_channel: false,
            };
            let scale = after.scale;
            if now != before.1 {
                changes.push(change("time".to_owned(), time(before.1, scale), time(now, scale)));
            }
            let (old, new) = (&before.0.memory, &after.memory);
            for (at, (&one, &other)) in old.variables.iter().zip(&new.variables).enumerate() {
                if one != other {
                    let name = self.net.variables[at].name.clone();
                    changes.push(change(name, one.to_string(), other.to_string()));
                }
            }
        }
        let now = after.map_or(before.1, |(_, now)| now);
        StoryStep {
            turn,
            partner,
            changes,
            printed: String::new(),
            time: Some(time(now, before.0.scale)),
            fault: None,
            overflow: None,
        }
    }

    fn position(&self, state: &ConcreteState<'_>, pid: usize) -> ProcessPosition {
        let process = &self.net.processes[pid];
        let location = state.memory.locations[pid];
        let edges = process.leaving[location as usize].iter();
        let statements: Vec<String> =
            edges.map(|&edge| self.edge(pid, &process.edges[edge as usize])).collect();
        ProcessPosition {
            pid,
            process: process.name.clone(),
            span: Some(process.locations[location as usize].span),
            obstacles: vec![None; statements.len()],
            statements,
            at_end: false,
        }
    }

    pub(super) fn positions(&self, state: &ConcreteState<'_>) -> Vec<ProcessPosition> {
        (0..self.net.processes.len()).map(|pid| self.position(state, pid)).collect()
    }

    /// All values by name: locations, variables, clocks, and the time.
    pub(super) fn values(&self, state: &ConcreteState<'_>, now: i64) -> Vec<(String, String)> {
        let mut values = Vec::new();
        for (pid, process) in self.net.processes.iter().enumerate() {
            let location = self.location(pid, state.memory.locations[pid]);
            values.push((process.name.clone(), location));
        }
        for (variable, value) in self.net.variables.iter().zip(&state.memory.variables) {
            if variable.is_written {
                values.push((variable.name.clone(), value.to_string()));
            }
        }
        for (name, &clock) in self.net.clocks.iter().zip(&state.clocks).skip(1) {
            values.push((name.clone(), time(clock, state.scale)));
        }
        values.push(("time".to_owned(), time(now, state.scale)));
        values
    }

    pub(super) fn whole_state(&self, state: &ConcreteState<'_>, now: i64) -> WholeState {
        let process = |pid: usize| ProcessState {
            pid,
            process: self.net.processes[pid].name.clone(),
            location: state.memory.locations[pid],
            span: Some(
                self.net.processes[pid].locations[state.memory.locations[pid] as usize].span,
            ),
            locals: Vec::new(),
        };
        let values = self.values(state, now).into_iter();
        WholeState {
            globals: values.map(|(name, value)| (name, StateValue::Symbol(value))).collect(),
            processes: (0..self.net.processes.len()).map(process).collect(),
            channels: Vec::new(),
        }
    }

    /// The times of the states of a run.
    pub(super) fn times(run: &TimedRun<'_>) -> Vec<i64> {
        let mut times = vec![0];
        times.extend(&run.schedule.times);
        times.truncate(run.states.len().saturating_sub(1));
        times.push(run.schedule.end);
        times
    }

    /// A run with its end.
    pub(super) fn tell(&self, run: &TimedRun<'_>, error: Option<(ErrorKind, String)>) -> Story {
        let times = Self::times(run);
        let state = |at: usize| run.states.get(at).map(|state| (state, times[at]));
        let steps = run.steps.iter().enumerate().map(|(at, step)| {
            let before = state(at).expect("there is a state before each step");
            let is_fault = run.states.len() <= run.steps.len() + 1 && at + 1 == run.steps.len();
            self.step(step, before, if is_fault { None } else { state(at + 1) })
        });
        let mut steps: Vec<StoryStep> = steps.collect();
        if let (Some((ErrorKind::Fault(kind), _)), Some(last)) = (&error, steps.last_mut()) {
            last.fault = Some(*kind);
        }
        let last = run.states.last().expect("a run has states");
        let now = *times.last().expect("a run has an end");
        let (error, detail) = match error {
            Some((error, detail)) => (Some(error), Some(detail)),
            None => (None, None),
        };
        let causes: Vec<Cause> = Vec::new();
        let end = StoryEnd {
            error,
            detail,
            causes,
            stuck: error == Some(ErrorKind::InvalidEnd),
            processes: self.positions(last),
            values: self.values(last, now),
        };
        Story::new(steps, end)
    }
}
