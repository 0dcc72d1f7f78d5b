//! FSM distance to a state: the sum over processes of the distance, in the process automaton, to
//! the location of the process in the target state.
//!
//! Source: [ELL01] §4.2; "FSM Distance Heuristic" in [EMJ05] (Heuristics).
//! Deviation: with dynamic processes, a process that is absent in the target runs to its end; a
//! process that is not created yet starts at its first location; a process at another location may
//! also end and be created again if some edge runs its type. Maximum and half of the sum are
//! offered as well.
//! Claims, for this target state: safe; maximum and half of the sum are admissible and consistent,
//! the sum only without rendezvous, since a rendezvous moves two processes.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};
use beeline_promela::hir::ProcessId;

use crate::combine::aggregation::{Aggregation, COMBINE, COMBINES};
use crate::distance::assertion_distance::{all_edges, started};
use crate::goal::{GoalKind, HeuristicGoal};
use crate::incremental::dependencies::Dependencies;
use crate::incremental::process_sum::{FAR, ProcessSum, ProcessTerm, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow};
use crate::static_facts::automaton_distance::{UNREACHABLE, distances_to};
use beeline_analysis::blocking::has_rendezvous;

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "fsm-state",
    aliases: &["hm"],
    arguments: &[COMBINE],
    about: "steps of the processes to their locations in a known state",
    promises: Some(
        "safe; `half` and `max` admissible and consistent, `sum` only without rendezvous",
    ),
    source: Some("[ELL01] §4.2"),
    build: HeuristicBuilder {
        goals: &[GoalKind::State],
        build: |of| match of.goal {
            HeuristicGoal::State(target) => Ok(Box::new(FsmState::new(
                of.machine,
                target,
                of.arguments.choice("combine", COMBINES)?,
            ))),
            _ => Err(of.wrong_goal()),
        },
    },
};

/// The distance of all processes to their locations in the target state.
#[derive(Clone)]
pub struct FsmState<'a> {
    processes: ProcessSum<'a, ToTarget>,
    combine: Aggregation,
}

#[derive(Clone)]
struct ToTarget {
    /// By process number: type in the target, distance of its location from each location, and
    /// distance from its creation.
    targets: Vec<(ProcessId, Vec<u32>, u64)>,
    /// By process type and location: steps until the process has ended.
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
            // The end of a process is a step.
            distances.into_iter().map(|distance| finite(distance) + 1).collect()
        });
        ToTarget {
            targets: targets.collect(),
            gone: gone.collect(),
            nothing: Dependencies::default(),
        }
    }

    /// The terms of processes that are not created yet.
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

    /// Adds the terms of absent processes and aggregates.
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
