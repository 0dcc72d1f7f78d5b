//! The letters of HSF-SPIN's options: one row each.
//!
//! `A` and `d` for searches, `d` for errors and `a` for heuristics are in the papers
//! ([ELL01] §3); so are the digits, as names of heuristics ([ELL00] §3.5). The other
//! letters are ours: the papers describe these values without their letters.

/// A value of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionLetter<T: 'static> {
    /// The letters that select the value.
    pub letters: &'static [&'static str],
    /// Its name in reports.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The value itself.
    pub value: T,
}

const fn letter<T>(
    letters: &'static [&'static str],
    name: &'static str,
    about: &'static str,
    value: T,
) -> OptionLetter<T> {
    OptionLetter { letters, name, about, value }
}

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HsfAlgorithm {
    /// A\*, with or without a weight.
    AStar,
    /// Breadth-first search, as Dijkstra's algorithm.
    Breadth,
    /// Depth-first search.
    Depth,
    /// Greedy best-first search.
    Greedy,
    /// Enforced hill climbing.
    Climbing,
    /// IDA\*, with a transposition table unless the store is lossy.
    IdaStar,
}

/// The kind of error to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HsfTarget {
    /// An invalid end state.
    Deadlock,
    /// A failed assertion, or another fault.
    Assertion,
    /// The end of the never claim.
    Claim,
}

/// The values of `-A`. The first is the default, as in HSF-SPIN.
pub const ALGORITHMS: &[OptionLetter<HsfAlgorithm>] = &[
    letter(&["d"], "Depth-First Search", "the default", HsfAlgorithm::Depth),
    letter(&["A", "a"], "A*", "f = g + h, or g + w*h with -W", HsfAlgorithm::AStar),
    letter(&["i"], "IDA*", "with a table of generated states", HsfAlgorithm::IdaStar),
    letter(&["g"], "Best-First Search", "greedy: f = h", HsfAlgorithm::Greedy),
    letter(&["b"], "Breadth-First Search", "f = g", HsfAlgorithm::Breadth),
    letter(
        &["h"],
        "Hill Climbing",
        "to a better state, without backtracking",
        HsfAlgorithm::Climbing,
    ),
];

/// The values of `-E`. The first is the default.
pub const ERRORS: &[OptionLetter<HsfTarget>] = &[
    letter(&["d"], "deadlocks", "invalid end states; the default", HsfTarget::Deadlock),
    letter(&["a"], "assertions", "and other failing steps", HsfTarget::Assertion),
    letter(&["l"], "the never claim", "whether it reaches its end", HsfTarget::Claim),
];

/// The values of `-H`, as specs of heuristics. The first is the default.
pub const HEURISTICS: &[OptionLetter<&str>] = &[
    letter(&["0"], "no heuristic", "h0: zero everywhere; the default", "blind"),
    letter(&["a"], "active processes", "processes that can move", "active"),
    letter(&["f"], "formula-based", "distance of the property from being violated", "formula"),
    letter(&["q", "1"], "non-empty queues", "h1", "nonempty-queues"),
    letter(&["s"], "statements that can fail", "steps to the nearest", "assertion-distance"),
    letter(&["c"], "claim distance", "steps of the never claim to its end", "claim-distance"),
    letter(&["2"], "active processes of 2000", "h2 as the tables measured it", "active-2000"),
    letter(&["3"], "dangerous states", "h3", "dangerous-states"),
    letter(&["4"], "dangerous queues", "h4", "dangerous-queues"),
    letter(&["5"], "dangerous states and queues", "h5", "dangerous"),
    letter(&["6"], "joint dangerous states", "h6", "joint-dangerous-states"),
    letter(&["7"], "joint dangerous queues", "h7", "joint-dangerous-queues"),
    letter(&["8"], "joint dangerous states and queues", "h8", "joint-dangerous"),
];

/// The row of a letter.
pub fn find<T>(rows: &'static [OptionLetter<T>], letter: &str) -> Option<&'static OptionLetter<T>> {
    rows.iter().find(|row| row.letters.contains(&letter))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use beeline_kernel::spec::Spec;

    use super::*;

    fn check<T>(rows: &[OptionLetter<T>]) {
        let letters = || rows.iter().flat_map(|row| row.letters);
        assert_eq!(letters().collect::<BTreeSet<_>>().len(), letters().count());
    }

    #[test]
    fn each_letter_has_one_meaning() {
        check(ALGORITHMS);
        check(ERRORS);
        check(HEURISTICS);
    }

    #[test]
    fn each_letter_is_a_heuristic_there_is() {
        for row in HEURISTICS {
            let spec = Spec::parse(row.value).expect("it is well formed");
            assert!(beeline_heuristics::find(&spec.name).is_some(), "{}", row.value);
        }
    }
}
