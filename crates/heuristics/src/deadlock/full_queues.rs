//! Full queues: the number of channels that are not full. If every process waits to send, all
//! channels are full in a deadlock. A rendezvous channel is never full.
//!
//! Source: the analogous situation under "Non-Empty-Queues" in [ELL00] §3.5.
//! Deviation: counts the channels that are not full, which is zero in that deadlock.
//! Claims: safe, since it has no dead ends; not admissible.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic};

use crate::goal::GoalKind;
use crate::incremental::channel_count::ChannelCount;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "full-queues",
    aliases: &[],
    arguments: &[],
    about: "number of channels with room for a message",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(FullQueues::new(of.machine))),
    },
};

/// The number of channels with room for a message.
#[derive(Clone)]
pub struct FullQueues<'a>(ChannelCount<'a>);

impl<'a> FullQueues<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        FullQueues(ChannelCount::new(machine, |length, capacity| length < capacity))
    }
}

impl Heuristic for FullQueues<'_> {
    fn name(&self) -> &str {
        "full-queues"
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
