//! Processes that sleep in a state: what they can do there is known beforehand, and leads to
//! states that are known as well, so nobody asks them.
//!
//! Source: P. Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*,
//! 1996, section 5.1, "Sleep sets". Deviation: whole processes sleep and not single steps. They
//! have one way each, so that it is known how many ways are left out.

/// Processes with one way of one step each, one bit for each. Only the first processes can be
/// among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SleepSet(pub u32);

impl SleepSet {
    /// All are awake.
    pub const EMPTY: SleepSet = SleepSet(0);
    /// So many processes can sleep: the first ones.
    pub const CAPACITY: usize = u32::BITS as usize;

    /// A process alone; nobody if it cannot sleep.
    #[inline]
    pub fn single(process: u32) -> SleepSet {
        SleepSet(1_u32.checked_shl(process).unwrap_or(0))
    }

    /// Whether all are awake.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many ways they have.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }
}
