//! The deadlock formula: every process is at a location without executable edges. This is its
//! formula-based estimate.
//!
//! Source: "Deadlocks", "Potentially Blocking" and "Formula-Based Estimate" in [EMJ05]
//! (Heuristics): the sum over processes of the minimum, over potentially blocking locations u, of
//! the distance to u plus the dual estimates of the guards at u.
//! Deviations: those of `truth_distance.rs`; `init` counts like the others. A receive of certain
//! messages is one step from being blocked while such a message is first.
//! Claims: safe, since a process without potentially blocking locations can always move. Not
//! admissible, since one step can make many conditions false.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};
use beeline_promela::hir::{Expr, ExprKind, ProcessId, RecvArg};

use crate::formula::truth_distance::{TruthDistance, WantedTruth};
use crate::goal::GoalKind;
use crate::incremental::dependencies::Dependencies;
use crate::incremental::process_sum::{FAR, ProcessSum, ProcessTerm, UNLIKELY, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow};
use crate::static_facts::automaton_distance::nearest;
use crate::static_facts::blocking::{blocking_locations, first_actions};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "deadlock-formula",
    aliases: &[],
    arguments: &[],
    about: "distance of the processes from a state in which none of their statements is executable",
    promises: Some("safe"),
    source: Some("[EMJ05] Heuristics"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| Ok(Box::new(DeadlockFormula::new(of.machine))),
    },
};

/// The estimated distance to a state that satisfies the deadlock formula.
#[derive(Clone)]
pub struct DeadlockFormula<'a>(ProcessSum<'a, Blocked<'a>>);

/// `blocked(i)` of the paper.
#[derive(Clone)]
struct Blocked<'a> {
    truth: TruthDistance<'a>,
    /// By process type.
    types: Vec<Type>,
}

#[derive(Clone)]
struct Type {
    /// First actions of each potentially blocking location.
    actions: Vec<Vec<EdgeAction>>,
    /// By location: the reachable potentially blocking locations, nearest first.
    nearest: Vec<Vec<(u32, u32)>>,
    reads: Dependencies,
}

impl Type {
    fn new(machine: &Machine<'_>, process: ProcessId) -> Type {
        let automaton = machine.automaton(process);
        let locations = blocking_locations(machine, process);
        let (mut actions, mut reads) = (Vec::new(), Dependencies::default());
        for &at in &locations {
            let edges = automaton.edges_from(at).iter();
            let leaving = edges.flat_map(|edge| first_actions(automaton, edge));
            let leaving: Vec<EdgeAction> = leaving.cloned().collect();
            leaving.iter().for_each(|action| reads.add_action(machine, action));
            actions.push(leaving);
        }
        Type { actions, nearest: nearest(automaton, &locations), reads }
    }
}

impl<'a> DeadlockFormula<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        let ids = (0..machine.model().processes.len() as u32).map(ProcessId);
        let types: Vec<Type> = ids.map(|process| Type::new(machine, process)).collect();
        let actions = types.iter().flat_map(|one| one.actions.iter().flatten());
        let guards = actions.filter_map(|action| match action {
            EdgeAction::Guard(guard) => Some(guard),
            _ => None,
        });
        let truth = TruthDistance::new(machine, guards);
        DeadlockFormula(ProcessSum::new(machine, Blocked { truth, types }))
    }
}

impl Blocked<'_> {
    /// The distance of an action from being blocked.
    fn blocked(
        &self,
        machine: &Machine<'_>,
        now: &DecodedState,
        pid: usize,
        action: &EdgeAction,
    ) -> u64 {
        match action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                let most = machine.layout().frame.most_processes;
                most.saturating_sub(now.process_count()) as u64
            }
            EdgeAction::Guard(guard) => self.truth.distance(guard, WantedTruth::False, now, pid),
            EdgeAction::Send { channel, .. } => {
                let Some(channel) = machine.channel_held(channel, now, pid) else { return 1 };
                (machine.capacity(now, channel) - now.channel_length(channel)) as u64
            }
            EdgeAction::Receive { channel, random, args, .. } => {
                let Some(channel) = machine.channel_held(channel, now, pid) else { return 1 };
                let anything = args.iter().all(|arg| matches!(arg, RecvArg::Store(_)));
                match now.channel_length(channel) {
                    length if anything => length as u64,
                    _ => u64::from(machine.would_take(channel, *random, args, now, pid)),
                }
            }
            // The youngest process can end.
            EdgeAction::End => u64::from(pid + 1 == now.process_count()),
            // Only a `provided` clause or priorities can block this action.
            _ => 1,
        }
    }
}

impl ProcessTerm for Blocked<'_> {
    fn part(&mut self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> u64 {
        let own = &self.types[now.process(pid).index()];
        let mut best = FAR;
        for &(distance, at) in &own.nearest[now.location(pid).0 as usize] {
            if u64::from(distance) >= best {
                break;
            }
            let mut sum = 0;
            for action in &own.actions[at as usize] {
                sum += self.blocked(machine, now, pid, action);
                // A guard that is never false does not exclude blocking: a `provided` clause or
                // priorities may block the process.
                if sum >= UNLIKELY || u64::from(distance) + sum >= best {
                    break;
                }
            }
            best = best.min(u64::from(distance) + sum.min(UNLIKELY));
        }
        best
    }

    fn reads(&self, process: usize, _: usize) -> &Dependencies {
        &self.types[process].reads
    }
}

impl Heuristic for DeadlockFormula<'_> {
    fn name(&self) -> &str {
        "deadlock-formula"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        estimate(self.0.total(state))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        self.0.totals(state, successors, |_, total| found.push(estimate(total)));
    }
}
