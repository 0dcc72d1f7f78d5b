//! How much was done, without a clock: what takes long is to compute successors and to
//! store them, and both take longer where states are long. A heuristic that takes long counts
//! what it does. So the automatic strategy is
//! the same on every machine, and in every run.

use beeline_search::{Outcome, Progress, Search, SliceBudget, Stats};

/// What belongs to every successor, however short it is.
const EACH: u64 = 64;
/// Expansions before anyone looks how much was done.
const STEP: u64 = 16;

/// Nanoseconds in which a heuristic keeps a search from a byte.
const WAIT: u64 = 2;

/// Bytes of successors, more or less: a hundred million are about a second.
pub(super) fn work(stats: &Stats) -> u64 {
    stats.generated * cost_of_one(stats) + stats.effort / WAIT
}

/// What it takes to store a state that is at hand.
pub(super) fn cost_of_one(stats: &Stats) -> u64 {
    EACH + stats.state_bytes
}

/// Goes on with a search until it has done so much more, or is over, or `enough` says so.
pub(super) fn advance<S: Search + ?Sized>(
    search: &mut S,
    more: u64,
    enough: impl Fn(&S) -> bool,
) -> Option<Outcome> {
    let begin = search.stats();
    let end = work(&begin) + more;
    // Where estimates take long, so does a single step.
    let step = if begin.effort > 0 { 1 } else { STEP };
    loop {
        match search.advance(SliceBudget::expansions(step)) {
            Progress::Done(outcome) => return Some(outcome),
            Progress::Paused if work(&search.stats()) >= end || enough(search) => return None,
            Progress::Paused => {}
        }
    }
}
