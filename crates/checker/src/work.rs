//! Work, measured without a clock, so that the automatic strategy is the same on every machine and
//! in every run. Most time is spent on computing and storing successors, more for long states.
//! Expensive heuristics count their own effort.

use beeline_search::{Outcome, Progress, Search, SliceBudget, Stats};

/// Work for each successor besides its bytes.
const EACH: u64 = 64;
/// Expansions between two measurements.
const STEP: u64 = 16;

/// Nanoseconds of effort that count as one byte.
const WAIT: u64 = 2;

/// The work of a search, in bytes of successors: a hundred million take about a second.
pub(crate) fn work(stats: &Stats) -> u64 {
    stats.generated * cost_of_one(stats) + stats.effort / WAIT
}

/// The work for one successor.
pub(crate) fn cost_of_one(stats: &Stats) -> u64 {
    EACH + stats.state_bytes
}

/// Advances a search by this much work, or until it is over or `enough` returns true.
pub(crate) fn advance<S: Search + ?Sized>(
    search: &mut S,
    more: u64,
    enough: impl Fn(&S) -> bool,
) -> Option<Outcome> {
    let begin = search.stats();
    let end = work(&begin) + more;
    // With expensive estimates, each expansion takes long.
    let step = if begin.effort > 0 { 1 } else { STEP };
    loop {
        match search.advance(SliceBudget::expansions(step)) {
            Progress::Done(outcome) => return Some(outcome),
            Progress::Paused if work(&search.stats()) >= end || enough(search) => return None,
            Progress::Paused => {}
        }
    }
}
