//! What a search has done, in the words of SPIN.

/// Counters of an exploration.
///
/// Of a complete exploration, everything is the same in each order except for
/// `depth`, and `store_bytes` where states differ in length. Before the end,
/// `stored` counts states that wait to be expanded, too: depth-first, SPIN would
/// not have stored these yet, so its number at an error is our `expanded`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Different states met, the initial one included.
    pub stored: u64,
    /// Ways to a state that was already stored.
    pub matched: u64,
    /// States whose successors were generated.
    pub expanded: u64,
    /// Successors generated, one for each way: `stored + matched - 1`.
    pub generated: u64,
    /// Moves from the initial state, whose depth is 0, to the deepest expanded
    /// state, on the path the search took: breadth-first, the number of the last
    /// layer; depth-first, the longest stack. A move goes from stored state to
    /// stored state, so an atomic sequence is one move.
    pub depth: u64,
    /// Steps inside of moves, to states that were not stored.
    pub atomic_steps: u64,
    /// Faults and deadlocks met.
    pub errors: u64,
    /// Length of the longest state.
    pub state_bytes: u64,
    /// Memory of the store: table, states, and where each begins.
    pub store_bytes: u64,
    /// The part of it that hash tables hold.
    pub table_bytes: u64,
}

impl Stats {
    /// What SPIN calls transitions: each way to a state, with the initial state
    /// counted as one.
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }
}
