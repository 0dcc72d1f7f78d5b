//! A trail as a story: who did what, where it is written, what it changed, and
//! how it ends.

use beeline_engine::automata::{Action, Edge, EdgeId, Options};
use beeline_engine::interpreter::{Machine, Move, Now};
use beeline_engine::trail::{Replay, TrailError, TrailFile};
use beeline_kernel::FaultKind;
use beeline_promela::hir::Model;
use beeline_promela::source::Span;

use crate::names::Scene;
use crate::view::{Change, View};
use crate::witness::Wrong;

/// A trail, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happens.
    pub steps: Vec<Told>,
    /// How it ends.
    pub end: End,
    /// The step with which the cycle begins, if the trail is a lasso.
    pub cycle_start: Option<usize>,
}

/// What one process does in a step.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Where the statement stands.
    pub span: Span,
    /// The statement, and those that were merged with it.
    pub statement: String,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Told {
    /// Who moves.
    pub turn: Turn,
    /// Who receives, in a rendezvous.
    pub partner: Option<Turn>,
    /// What is different afterwards.
    pub changes: Vec<Change>,
    /// What went wrong in this step.
    pub fault: Option<FaultKind>,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct End {
    /// What is wrong with it, if anything is.
    pub wrong: Option<Wrong>,
    /// More about it, in words: the assertion with its values.
    pub detail: Option<String>,
    /// Where the processes are.
    pub processes: Vec<Resting>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

/// Where a process is at the end.
#[derive(Clone, Debug)]
pub struct Resting {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// The place of the first statement it could do next.
    pub span: Option<Span>,
    /// The statements it could do next.
    pub statements: Vec<String>,
    /// It may rest there.
    pub at_end: bool,
}

/// Executes a trail and tells what happens.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell(model: &Model, trail: &TrailFile) -> Result<Story, TrailError> {
    let options = if trail.merged { Options::OPTIMISED } else { Options::PLAIN };
    let machine = Machine::new(model, options);
    let teller = Teller { model, view: View::new(model), machine: &machine };
    match machine.initial() {
        Ok(initial) => Ok(teller.tell(&initial, &execute(&machine, trail)?, trail.cycle_start)),
        Err(kind) if trail.lines.is_empty() => Ok(stillborn(kind)),
        Err(_) => Err(TrailError::Impossible { step: 1, line: trail.lines[0] }),
    }
}

/// Executes a trail. When an event does not fit a trace assertion, `pan` writes
/// the line of that step twice: then the second one is left out.
fn execute(machine: &Machine<'_>, trail: &TrailFile) -> Result<Replay, TrailError> {
    let replayed = machine.replay(trail);
    if replayed.is_err()
        && let [before @ .., last] = &trail.lines[..]
        && before.last() == Some(last)
        && let Ok(shorter) = machine.replay(&TrailFile { lines: before.to_vec(), ..trail.clone() })
        && shorter.moves.last().is_some_and(|step| step.fault == Some(FaultKind::Trace))
    {
        return Ok(shorter);
    }
    replayed
}

/// The story of a model that fails before its first step.
fn stillborn(kind: FaultKind) -> Story {
    let wrong = Some(Wrong::Fault(kind));
    let detail = Some("in the initial value of a variable".to_owned());
    let end = End { wrong, detail, processes: Vec::new(), values: Vec::new() };
    Story { steps: Vec::new(), end, cycle_start: None }
}

struct Teller<'m> {
    model: &'m Model,
    view: View<'m>,
    machine: &'m Machine<'m>,
}

