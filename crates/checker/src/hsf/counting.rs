//! What is counted, and how: the two ways of the papers.
//!
//! In 2000 ([ELL00]), each state inside of an atomic sequence was a node like all
//! others, and the error that ended a search was not counted as expanded. From 2001 on
//! ([ELL01], [EMJ05]) such states are neither stored nor expanded, though each step has
//! its place in depths and lengths, and the error counts.

use beeline_kernel::{Expansion, Space};
use beeline_search::{FindingKind, Search, Stats, SuccessorOrder};

use super::option_letters::HsfAlgorithm;

/// The way of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountingConvention {
    /// States inside of atomic sequences count, the error does not.
    Y2000,
    /// States inside of atomic sequences do not count, the error does.
    #[default]
    Y2001,
}

impl CountingConvention {
    /// Both.
    pub const ALL: [CountingConvention; 2] = [CountingConvention::Y2000, CountingConvention::Y2001];

    /// How it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            CountingConvention::Y2000 => "2000",
            CountingConvention::Y2001 => "2001",
        }
    }
}

/// The counters of a search that has ended, as its time counted.
pub(super) fn counted(
    search: &dyn Search,
    algorithm: HsfAlgorithm,
    counting: CountingConvention,
    space: &dyn Space,
    successors: SuccessorOrder,
) -> Stats {
    let mut stats = search.stats();
    let Some(hit) = search.hits().first().copied() else { return stats };
    if algorithm == HsfAlgorithm::Depth {
        as_on_a_stack(&mut stats, &search.path(0), space, successors);
    }
    // IDA* looks at states before it expands them, so it never expands the error.
    let is_expanded =
        algorithm != HsfAlgorithm::IdaStar && !matches!(hit.kind, FindingKind::Fault(_));
    if counting == CountingConvention::Y2000 && is_expanded {
        stats.expanded -= 1;
    }
    stats
}

/// SPIN takes one successor after the other, and stores it when its turn has come; our
/// searches look at all successors of a state at once. When an error ends the search,
/// those behind the error path have not had their turn. Steps inside of atomic sequences
/// stay as they were counted.
fn as_on_a_stack(stats: &mut Stats, path: &[Vec<u8>], space: &dyn Space, order: SuccessorOrder) {
    let mut expansion = Expansion::default();
    let mut expander = space.expander();
    let mut early = 0;
    for pair in path.windows(2) {
        expander.expand_only(&pair[0], &mut expansion);
        let mut states = expansion.states();
        let left = match order {
            SuccessorOrder::Forward => states.position(|state| state == pair[1]),
            SuccessorOrder::Reversed => {
                let all: Vec<&[u8]> = states.collect();
                all.iter().rev().position(|state| *state == pair[1])
            }
        };
        let taken = left.expect("each state on a path follows the one before") + 1;
        early += (expansion.len() - taken) as u64;
    }
    stats.generated -= early;
    stats.stored = stats.expanded;
    stats.matched = stats.generated + 1 - stats.stored;
}
