//! FSM distance to a known state: how far each process is, in its automaton, from its
//! location in that state.
//!
//! Source: [ELL01] §4.2; "FSM Distance Heuristic" in [EMJ05] (Heuristics).
//! Deviation: where processes come and go, one that should not be there goes to its end
//! and ends, one that is not there yet comes from its start; one that should be elsewhere
//! may also end and be started again, if anyone runs its type. The largest distance and
//! half of the sum are offered beside the sum.
//! Claims, for this very state: safe; the largest distance and half of the sum are
//! admissible and consistent, the sum only where there is no rendezvous, by which one
//! step moves two processes.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};
use beeline_promela::hir::ProcessId;

use crate::combine::aggregation::Aggregation;
use crate::distance::assertion_distance::{all_edges, started};
use crate::incremental::dependencies::{Dependencies, has_rendezvous};
use crate::incremental::process_sum::{FAR, ProcessSum, ProcessTerm, estimate};
use crate::static_facts::automaton_distance::{UNREACHABLE, distances_to};

/// The distance of all processes to where they are in a known state.
#[derive(Clone)]
pub struct FsmState<'a> {
    processes: ProcessSum<'a, ToTarget>,
    combine: Aggregation,
}

#[derive(Clone)]
struct ToTarget {
    /// By number: what the process is in the target, how far its location is from each
    /// other, and how far from its start.
    targets: Vec<(ProcessId, Vec<u32>, u64)>,
    /// By type and location: steps until the process is gone.
    gone: Vec<Vec<u64>>,
    nothing: Dependencies,
}

fn finite(distance: u32) -> u64 {
    if distance == UNREACHABLE { FAR } else { u64::from(distance) }
}

impl ToTarget {
    fn new(machine: &Machine<'_>, target: &[u8]) -> Self {
        let now = machine.decode(target);
        let mut startable = vec![false; machine.model().processes.len()];
        for (id, edge) in all_edges(machine) {
            for process in started(machine.automaton(id), edge) {
                startable[process.index()] = true;
            }
        }
        let targets = (0..now.process_count()).map(|pid| {
            let process = now.process(pid);
            let automaton = machine.automaton(process);
            let distances = distances_to(automaton, &[now.location(pid)]);
            let start = finite(distances[automaton.start.0 as usize]);
            let anew = if startable[process.index()] { start } else { FAR };
            (process, distances, anew)
        });
        let types = (0..machine.model().processes.len() as u32).map(ProcessId);
        let gone = types.map(|process| {
            let automaton = machine.automaton(process);
            let distances = distances_to(automaton, &[automaton.end]);
            // The process ends by a step of its own.
            distances.into_iter().map(|distance| finite(distance) + 1).collect()
        });
        ToTarget {
            targets: targets.collect(),
            gone: gone.collect(),
            nothing: Dependencies::default(),
        }
    }

    /// What processes add that are not there yet.
    fn absent(&self, present: usize) -> impl Iterator<Item = u64> {
        self.targets.iter().skip(present).map(|(_, _, anew)| *anew)
    }
}

impl ProcessTerm for ToTarget {
    fn part(&mut self, _: &Machine<'_>, now: &DecodedState, pid: usize) -> u64 {
        let process = now.process(pid);
        let location = now.location(pid).0 as usize;
        let gone = self.gone[process.index()][location];
        match self.targets.get(pid) {
            None => gone,
            Some((wanted, distances, _)) if *wanted == process => {
                finite(distances[location]).min(gone + self.targets[pid].2)
            }
            Some((_, _, anew)) => gone + anew,
        }
    }

    fn reads(&self, _: usize, _: usize) -> &Dependencies {
        &self.nothing
    }
}

impl<'a> FsmState<'a> {
    /// The distance to `target`, a state of the machine.
    pub fn new(machine: &'a Machine<'a>, target: &[u8], combine: Aggregation) -> Self {
        let part = ToTarget::new(machine, target);
        let processes = ProcessSum::new(machine, part);
        FsmState { processes, combine }
    }

    /// The sum over those that are there, and what the others add.
    fn sum(processes: &ProcessSum<'_, ToTarget>, combine: Aggregation, total: u64) -> Estimate {
        let present = processes.opened.now.process_count();
        estimate(combine.of_sum(total + processes.part.absent(present).sum::<u64>()))
    }
}

impl Heuristic for FsmState<'_> {
    fn name(&self) -> &str {
        "fsm-state"
    }

    fn claims(&self) -> Claims {
        let counts =
            self.combine != Aggregation::Sum || !has_rendezvous(self.processes.opened.machine);
        Claims { admissible: counts, consistent: counts, safe: true }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        if self.combine != Aggregation::Max {
            let total = self.processes.total(state);
            return Self::sum(&self.processes, self.combine, total);
        }
        let ProcessSum { opened, part, .. } = &mut self.processes;
        opened.open(state);
        let present = opened.now.process_count();
        let parts = (0..present).map(|pid| part.part(opened.machine, &opened.now, pid)).max();
        estimate(parts.into_iter().chain(part.absent(present)).max().unwrap_or(0))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        if self.combine == Aggregation::Max {
            found.extend(successors.states().map(|successor| self.estimate(successor)));
            return;
        }
        let combine = self.combine;
        let each = |processes: &mut ProcessSum<'_, ToTarget>, total| {
            found.push(Self::sum(processes, combine, total));
        };
        self.processes.totals(state, successors, each);
    }
}
