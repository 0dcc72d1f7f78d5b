//! Danger: the sum over processes of the distance to a dangerous location and the messages until
//! the process blocks there.
//!
//! Source: h5 of [ELL00] §3.5. The minimum is over both terms together, since the printed formula
//! does not bind the location; a queue counts for every edge that uses it, and message contents are
//! ignored: rule R9, which reproduces the published tables.
//! Deviation: `init` has no term, as in the published tables.
//! Claims: safe, as its terms are; not admissible, since one message may count for several
//! processes.
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};

use crate::deadlock::danger::{Danger, DangerMeasure};
use crate::goal::GoalKind;
use crate::incremental::process_sum::{ProcessSum, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "dangerous",
    aliases: &["h5"],
    arguments: &[],
    about: "sum over the processes of the steps, and of the messages to be sent or received, \
            until the process may block",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| Ok(Box::new(Dangerous::new(of.machine))),
    },
};

/// The sum of distances and missing messages.
#[derive(Clone)]
pub struct Dangerous<'a>(ProcessSum<'a, Danger>);

impl<'a> Dangerous<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        Dangerous(ProcessSum::new(machine, Danger::new(machine, DangerMeasure::Both)))
    }
}

impl Heuristic for Dangerous<'_> {
    fn name(&self) -> &str {
        "dangerous"
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
