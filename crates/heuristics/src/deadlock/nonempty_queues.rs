//! Non-empty queues: the number of channels that hold a message. If every process waits for
//! messages, all channels are empty in a deadlock.
//!
//! Source: h1 of [ELL00] §3.5.
//! Claims: safe, since it has no dead ends; not admissible, as the paper says.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic};

use crate::goal::GoalKind;
use crate::incremental::channel_count::ChannelCount;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "nonempty-queues",
    aliases: &["h1"],
    arguments: &[],
    about: "number of channels that hold a message",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(NonemptyQueues::new(of.machine))),
    },
};

/// The number of channels that hold a message.
#[derive(Clone)]
pub struct NonemptyQueues<'a>(ChannelCount<'a>);

impl<'a> NonemptyQueues<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        NonemptyQueues(ChannelCount::new(machine, |length, _| length > 0))
    }
}

impl Heuristic for NonemptyQueues<'_> {
    fn name(&self) -> &str {
        "nonempty-queues"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        Estimate::Finite(Cost(self.0.total(state)))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        self.0.totals(state, successors, found);
    }
}
