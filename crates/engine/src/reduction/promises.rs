//! Whether `xr` and `xs` can be broken at all, with the processes that there are.
//!
//! Which channels processes use mostly depends on a few variables, which hardly ever change. So as
//! long as they do not, and nobody starts or ends, no step need be watched. Where that cannot be
//! told, each step must be.

use std::collections::HashMap;
use std::ops::Range;

use beeline_promela::hir::{Process, ProcessId, RecvArg, Root, Type};

use super::constants::Constants;
use super::visible::started;
use crate::automata::{Action, Automaton, Edge, Location};
use crate::frame::Record;
use crate::interpreter::{Machine, each_use};

/// Tells for whole states whether a step out of them may break a promise.
pub struct Promises<'a> {
    machine: &'a Machine<'a>,
    constants: Constants,
    /// By process type: the bytes of its variables that hold channels.
    channels: Vec<Vec<Range<usize>>>,
    /// By process type and location: a step may change who is there, or who holds which channel,
    /// and then go on.
    changing: Vec<Vec<bool>>,
    /// Who was there, and whether that is fine.
    known: HashMap<Box<[u8]>, bool>,
    last: (Vec<u8>, bool),
    key: Vec<u8>,
}

impl<'a> Promises<'a> {
    /// For a machine; `None` when nobody promises anything.
    pub fn of(machine: &'a Machine<'a>) -> Option<Self> {
        if !machine.has_exclusives() {
            return None;
        }
        let constants = Constants::of(machine);
        let model = machine.model();
        let ids = (0..model.processes.len()).map(|at| ProcessId(at as u32));
        let channels = ids.clone().map(|id| {
            let locals = model.process(id).locals.iter().enumerate();
            let channels = locals.filter(|(_, local)| local.ty == Type::Chan);
            channels.map(|(local, _)| machine.layout().local(id, local)).collect()
        });
        let channels = channels.collect();
        let changing = ids.map(|id| {
            let automaton = machine.automaton(id);
            let changes = |edge: &Edge| {
                started(automaton, edge).next().is_some() || {
                    let mut actions = actions(automaton, edge);
                    actions.any(|action| sets_channel(model.process(id), action))
                }
            };
            let locations = (0..automaton.marks.len()).map(|at| Location(at as u32));
            locations.map(|from| may_change(automaton, from, changes)).collect()
        });
        let changing = changing.collect();
        let (known, last, key) = (HashMap::new(), (Vec::new(), false), Vec::new());
        Some(Promises { machine, constants, channels, changing, known, last, key })
    }

    /// Whether no step out of a state can break a promise.
    pub fn are_kept(&mut self, state: &[u8]) -> bool {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let is_fine = self.note(state, &mut key) && self.are_kept_by(state, &key);
        self.key = key;
        is_fine
    }

    /// Notes who is there, with which channels. Whether nothing of that changes in passing.
    fn note(&self, state: &[u8], key: &mut Vec<u8>) -> bool {
        let layout = self.machine.layout();
        let mut at = layout.fixed;
        while at < state.len() {
            match layout.frame.record(state, at) {
                Record::Process(process) => {
                    let location = layout.frame.location(state, at);
                    if self.changing[process][location as usize] {
                        return false;
                    }
                    key.extend_from_slice(&(process as u16).to_le_bytes());
                    for bytes in &self.channels[process] {
                        key.extend_from_slice(&state[at..][bytes.clone()]);
                    }
                    at += layout.processes[process].size;
                }
                Record::Channel(declaration) => {
                    key.extend_from_slice(&(declaration as u16 | 1 << 15).to_le_bytes());
                    at += layout.channel_size(declaration);
                }
            }
        }
        true
    }

    fn are_kept_by(&mut self, state: &[u8], key: &[u8]) -> bool {
        if self.last.0 != key {
            let is_fine = match self.known.get(key) {
                Some(&is_fine) => is_fine,
                None => {
                    let is_fine = self.look(state);
                    self.known.insert(key.into(), is_fine);
                    is_fine
                }
            };
            self.last = (key.to_vec(), is_fine);
        }
        self.last.1
    }

    /// Looks at all that the processes of a state might do.
    fn look(&self, state: &[u8]) -> bool {
        let now = self.machine.open(state);
        let promises = &self.machine.model().exclusives;
        promises.iter().all(|one| self.constants.keep_channel(one.process, &one.channel))
            && (0..now.process_count()).all(|pid| {
                let process = now.process(pid);
                let automaton = self.machine.automaton(process);
                let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
                let mut steps = automaton.edges.iter().chain(inside).flat_map(|edge| &edge.steps);
                steps.all(|step| {
                    let mut is_fine = self.machine.intrusion(&step.action, &now, pid).is_none();
                    each_use(&step.action, &mut |access, _| {
                        is_fine &= self.constants.keep_channel(process, access);
                    });
                    is_fine
                })
            })
    }
}

/// All actions of an edge, and inside of its `d_step`.
fn actions<'a>(automaton: &'a Automaton, edge: &'a Edge) -> impl Iterator<Item = &'a Action> {
    let inside = automaton.d_steps.iter().filter(|inside| inside.edge == edge.id);
    let edges = std::iter::once(edge).chain(inside.flat_map(|inside| &inside.edges));
    edges.flat_map(|edge| &edge.steps).map(|step| &step.action)
}

/// Whether an action sets a variable of a process that holds a channel.
fn sets_channel(process: &Process, action: &Action) -> bool {
    let holds = |root: Root| match root {
        Root::Local(id) => process.locals[id.index()].ty == Type::Chan,
        _ => false,
    };
    match action {
        Action::Assign { target, .. } => holds(target.root),
        Action::Declare { var, .. } => holds(Root::Local(*var)),
        Action::Receive { args, .. } => {
            args.iter().any(|arg| matches!(arg, RecvArg::Store(target) if holds(target.root)))
        }
        _ => false,
    }
}

/// Whether, from a location on, more may happen at once than such a change alone.
fn may_change(automaton: &Automaton, from: Location, changes: impl Fn(&Edge) -> bool) -> bool {
    let mut seen = vec![false; automaton.marks.len()];
    let mut waiting = vec![from];
    let goes_on = |edge: &Edge| {
        let is_d_step = automaton.d_steps.iter().any(|inside| inside.edge == edge.id);
        edge.hold.atomic || edge.steps.len() > 1 || is_d_step
    };
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[at.0 as usize], true) {
            continue;
        }
        for edge in automaton.edges_from(at) {
            if goes_on(edge) && changes(edge) {
                return true;
            }
            if edge.hold.atomic {
                waiting.push(edge.to);
            }
        }
    }
    false
}
