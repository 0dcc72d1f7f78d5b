//! Sleep sets: processes whose transitions are pruned in a state, since another order of the same
//! steps leads to the same states.
//!
//! Source: \[God96\] §5.1. Deviation: a set holds whole processes, not single transitions. Each has
//! exactly one transition, so that the number of transitions left out is known.

/// Processes with one transition of one step each, one bit for each. Only processes with small
/// numbers can be members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SleepSet(pub u32);

impl SleepSet {
    /// No process.
    pub const EMPTY: SleepSet = SleepSet(0);
    /// Processes with numbers below this can be members.
    pub const CAPACITY: usize = u32::BITS as usize;

    /// A single process; the empty set if it cannot be a member.
    #[inline]
    pub fn single(process: u32) -> SleepSet {
        SleepSet(1_u32.checked_shl(process).unwrap_or(0))
    }

    /// Whether it is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of its processes, which is that of their transitions.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }
}
