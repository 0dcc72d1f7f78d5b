//! Dangerous states: the sum over processes of the distance to a dangerous location.
//!
//! Source: h3 of [ELL00] §3.5; `blocking.rs` defines dangerous locations.
//! Deviation: `init` has no term, as in the published tables.
//! Claims: safe, since a process that cannot reach a dangerous location can always move. Admissible
//! and consistent without rendezvous, which moves two processes in one step; half of the sum, which
//! is ours, always is.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};

use crate::combine::aggregation::{Aggregation, SUMS};
use crate::deadlock::danger::{Danger, DangerMeasure};
use crate::goal::GoalKind;
use crate::incremental::process_sum::{ProcessSum, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow, argument};
use beeline_analysis::blocking::has_rendezvous;

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "dangerous-states",
    aliases: &["h3"],
    arguments: &[argument("combine", "sum or half (default: sum)")],
    about: "sum over the processes of the steps to a location where the process may block",
    promises: Some("safe; admissible and consistent without rendezvous, with `half` always"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| {
            let combine = of.arguments.choice("combine", SUMS)?;
            Ok(Box::new(DangerousStates::new(of.machine, combine)))
        },
    },
};

/// The sum of the distances to dangerous locations.
#[derive(Clone)]
pub struct DangerousStates<'a> {
    processes: ProcessSum<'a, Danger>,
    combine: Aggregation,
}

impl<'a> DangerousStates<'a> {
    /// For the states of a machine. `Max` is treated like `Sum`.
    pub fn new(machine: &'a Machine<'a>, combine: Aggregation) -> Self {
        let part = Danger::new(machine, DangerMeasure::Distance);
        DangerousStates { processes: ProcessSum::new(machine, part), combine }
    }
}

impl Heuristic for DangerousStates<'_> {
    fn name(&self) -> &str {
        "dangerous-states"
    }

    fn claims(&self) -> Claims {
        let bound =
            self.combine == Aggregation::Half || !has_rendezvous(self.processes.opened.machine);
        Claims { admissible: bound, consistent: bound, safe: true }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        estimate(self.combine.of_sum(self.processes.total(state)))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        let combine = self.combine;
        self.processes
            .totals(state, successors, |_, total| found.push(estimate(combine.of_sum(total))));
    }
}
