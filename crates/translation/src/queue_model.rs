//! Systems of processes that only send to and receive from channels: what the encoding with processes,
//! queues and transitions as objects can express.
//!
//! An operator is understood by what it does: it is executed on all values of its channel. So the
//! system is known, not the language.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use beeline_factored::{FactorId, FactorKind, Ranges, System};

use crate::cases::{Cases, Known};
use crate::checks::{StepBuilder, location, locations, target};
use crate::evaluate::PartialRun;
use crate::names::word;
use crate::reach::{MOST_WORK, reachable_values};
use crate::unfit::Unfit;

/// The direction of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// A transition of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueueTransition {
    /// The operator.
    pub(crate) operator: u32,
    pub(crate) name: String,
    /// The queue, by position.
    pub(crate) queue: usize,
    pub(crate) direction: Direction,
    pub(crate) from: i32,
    pub(crate) to: i32,
    /// The message that is written, or those that can be read.
    pub(crate) messages: Vec<i32>,
}

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct QueueProcess {
    pub(crate) name: String,
    /// Processes of one type have the same transitions, on other queues.
    pub(crate) kind: String,
    pub(crate) start: i32,
    pub(crate) transitions: Vec<QueueTransition>,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    length: FactorId,
    pub(crate) name: String,
    pub(crate) capacity: u32,
}

/// A system of processes that communicate by channels.
#[derive(Clone, Debug)]
pub struct QueueModel {
    pub(crate) processes: Vec<QueueProcess>,
    pub(crate) queues: Vec<Queue>,
}

/// Why a system is not of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueMisfit {
    /// An operator does something else.
    Operator {
        /// The operator.
        operator: String,
        /// What it does.
        why: String,
    },
    /// No process has an executable statement.
    Nothing,
    /// There are ends that are valid, which the goal cannot tell from others.
    ValidEnds,
    /// The system has too many values.
    Unfit(Unfit),
}

impl fmt::Display for QueueMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueueMisfit::Operator { operator, why } => write!(
                f,
                "the encoding ipc4 has statements on buffered channels with one field only, and \
                 `{operator}` {why}"
            ),
            QueueMisfit::Nothing => f.write_str("no process has an executable statement"),
            QueueMisfit::ValidEnds => f.write_str(
                "the encoding ipc4 has no valid ends: the goal is that all processes are blocked",
            ),
            QueueMisfit::Unfit(why) => why.fmt(f),
        }
    }
}

impl Error for QueueMisfit {}

