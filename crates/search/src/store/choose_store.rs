//! The default store, chosen by the length of states.
//!
//! The exact store reads and writes full states, the compact store differences from the previous
//! state. So the compact store gains with the length of states: always in memory, and beyond some
//! length in time.
//!
//! Measured (`bench/directed crowds`): with 1.1 KB both take the same time, and the compact
//! store a twelfth of the memory; with 5.5 KB half the time and an eightieth of the memory.
//! With 100 bytes the exact one is four times as fast (`bench/run`).

/// A store without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreChoice {
    /// [`ExactStore`](super::ExactStore).
    Exact,
    /// [`CompactStore`](super::CompactStore).
    Compact,
}

/// Longer states go to the compact store.
const LONG: usize = 1 << 10;

impl StoreChoice {
    /// The store for states of about this many bytes, the length of the initial state.
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
