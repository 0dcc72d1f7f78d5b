//! Upper bounds on the number of processes that a run creates.

use std::collections::BTreeSet;

use beeline_engine::automata::{Automaton, Edge, Location};
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_factored::Interval;
use beeline_promela::hir::{ProcessId, ProcessKind};

use crate::factored::{StaticCreations, started};

/// Bounds on processes by type, and in all.
pub struct InstanceBounds {
    /// By process type; `None` if there is no bound.
    by_type: Vec<Option<u64>>,
    /// By process type: the numbers of the processes, if all exist from the beginning.
    initial: Vec<Option<Interval>>,
    limit: u64,
}

impl InstanceBounds {
    pub(super) fn of(machine: &Machine<'_>, start: &DecodedState) -> InstanceBounds {
        let model = machine.model();
        let count = model.processes.len();
        let ids = || (0..count as u32).map(ProcessId);
        let first: Vec<u64> = ids().map(|id| initial_pids(start, id).count() as u64).collect();
        let creations = Creations::of(machine, start);
        let mut by_type: Vec<Option<u64>> = first.iter().map(|&first| Some(first)).collect();
        // Each round adds one more generation of processes.
        for _ in 0..=count {
            by_type = ids().map(|id| creations.bound(id, first[id.index()], &by_type)).collect();
        }
        // Processes that create each other have no bound.
        let next: Vec<_> =
            ids().map(|id| creations.bound(id, first[id.index()], &by_type)).collect();
        for (bound, next) in by_type.iter_mut().zip(next) {
            *bound = bound.filter(|_| *bound == next);
        }
        let initial = ids().map(|id| {
            let pids = || initial_pids(start, id).map(|pid| pid as i64);
            let is_created = creations.edges.iter().any(|one| one.created == id);
            let (least, greatest) = (pids().min()?, pids().max()?);
            (!is_created).then_some(Interval { least, greatest })
        });
        let initial = initial.collect();
        InstanceBounds { by_type, initial, limit: machine.layout().frame.most_processes as u64 }
    }

    /// The number of processes of a type that a run creates at most, if there is a bound.
    pub fn of_type(&self, id: ProcessId) -> Option<u64> {
        self.by_type[id.index()]
    }

    /// The number of processes that exist at most.
    pub fn total(&self) -> u64 {
        let sum = self.by_type.iter().copied().sum::<Option<u64>>();
        sum.map_or(self.limit, |sum| sum.min(self.limit))
    }

    /// The numbers of the processes of a type.
    pub(super) fn pids(&self, id: ProcessId) -> Interval {
        let any = Interval { least: 0, greatest: (self.total().max(1) - 1) as i64 };
        self.initial[id.index()].unwrap_or(any)
    }
}

fn initial_pids(start: &DecodedState, id: ProcessId) -> impl Iterator<Item = usize> {
    (0..start.process_count()).filter(move |&pid| start.process(pid) == id)
}

/// The `run`s of a model.
struct Creations {
    edges: Vec<CreationEdge>,
    /// The process type whose creations are counted by following its only run, with the counts by
    /// created type.
    followed: Option<(ProcessId, Vec<u64>)>,
}

/// A `run` in a process type.
struct CreationEdge {
    creator: ProcessId,
    created: ProcessId,
    is_repeated: bool,
}

impl Creations {
    fn of(machine: &Machine<'_>, start: &DecodedState) -> Creations {
        let count = machine.model().processes.len();
        let mut edges = Vec::new();
        for creator in (0..count as u32).map(ProcessId) {
            let automaton = machine.automaton(creator);
            if machine.model().process(creator).kind == ProcessKind::Never {
                continue;
            }
            for edge in &automaton.edges {
                let inside = automaton.d_steps.iter().filter(|one| one.edge == edge.id);
                let inner = inside.flat_map(|one| &one.edges).flat_map(started);
                // A `d_step` may have loops.
                let inner = inner.map(|start| (start, true));
                let own = started(edge).into_iter();
                let own = own.map(|start| (start, is_on_cycle(automaton, edge)));
                edges.extend(own.chain(inner).map(|(start, is_repeated)| CreationEdge {
                    creator,
                    created: start.process,
                    is_repeated,
                }));
            }
        }
        Creations { edges, followed: followed(machine, start) }
    }

    /// The number of processes of a type, if each type has at most this many.
    fn bound(&self, id: ProcessId, first: u64, by_type: &[Option<u64>]) -> Option<u64> {
        let mut sum = first;
        if let Some((creator, counts)) = &self.followed
            && by_type[creator.index()] == Some(1)
        {
            sum += counts[id.index()];
        }
        for edge in self.edges.iter().filter(|edge| edge.created == id) {
            let creators = by_type[edge.creator.index()]?;
            let is_followed = |(creator, _): &(ProcessId, _)| *creator == edge.creator;
            if creators == 0 || creators == 1 && self.followed.as_ref().is_some_and(is_followed) {
                continue;
            }
            if edge.is_repeated {
                return None;
            }
            sum = sum.checked_add(creators)?;
        }
        Some(sum)
    }
}

/// The process that starts others in the same order in every run, with the number of processes of
/// each type that it starts.
fn followed(machine: &Machine<'_>, start: &DecodedState) -> Option<(ProcessId, Vec<u64>)> {
    let creations = StaticCreations::of(machine, start);
    if creations.creations.is_empty() || !creations.beyond.is_empty() {
        return None;
    }
    let mut counts = vec![0; machine.model().processes.len()];
    for one in &creations.creations {
        counts[one.after.process(one.pid).index()] += 1;
    }
    Some((start.process(creations.spawner), counts))
}

/// Whether an edge may be taken more than once.
fn is_on_cycle(automaton: &Automaton, edge: &Edge) -> bool {
    let mut seen = BTreeSet::from([edge.to]);
    let mut open: Vec<Location> = vec![edge.to];
    while let Some(location) = open.pop() {
        if location == edge.from {
            return true;
        }
        let next = automaton.edges_from(location).iter().map(|next| next.to);
        open.extend(next.filter(|&next| seen.insert(next)));
    }
    false
}