impl Teller<'_> {
    fn tell(&self, initial: &Now, replay: &Replay, cycle_line: Option<usize>) -> Story {
        let mut steps = Vec::new();
        let mut now = initial;
        let mut detail = None;
        let (mut lines, mut cycle_start) = (0, None);
        for step in &replay.moves {
            if cycle_line == Some(lines) {
                cycle_start = Some(steps.len());
            }
            lines += 1 + usize::from(step.partner.is_some());
            detail = step.fault.and_then(|_| self.detail(now, step));
            steps.push(self.step(now, step));
            now = &step.next;
        }
        let last = replay.moves.last();
        let wrong = match (last.and_then(|last| last.fault), replay.fault) {
            (Some(kind), _) => Some(Wrong::Fault(kind)),
            (None, _) if replay.deadlock => Some(Wrong::InvalidEnd),
            // SPIN notices some faults only later, and goes on behind others.
            (None, Some((step, kind))) => {
                detail = Some(format!("in step {step}"));
                Some(Wrong::Fault(kind))
            }
            (None, None) => None,
        };
        // After a fault that nothing survives, the state before it is the last.
        let dead = last.and_then(|last| last.fault).is_some_and(|fault| !fault.is_survivable());
        let before = replay.moves.len().checked_sub(2).map_or(initial, |at| &replay.moves[at].next);
        let end = if dead { before } else { &replay.end };
        let end = End {
            wrong,
            detail,
            processes: (0..end.process_count()).map(|pid| self.resting(end, pid)).collect(),
            values: self.view.all(&end.bytes),
        };
        Story { steps, end, cycle_start }
    }

    fn step(&self, now: &Now, step: &Move) -> Told {
        let dead = step.fault.is_some_and(|fault| !fault.is_survivable());
        Told {
            turn: self.turn(now, step.pid, step.edge),
            partner: step.partner.map(|(pid, edge)| self.turn(now, pid, edge)),
            changes: if dead {
                Vec::new()
            } else {
                self.view.changes(&now.bytes, &step.next.bytes)
            },
            fault: step.fault,
        }
    }

    fn edge(&self, now: &Now, pid: usize, id: EdgeId) -> &Edge {
        let edges = self.machine.automaton(now.process(pid)).edges_from(now.location(pid));
        edges.iter().find(|edge| edge.id == id).expect("the move was made with this edge")
    }

    fn turn(&self, now: &Now, pid: usize, id: EdgeId) -> Turn {
        let process = self.model.process(now.process(pid));
        let edge = self.edge(now, pid, id);
        Turn {
            pid,
            process: process.name.name.to_string(),
            span: edge.steps[0].span,
            statement: self.text(edge, now, pid),
        }
    }

    fn text(&self, edge: &Edge, now: &Now, pid: usize) -> String {
        let process = self.model.process(now.process(pid));
        let texts = edge.steps.iter().map(|step| step.action.text(self.model, process));
        texts.collect::<Vec<_>>().join("; ")
    }

    /// The assertion that failed, with the values it looked at. Statements that
    /// are merged before it may have changed them, so only one that comes first
    /// shows values.
    fn detail(&self, now: &Now, step: &Move) -> Option<String> {
        let edge = self.edge(now, step.pid, step.edge);
        let process = self.model.process(now.process(step.pid));
        let assertions = edge.steps.iter().enumerate();
        let (at, condition) = assertions
            .filter_map(|(at, part)| match &part.action {
                Action::Assert(condition) => Some((at, condition)),
                _ => None,
            })
            .next()?;
        let text = edge.steps[at].action.text(self.model, process);
        let (bytes, pid) = (&now.bytes, step.pid);
        let scene = Scene { model: self.model, view: &self.view, process, bytes, pid };
        let values = if at == 0 { scene.values(condition) } else { String::new() };
        Some(if values.is_empty() { text } else { format!("{text} with {values}") })
    }

    fn resting(&self, now: &Now, pid: usize) -> Resting {
        let process = now.process(pid);
        let automaton = self.machine.automaton(process);
        let location = now.location(pid);
        let edges = automaton.edges_from(location);
        Resting {
            pid,
            process: self.model.process(process).name.name.to_string(),
            span: edges.first().map(|edge| edge.steps[0].span),
            statements: edges.iter().map(|edge| self.text(edge, now, pid)).collect(),
            at_end: automaton.marks[location.0 as usize].end,
        }
    }
}
