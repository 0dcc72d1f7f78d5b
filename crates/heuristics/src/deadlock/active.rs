//! Active processes: the number of processes that can move. It is zero in a deadlock.
//!
//! Source: h2 of [ELL00] §3.5 as the paper defines it, H_a of [EMJ05] (Heuristics).
//! `active_2000.rs` has the count of the first implementation.
//! Deviation: none; `init` is not counted, as in the published tables. Both sides of a rendezvous
//! count; processes that can move by `timeout` only count if no other process can move.
//! Claims: safe, since it has no dead ends. The paper calls it a lower bound without rendezvous;
//! but a single assignment can block any number of processes.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};
use beeline_promela::hir::ProcessId;

use crate::enabledness::EnablednessTest;
use crate::goal::GoalKind;
use crate::incremental::current_state::CurrentState;
use crate::incremental::dependencies::Dependencies;
use crate::incremental::process_sum::{ProcessSum, ProcessTerm, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow};
use crate::static_facts::blocking::{counts, first_actions};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "active",
    aliases: &["h2", "ha"],
    arguments: &[],
    about: "number of processes that can move",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5, [EMJ05] Heuristics"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Active::new(of.machine))),
    },
};

/// The number of active processes.
#[derive(Clone)]
pub struct Active<'a>(ProcessSum<'a, Activity>);

#[derive(Clone)]
struct Activity {
    /// By process type.
    counts: Vec<bool>,
    ready: EnablednessTest,
    /// By process type and location: dependencies of the test.
    reads: Vec<Vec<Dependencies>>,
}

impl<'a> Active<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        let types = || (0..machine.model().processes.len() as u32).map(ProcessId);
        let ready = EnablednessTest::new(machine, |process| counts(machine, process));
        let part = Activity {
            counts: types().map(|process| counts(machine, process)).collect(),
            reads: types().map(|process| all_reads(machine, process, &ready)).collect(),
            ready,
        };
        Active(ProcessSum::new(machine, part))
    }

    /// The processes that can move by `timeout` only.
    fn after_timeout(&mut self, state: &[u8]) -> u64 {
        self.0.look_at(state);
        let CurrentState { machine, now, .. } = &self.0.opened;
        let counts = |pid: &usize| self.0.part.counts[now.process(*pid).index()];
        let moves = |pid: &usize| machine.is_enabled(now, *pid, true);
        (0..now.process_count()).filter(counts).filter(moves).count() as u64
    }
}

fn all_reads(
    machine: &Machine<'_>,
    process: ProcessId,
    ready: &EnablednessTest,
) -> Vec<Dependencies> {
    let automaton = machine.automaton(process);
    let mut all = vec![Dependencies::default(); automaton.marks.len()];
    for edge in &automaton.edges {
        let reads = &mut all[edge.from.0 as usize];
        first_actions(automaton, edge).for_each(|action| reads.add_action(machine, action));
    }
    for reads in &mut all {
        reads.anything |= machine.has_priorities();
        if let Some(provided) = &machine.model().process(process).provided {
            reads.add(provided);
        }
    }
    // A constant test has no dependencies.
    let is_fixed = |at: &usize| ready.is_fixed(process.index(), *at);
    (0..all.len()).filter(is_fixed).for_each(|at| all[at] = Dependencies::default());
    all
}

impl ProcessTerm for Activity {
    fn expect(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        self.ready.expect(machine, now);
    }

    fn part(&mut self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> u64 {
        u64::from(self.ready.is_active(machine, now, pid))
    }

    fn sum_from_bytes(&mut self, machine: &Machine<'_>, state: &[u8]) -> Option<u64> {
        self.ready.count_from_bytes(machine, state)
    }

    fn sum(&mut self, machine: &Machine<'_>, now: &DecodedState) -> u64 {
        self.ready.count(machine, now)
    }

    fn reads(&self, process: usize, location: usize) -> &Dependencies {
        &self.reads[process][location]
    }
}

impl Heuristic for Active<'_> {
    fn name(&self) -> &str {
        "active"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let total = self.0.total(state);
        estimate(if total == 0 { self.after_timeout(state) } else { total })
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        let mut totals = std::mem::take(found);
        totals.clear();
        let mut any_stuck = false;
        self.0.totals(state, successors, |_, total| {
            any_stuck |= total == 0;
            totals.push(estimate(total));
        });
        if any_stuck {
            for (successor, total) in successors.states().zip(&mut totals) {
                if *total == estimate(0) {
                    *total = self.estimate(successor);
                }
            }
        }
        *found = totals;
    }
}