impl QueueModel {
    /// Understands a system.
    ///
    /// # Errors
    ///
    /// When it does anything but sending and receiving.
    pub fn new(system: &System, ranges: &Ranges) -> Result<QueueModel, QueueMisfit> {
        let builder = StepBuilder::new(system);
        let mut initial = system.initial.clone();
        initial.resize(builder.extra.variables(), 0);
        let steps = builder.operators(&[]);
        let values =
            reachable_values(system, ranges, initial, &steps).map_err(QueueMisfit::Unfit)?;
        let locations = locations(system);
        let mut made = QueueModel { processes: Vec::new(), queues: Vec::new() };
        let mut by_process: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, step) in (0..).zip(&system.steps) {
            by_process.entry(step.label.process).or_default().push(at);
        }
        for (process, operators) in by_process {
            let first = &system.steps[operators[0] as usize].name;
            let kind = first.split('[').next().unwrap_or_default();
            let Some(&location) = locations.get(&process) else {
                return Err(misfit(system, operators[0], "is in no location".to_owned()));
            };
            let mut transitions: Vec<QueueTransition> = Vec::new();
            for operator in operators {
                let mut found = made.transition(system, &values, location, operator)?;
                let edge = system.steps[operator as usize].label.edge;
                let alike = transitions
                    .iter()
                    .filter(|one| system.steps[one.operator as usize].label.edge == edge)
                    .count();
                found.name = format!("e{edge}-{alike}");
                transitions.push(found);
            }
            let name = format!("p{process}-{}", word(kind));
            let start = system.initial[location.index()];
            made.processes.push(QueueProcess { name, kind: word(kind), start, transitions });
        }
        if made.processes.is_empty() {
            return Err(QueueMisfit::Nothing);
        }
        made.name_types();
        made.refuse_valid_ends(system, &values)?;
        Ok(made)
    }

    /// Makes processes with different transitions different types, and names transitions after
    /// their types.
    fn name_types(&mut self) {
        type Signature = Vec<(String, Direction, i32, i32, Vec<i32>)>;
        let mut known: Vec<(String, Signature)> = Vec::new();
        for process in &mut self.processes {
            let signature: Signature = process
                .transitions
                .iter()
                .map(|one| {
                    (one.name.clone(), one.direction, one.from, one.to, one.messages.clone())
                })
                .collect();
            let alike = known.iter().filter(|(kind, _)| *kind == process.kind).count();
            let same = known
                .iter()
                .filter(|(kind, _)| *kind == process.kind)
                .position(|(_, known)| *known == signature);
            let number = same.unwrap_or(alike);
            if same.is_none() {
                known.push((process.kind.clone(), signature));
            }
            if number > 0 {
                process.kind = format!("{}-{}", process.kind, number + 1);
            }
            for transition in &mut process.transitions {
                transition.name = format!("{}-{}", process.kind, transition.name);
            }
        }
    }

    /// The transition of an operator.
    fn transition(
        &mut self,
        system: &System,
        values: &[Vec<i32>],
        place: FactorId,
        at: u32,
    ) -> Result<QueueTransition, QueueMisfit> {
        let operator = &system.steps[at as usize];
        let refuse = |why: &str| misfit(system, at, why.to_owned());
        if operator.fails.is_some() {
            return Err(refuse("may fail"));
        }
        if operator.partner.is_some() {
            return Err(refuse("is a rendezvous"));
        }
        if operator.holds.is_some() {
            return Err(refuse("is in an atomic sequence"));
        }
        if operator.shut_out_by.is_some() {
            return Err(refuse("depends on other statements"));
        }
        let (Some(from), Some(to)) = (location(operator, place), target(operator, place)) else {
            return Err(refuse("has no fixed locations"));
        };
        let mut known: Known = vec![None; values.len()];
        known[place.index()] = Some(from);
        let mut whole = PartialRun::new(&known);
        let _ = whole.execute(operator);
        let targets = whole.targets();
        let is_length = |factor: &&FactorId| system.factor(**factor).kind == FactorKind::Length;
        let lengths: Vec<FactorId> = targets.iter().filter(is_length).copied().collect();
        let [length] = lengths[..] else {
            return Err(refuse("does not use exactly one buffered channel"));
        };
        let slots = slots(system, length)
            .ok_or_else(|| refuse("uses a channel with several fields, or without a buffer"))?;
        let is_own = |one: &FactorId| *one == place || *one == length || slots.contains(one);
        if let Some(other) = targets.iter().find(|one| !is_own(one)) {
            let name = &system.factor(*other).name;
            return Err(misfit(system, at, format!("assigns `{name}`")));
        }
        let mut outcome = Outcome { direction: None, messages: Vec::new() };
        let mut why: Option<String> = None;
        let mut left = MOST_WORK;
        // All values of the channel before and after the operator.
        let mut run = |known: &Known| {
            let mut run = PartialRun::new(known);
            if !run.execute(operator)? {
                return Ok(None);
            }
            let before = PartialRun::new(known);
            let read = |of: &PartialRun<'_>| -> Result<Vec<Option<i32>>, _> {
                std::iter::once(&length).chain(&slots).map(|&one| of.last(one)).collect()
            };
            Ok(Some((read(&before)?, read(&run)?)))
        };
        let mut tell = |_: &Known, asked: &[FactorId], (before, after): (Vec<_>, Vec<_>)| {
            let other = asked.iter().find(|one| !is_own(one));
            let fits = outcome.add(&before, &after);
            if let Some(other) = other {
                why = Some(format!("depends on `{}`", system.factor(*other).name));
            } else if !fits {
                why = Some("is neither a plain send nor a plain receive".to_owned());
            }
            match why {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        };
        let done = Cases { values, left: &mut left }.each(&mut known, &mut run, &mut tell);
        if done.is_err() {
            return Err(refuse("has too many cases"));
        }
        if let Some(why) = why {
            return Err(misfit(system, at, why));
        }
        let Some(direction) = outcome.direction else {
            return Err(refuse("is never executable"));
        };
        if direction == Direction::Write && outcome.messages.len() > 1 {
            return Err(refuse("sends different messages"));
        }
        outcome.messages.sort_unstable();
        let queue = self.queue(system, length, slots.len() as u32);
        let (name, messages) = (String::new(), outcome.messages);
        Ok(QueueTransition { operator: at, name, queue, direction, from, to, messages })
    }

    fn queue(&mut self, system: &System, length: FactorId, capacity: u32) -> usize {
        let known = self.queues.iter().position(|queue| queue.length == length);
        known.unwrap_or_else(|| {
            let name = word(system.factor(length).name.trim_start_matches("len"));
            self.queues.push(Queue { length, name: format!("q-{name}"), capacity });
            self.queues.len() - 1
        })
    }

    /// Refuses systems in which a state may be a valid end.
    fn refuse_valid_ends(&self, system: &System, values: &[Vec<i32>]) -> Result<(), QueueMisfit> {
        let Some(valid) = &system.valid_end else { return Ok(()) };
        let mut left = MOST_WORK;
        let mut is_valid = false;
        let done = Cases { values, left: &mut left }.each(
            &mut vec![None; values.len()],
            &mut |known| Ok(PartialRun::new(known).holds(valid)?.then_some(())),
            &mut |_, _, ()| {
                is_valid = true;
                ControlFlow::Break(())
            },
        );
        if is_valid || done.is_err() { Err(QueueMisfit::ValidEnds) } else { Ok(()) }
    }
}

