//! Which store suits a state space, when nobody says.
//!
//! The exact store reads and writes all of a state, the compact one what is different from
//! the state before it. So the longer states are, the better the compact store is off, in
//! memory at once and in time from some length on.
//!
//! Measured (`bench/directed crowds`): with 1.1 KB both take the same time, and the compact
//! store a twelfth of the memory; with 5.5 KB half the time and an eightieth of the memory.
//! With 100 bytes the exact one is four times as fast (`bench/run`).

/// A store that forgets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreChoice {
    /// [`ExactStore`](super::ExactStore).
    Exact,
    /// [`CompactStore`](super::CompactStore).
    Compact,
}

/// States longer than this are long.
const LONG: usize = 1 << 10;

impl StoreChoice {
    /// For states of about this many bytes, as the initial one.
    pub fn for_length(state_bytes: usize) -> StoreChoice {
        if state_bytes > LONG { StoreChoice::Compact } else { StoreChoice::Exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_states_are_kept_in_parts() {
        assert_eq!([0, 100, LONG].map(StoreChoice::for_length), [StoreChoice::Exact; 3]);
        assert_eq!([LONG + 1, 11_010].map(StoreChoice::for_length), [StoreChoice::Compact; 2]);
    }
}
