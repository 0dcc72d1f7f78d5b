//! Dangerous queues: the sum over processes of the messages until the process blocks at one of its
//! dangerous locations, at any distance.
//!
//! Source: h4 of [ELL00] §3.5, with rule R9 of the published tables.
//! Deviation: `init` has no term, as in the published tables.
//! Claims: safe, since a process without dangerous locations can always move. Not admissible, since
//! one message may count for several processes.
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};

use crate::deadlock::danger::{Danger, DangerMeasure};
use crate::goal::GoalKind;
use crate::incremental::process_sum::{ProcessSum, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "dangerous-queues",
    aliases: &["h4"],
    arguments: &[],
    about: "sum over the processes of the messages to be sent or received until the process may \
            block",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| Ok(Box::new(DangerousQueues::new(of.machine))),
    },
};

/// The sum of missing messages.
#[derive(Clone)]
pub struct DangerousQueues<'a>(ProcessSum<'a, Danger>);

impl<'a> DangerousQueues<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        DangerousQueues(ProcessSum::new(machine, Danger::new(machine, DangerMeasure::Queues)))
    }
}

impl Heuristic for DangerousQueues<'_> {
    fn name(&self) -> &str {
        "dangerous-queues"
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