/// What an operator does with its channel, over all cases.
struct Outcome {
    direction: Option<Direction>,
    messages: Vec<i32>,
}

impl Outcome {
    /// Adds a case: length and slots before and after. Returns whether it is a send to the end, or
    /// a receive from the front, as in all cases before.
    fn add(&mut self, before: &[Option<i32>], after: &[Option<i32>]) -> bool {
        let (Some(old), Some(new)) = (before[0], after[0]) else { return false };
        let (old_slots, new_slots) = (&before[1..], &after[1..]);
        let direction = match new - old {
            1 => Direction::Write,
            -1 => Direction::Read,
            _ => return false,
        };
        if *self.direction.get_or_insert(direction) != direction {
            return false;
        }
        let kept = old.min(new) as usize;
        let shift = usize::from(direction == Direction::Read);
        if (0..kept).any(|at| new_slots[at] != old_slots[at + shift]) {
            return false;
        }
        let message = match direction {
            Direction::Write => new_slots[kept],
            Direction::Read => old_slots[0],
        };
        let Some(message) = message else { return false };
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
        true
    }
}

/// The slots of a channel with one field.
fn slots(system: &System, length: FactorId) -> Option<Vec<FactorId>> {
    let first = FactorId(length.0 + 1);
    let behind = (first.0..system.factors.len() as u32).map(FactorId);
    let found: Vec<FactorId> =
        behind.take_while(|&one| system.factor(one).kind == FactorKind::Slot).collect();
    let is_single = found.iter().all(|&one| system.factor(one).pool == first);
    (is_single && !found.is_empty()).then_some(found)
}

fn misfit(system: &System, at: u32, why: String) -> QueueMisfit {
    QueueMisfit::Operator { operator: system.steps[at as usize].name.clone(), why }
}
