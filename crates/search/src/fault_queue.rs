//! Faults that are not reported yet. A fault belongs to a transition, so it is treated as a
//! successor of estimate 0: it is reported when no open state is better. If it were reported at
//! once, it could hide a cheaper one, and A\* would not be optimal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use beeline_kernel::{Fault, StateId};

/// The rank of a fault: `f`, its cost, and its number.
type FaultRank = (u64, u32, u64);

/// A fault of a state.
#[derive(Clone, Copy, Debug)]
struct QueuedFault {
    turn: FaultRank,
    state: StateId,
    fault: Fault,
}

impl PartialEq for QueuedFault {
    fn eq(&self, other: &QueuedFault) -> bool {
        self.turn == other.turn
    }
}

impl Eq for QueuedFault {}

impl PartialOrd for QueuedFault {
    fn partial_cmp(&self, other: &QueuedFault) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedFault {
    fn cmp(&self, other: &QueuedFault) -> std::cmp::Ordering {
        self.turn.cmp(&other.turn)
    }
}

/// The faults, in the order in which they are reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct FaultQueue {
    heap: BinaryHeap<Reverse<QueuedFault>>,
    came: u64,
}

impl FaultQueue {
    /// Adds a fault with this `f` and cost.
    pub(crate) fn push(&mut self, f: u64, g: u32, state: StateId, fault: Fault) {
        self.heap.push(Reverse(QueuedFault { turn: (f, g, self.came), state, fault }));
        self.came += 1;
    }

    /// `f` and cost of the best fault.
    #[inline]
    pub(crate) fn best(&self) -> Option<(u64, u32)> {
        self.heap.peek().map(|Reverse(waiting)| (waiting.turn.0, waiting.turn.1))
    }

    /// Removes the best fault, if it is at least as good as the best open state.
    #[inline]
    pub(crate) fn pop(
        &mut self,
        best_state: impl FnOnce() -> Option<u64>,
    ) -> Option<(StateId, Fault)> {
        let (f, _) = self.best()?;
        if best_state().is_some_and(|best| best < f) {
            return None;
        }
        self.heap.pop().map(|Reverse(waiting)| (waiting.state, waiting.fault))
    }

    /// The least cost of any fault.
    pub(crate) fn least_cost(&self) -> Option<u32> {
        self.heap.iter().map(|Reverse(waiting)| waiting.turn.1).min()
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<QueuedFault>()
    }
}
