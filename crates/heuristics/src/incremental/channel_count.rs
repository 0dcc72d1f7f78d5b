//! Number of channels that satisfy a condition, updated incrementally from a state to its
//! successors.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Cost, Estimate, Expansion};

use crate::incremental::current_state::CurrentState;
use crate::incremental::state_diff::{Changed, StateDiff};

/// The condition on a channel's length and capacity.
type Counts = fn(usize, usize) -> bool;

/// Counts the channels that satisfy the condition.
#[derive(Clone)]
pub(crate) struct ChannelCount<'a> {
    opened: CurrentState<'a>,
    difference: StateDiff,
    counts: Counts,
    /// By channel of the expanded state.
    capacities: Vec<usize>,
    counted: Vec<bool>,
}

impl<'a> ChannelCount<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, counts: Counts) -> Self {
        let opened = CurrentState::new(machine);
        let difference = StateDiff::new();
        ChannelCount { opened, difference, counts, capacities: Vec::new(), counted: Vec::new() }
    }

    pub(crate) fn total(&mut self, state: &[u8]) -> u32 {
        self.opened.open(state);
        let CurrentState { machine, now, .. } = &self.opened;
        let channels = 0..now.channel_records().len();
        let counts =
            |at: &usize| (self.counts)(now.channel_length(*at), machine.capacity(now, *at));
        channels.filter(counts).count() as u32
    }

    pub(crate) fn totals(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        found: &mut Vec<Estimate>,
    ) {
        found.clear();
        self.opened.open(state);
        let CurrentState { machine, now, .. } = &self.opened;
        self.difference.remember(machine, now);
        let channels = now.channel_records().len();
        self.capacities.clear();
        self.capacities.extend((0..channels).map(|at| machine.capacity(now, at)));
        self.counted.clear();
        let counts = |at: usize| (self.counts)(now.channel_length(at), self.capacities[at]);
        self.counted.extend((0..channels).map(counts));
        let before = self.counted.iter().filter(|counted| **counted).count() as u32;
        let length_at = machine.layout().frame.length_at();
        for successor in successors.states() {
            let total = if self.difference.compare(successor) {
                let mut total = before;
                for change in self.difference.changes() {
                    let Changed::Channel(at) = change.changed else { continue };
                    // A changed channel record contains a length.
                    let length = successor[self.opened.now.channel_records()[at].at + length_at];
                    let counts = (self.counts)(usize::from(length), self.capacities[at]);
                    total = total - u32::from(self.counted[at]) + u32::from(counts);
                }
                total
            } else {
                let total = self.total(successor);
                self.opened.open(state);
                total
            };
            found.push(Estimate::Finite(Cost(total)));
        }
    }
}
