//! The two counting conventions of the papers.
//!
//! In 2000 ([ELL00]), each state inside an atomic sequence was a node like all others, and the
//! error that ended a search did not count as expanded. From 2001 on ([ELL01], [EMJ05]), such
//! states are neither stored nor expanded, but each step counts in depths and lengths, and the
//! error counts as expanded.

use beeline_kernel::{Expansion, Space, StatePath};
use beeline_search::{FindingKind, Search, Stats, SuccessorOrder};

use super::option_letters::HsfAlgorithm;

/// A counting convention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountingConvention {
    /// States inside atomic sequences count, the error does not.
    Y2000,
    /// States inside atomic sequences do not count, the error does.
    #[default]
    Y2001,
}

impl CountingConvention {
    /// Both conventions.
    pub const ALL: [CountingConvention; 2] = [CountingConvention::Y2000, CountingConvention::Y2001];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            CountingConvention::Y2000 => "2000",
            CountingConvention::Y2001 => "2001",
        }
    }
}

/// The counters of a finished search, by a counting convention.
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
    // IDA* tests states for errors when it generates them, so it never expands the error.
    let is_expanded =
        algorithm != HsfAlgorithm::IdaStar && !matches!(hit.kind, FindingKind::Fault(_));
    if counting == CountingConvention::Y2000 && is_expanded {
        stats.expanded -= 1;
    }
    stats
}

/// Corrects the counters to those of SPIN, which generates and stores one successor at a time; our
/// searches generate all successors of a state at once. At the error, SPIN has not yet generated
/// the successors after the one on the error path. Steps inside atomic sequences are not corrected.
fn as_on_a_stack(stats: &mut Stats, path: &StatePath, space: &dyn Space, order: SuccessorOrder) {
    let mut expansion = Expansion::default();
    let mut expander = space.expander();
    let mut early = 0;
    let mut pairs = path.pairs();
    while let Some((from, to)) = pairs.advance() {
        expander.expand_only(from, &mut expansion);
        let mut states = expansion.states();
        let left = match order {
            SuccessorOrder::Forward => states.position(|state| state == to),
            SuccessorOrder::Reversed => {
                let all: Vec<&[u8]> = states.collect();
                all.iter().rev().position(|state| *state == to)
            }
        };
        let taken = left.expect("each state on a path follows the one before") + 1;
        early += (expansion.len() - taken) as u64;
    }
    stats.generated -= early;
    stats.stored = stats.expanded;
    stats.matched = stats.generated + 1 - stats.stored;
}
