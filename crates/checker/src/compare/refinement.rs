//! Partition refinement: states are divided into classes, first by their observations, then in
//! rounds by the classes of their successors.
//!
//! Promises: after round n, two states are in one class if and only if no play of fewer than n steps
//! distinguishes them. In a stable partition, the states of a class are bisimilar.

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::partition::Partition;

/// A partition on the way to the coarsest stable one.
pub(super) struct Refinement<'g> {
    graph: &'g ObservedGraph,
    reversed: ObservedGraph,
    partition: Partition,
    round: u32,
    /// The states that the last round moved to new classes.
    moved: Vec<u32>,
}

impl<'g> Refinement<'g> {
    /// The partition by observations. All states count as moved.
    pub(super) fn new(graph: &'g ObservedGraph) -> Refinement<'g> {
        let mut partition = Partition::new(graph.len());
        let mut states: Vec<u32> = graph.states().collect();
        states.sort_by_key(|&state| graph.observation(state));
        let by_observation =
            states.chunk_by(|&one, &other| graph.observation(one) == graph.observation(other));
        partition.split(0, by_observation.skip(1), 1);
        let (reversed, moved) = (graph.reversed(), graph.states().collect());
        Refinement { graph, reversed, partition, round: 1, moved }
    }

    /// The partition so far.
    pub(super) fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Whether no further round splits a class.
    pub(super) fn is_stable(&self) -> bool {
        self.moved.is_empty()
    }

    /// One round: splits each class by the classes of successors. Only states with a moved
    /// successor can differ from the rest of their class.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub(super) fn refine(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut affected: Vec<u32> = Vec::new();
        let moved = std::mem::take(&mut self.moved);
        moved.iter().for_each(|&state| affected.extend(self.reversed.successors(state)));
        affected.sort_unstable();
        affected.dedup();
        let mut keyed = Vec::with_capacity(affected.len());
        let mut bytes = self.partition.bytes() + self.reversed.bytes() + 8 * affected.len();
        for state in affected {
            let key = (self.partition.class(state), self.successor_classes(state));
            bytes += size_of::<((u32, Vec<u32>), u32)>() + 4 * key.1.capacity();
            keyed.push((key, state));
            meter.work(bytes)?;
        }
        keyed.sort_unstable();
        self.round += 1;
        for of_class in keyed.chunk_by(|one, other| one.0.0 == other.0.0) {
            self.split(of_class);
        }
        Ok(())
    }

    /// The classes of the successors of a state, in order.
    fn successor_classes(&self, state: u32) -> Vec<u32> {
        let successors = self.graph.successors(state).iter();
        let mut classes: Vec<u32> = successors.map(|&next| self.partition.class(next)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Splits a class by the keys of its affected states.
    fn split(&mut self, affected: &[((u32, Vec<u32>), u32)]) {
        let class = affected[0].0.0;
        let states: Vec<u32> = affected.iter().map(|&(_, state)| state).collect();
        let mut groups: Vec<&[u32]> = Vec::new();
        let mut rest = &states[..];
        for group in affected.chunk_by(|one, other| one.0 == other.0) {
            let (first, others) = rest.split_at(group.len());
            groups.push(first);
            rest = others;
        }
        if states.len() == self.partition.size(class) {
            // The largest group stays, so that few states move.
            let largest = (0..groups.len()).max_by_key(|&at| groups[at].len());
            groups.swap_remove(largest.expect("a state is affected"));
        }
        if !groups.is_empty() {
            self.moved.extend(groups.iter().copied().flatten());
            self.partition.split(class, groups.into_iter(), self.round);
        }
    }
}
