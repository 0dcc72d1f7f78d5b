//! The share of several threads in the automatic strategy for cycles: a parallel nested search, which
//! may prove that there is no accepting cycle.
//!
//! It visits all states or finds some cycle. Which one depends on the threads, so it is not reported.

use std::sync::atomic::AtomicUsize;

use beeline_kernel::Space;
use beeline_model::Fairness;
use beeline_search::{
    CycleRule, CycleSearch, CycleThreads, SearchQuery, search_cycles_in_parallel,
};

use crate::plan::{Plan, Store};

/// What differs between runs in threads.
pub(super) const REMARK: &str = "several threads have searched for cycles: the counts depend on the \
                                 run; `--jobs 1` repeats them";

/// Whether several threads may search for a cycle. Two are busy already: with the search of one thread
/// that is interrupted, and with the proof of the other properties. With fairness, each state would be
/// stored once for each process; and paths of several threads have no depth limit.
pub(super) fn may_use_threads(plan: &Plan) -> bool {
    plan.auto.jobs > 2
        && plan.fairness == Fairness::None
        && plan.depth.is_none()
        && matches!(plan.store, Store::Exact | Store::Auto)
}

/// Searches for a cycle with all threads, which live while `body` runs.
///
/// # Panics
///
/// If the model fails before its first step.
pub(super) fn in_threads<R>(
    space: &dyn Space,
    rule: CycleRule,
    query: SearchQuery<'_>,
    plan: &Plan,
    body: impl FnOnce(&mut dyn CycleSearch) -> R,
) -> R {
    let wanted = AtomicUsize::new(plan.auto.jobs);
    let threads = CycleThreads { wanted: &wanted, most: plan.auto.jobs };
    let searched = search_cycles_in_parallel(space, rule, query, threads, body);
    searched.expect("another search began before")
}
