//! Why a search ended early. "Not found" is not "holds": each cause has a name.

use std::fmt;

/// Why a search ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Some states are beyond the depth limit.
    Depth,
    /// The user interrupted the search.
    Interrupted,
    /// Another property was violated, and nothing was found in this many seconds since then.
    AfterViolation(u32),
    /// The store may have taken a new state for a visited one.
    LossyStore,
    /// The method omits states by design (a beam, an unsafe heuristic), so that an unsuccessful
    /// search proves nothing.
    IncompleteMethod,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::AfterViolation(seconds) => {
                return write!(
                    f,
                    "not settled when the search stopped {seconds} s after a violation; \
                     `--exhaustive` goes on"
                );
            }
            Stop::Time => "time limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Depth => "depth limit reached",
            Stop::Interrupted => "interrupted",
            Stop::LossyStore => "the store may have overlooked states",
            Stop::IncompleteMethod => "the search method does not visit all states",
        })
    }
}
