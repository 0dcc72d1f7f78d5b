//! Static creations: the processes that are started in the same order in every run, because the
//! process that starts them depends on no other process.

use std::collections::{BTreeSet, HashSet};

use beeline_engine::automata::{Automaton, DStep, Edge, EdgeAction, EdgeId, Location};
use beeline_engine::constants::ConstantVariables;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::DeclaredValue::{List, Value};
use beeline_promela::hir::{Expr, ProcessId, RecvArg, Root};

use super::starts::started;
use crate::stability::is_stable;

/// Upper bound on the followed steps.
const LONGEST: usize = 20_000;

/// A process that is started.
pub(crate) struct StaticCreation {
    pub(crate) edge: EdgeId,
    /// The statement of the edge that starts it.
    pub(crate) place: Location,
    /// Its number, if no other process moves.
    pub(crate) pid: usize,
    /// The variables of the spawner before; none after another start of the same edge.
    pub(crate) when: Option<Vec<i32>>,
    /// Whether its arguments are the same in every run.
    pub(crate) is_static: bool,
    /// The state afterwards, if no other process moves.
    pub(crate) after: DecodedState,
}

/// The processes that one process starts.
pub(crate) struct StaticCreations {
    /// Its number.
    pub(crate) spawner: usize,
    pub(crate) creations: Vec<StaticCreation>,
    /// The edges that may start more processes.
    pub(crate) beyond: BTreeSet<EdgeId>,
    /// Whether other processes may move before the last one is started.
    pub(crate) is_exposed: bool,
}

impl StaticCreations {
    /// Follows the first process that starts others, from the initial state.
    pub(crate) fn of(machine: &Machine<'_>, start: &DecodedState) -> StaticCreations {
        let starts = |pid: &usize| {
            let automaton = machine.automaton(start.process(*pid));
            automaton.edges.iter().any(|edge| !started(edge).is_empty())
        };
        let Some(spawner) = (0..start.process_count()).find(starts) else {
            return StaticCreations {
                spawner: 0,
                creations: Vec::new(),
                beyond: BTreeSet::new(),
                is_exposed: false,
            };
        };
        let process = start.process(spawner);
        let automaton = machine.automaton(process);
        let spawned = Spawner { machine, pid: spawner, process, automaton };
        let names = &machine.names().locals[process.index()];
        let mut now = start.clone();
        let mut creations: Vec<StaticCreation> = Vec::new();
        let (mut exposed, mut is_exposed) = (start.process_count() > 1, false);
        for _ in 0..LONGEST {
            let Some((edge, next)) = spawned.only_step(&now) else { break };
            let starts = started(edge);
            let first = now.process_count();
            if next.process_count() != first + starts.len() {
                break;
            }
            is_exposed |= exposed && !starts.is_empty();
            let is_static =
                starts.iter().flat_map(|start| &start.args).all(|arg| spawned.is_known(arg));
            for (number, start) in starts.into_iter().enumerate() {
                let own = || names.iter().map(|slot| slot.kept(&now, spawner)).collect();
                creations.push(StaticCreation {
                    edge: edge.id,
                    place: start.place,
                    pid: first + number,
                    when: (number == 0).then(own),
                    is_static,
                    after: next.clone(),
                });
            }
            // A process that is alone cannot be interleaved with others.
            exposed |= !edge.hold.atomic && next.process_count() > 1;
            now = next;
        }
        let rest = behind(automaton, now.location(spawner));
        let mut beyond: BTreeSet<EdgeId> =
            rest.into_iter().filter(|edge| !started(edge).is_empty()).map(|edge| edge.id).collect();
        for inside in &automaton.d_steps {
            if inside.edges.iter().any(|edge| !started(edge).is_empty()) {
                beyond.insert(inside.edge);
            }
        }
        StaticCreations { spawner, creations, beyond, is_exposed }
    }
}

/// The process that starts others.
struct Spawner<'a> {
    machine: &'a Machine<'a>,
    pid: usize,
    process: ProcessId,
    automaton: &'a Automaton,
}

impl<'a> Spawner<'a> {
    /// Whether an expression has the same value in every run.
    fn is_known(&self, expr: &Expr) -> bool {
        is_stable(self.machine.constants(), self.process, expr, true)
    }

    /// The edge that it takes next in every run, and the state after it. `None` if other
    /// processes can influence it, or if it starts no more processes.
    fn only_step(&self, now: &DecodedState) -> Option<(&'a Edge, DecodedState)> {
        let location = now.location(self.pid);
        if !behind(self.automaton, location).iter().any(|edge| !started(edge).is_empty()) {
            return None;
        }
        let moves = self.machine.steps_of(now, self.pid);
        let [only] = moves.as_slice() else { return None };
        let edges = self.automaton.edges_from(location);
        let edge = edges.iter().find(|edge| edge.id == only.edge)?;
        let is_chosen = |edge: &Edge| match &edge.steps[0].action {
            EdgeAction::Guard(condition) => self.is_known(condition),
            EdgeAction::Else => true,
            _ => false,
        };
        let goes_on = only.partner.is_none()
            && only.fault.is_none()
            && self.is_independent(edge)
            && (edges.len() == 1 || edges.iter().all(is_chosen));
        goes_on.then(|| (edge, only.next.clone()))
    }

    /// Whether an edge, with the inside of its `d_step`, depends on no other process.
    fn is_independent(&self, edge: &Edge) -> bool {
        let constants = self.machine.constants();
        let inside = self.automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
        is_static(edge, self.process, constants)
            && inside.is_none_or(|inside| is_straight(inside, self.process, constants))
    }
}

/// Whether a `d_step` has a single path, which starts no process and is static.
fn is_straight(inside: &DStep, process: ProcessId, constants: &ConstantVariables) -> bool {
    let mut places = HashSet::new();
    inside.edges.iter().all(|edge| {
        let nests = edge.steps.iter().any(|step| matches!(step.action, EdgeAction::DStep));
        places.insert(edge.from)
            && !nests
            && started(edge).is_empty()
            && is_static(edge, process, constants)
    })
}

/// Whether an edge leaves the same values in the spawner's variables in every run. For a `d_step`,
/// the inside has to be tested as well.
fn is_static(edge: &Edge, process: ProcessId, constants: &ConstantVariables) -> bool {
    edge.steps.iter().all(|step| match &step.action {
        EdgeAction::Assign { target, value } => {
            !matches!(target.root, Root::Local(_))
                || !started(edge).is_empty()
                || is_stable(constants, process, value, true)
        }
        EdgeAction::Declare { value, .. } => match value {
            None => true,
            Some(Value(value)) => is_stable(constants, process, value, true),
            Some(List(all)) => all.iter().all(|value| is_stable(constants, process, value, true)),
        },
        EdgeAction::Receive { args, .. } => !args
            .iter()
            .any(|arg| matches!(arg, RecvArg::Store(to) if matches!(to.root, Root::Local(_)))),
        EdgeAction::End => false,
        _ => true,
    })
}

/// The edges that can be reached from a location.
fn behind(automaton: &Automaton, location: Location) -> Vec<&Edge> {
    let mut seen = HashSet::from([location]);
    let mut waiting = vec![location];
    let mut found = Vec::new();
    while let Some(location) = waiting.pop() {
        for edge in automaton.edges_from(location) {
            found.push(edge);
            if seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    found
}
