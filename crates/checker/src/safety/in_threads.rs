//! Exploration of all states in threads, in the store of a plan.

use beeline_kernel::{Fault, Space};
use beeline_search::{
    NoSetSearch, ParallelOptions, Search, SharedSetKind, explore_in_parallel,
    explore_reduced_in_parallel, explore_with_shared_set,
};

use crate::plan::{Plan, Store};
use crate::task::{ActiveReduction, share};

/// Longer states take less memory in one thread, where they share equal parts.
const LONG: usize = 256;

/// Whether states are short enough to be packed.
fn is_short(space: &dyn Space) -> bool {
    let mut initial = Vec::new();
    space.initial(&mut initial).is_err() || initial.len() <= LONG
}

/// Explores a space in threads with this store. `None` if the store has no shared variant: then
/// `body` is not called.
pub(crate) fn explore_in_threads<R>(
    space: &dyn Space,
    store: Store,
    options: ParallelOptions<'_>,
    plan: &Plan,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Option<Result<R, NoSetSearch>> {
    let seed = plan.auto.seed;
    let kind = match store {
        Store::Exact | Store::Auto => {
            let explored = explore_in_parallel(space, options, body);
            return Some(explored.map_err(NoSetSearch::Fault));
        }
        Store::Compact if is_short(space) => SharedSetKind::Compact,
        Store::HashCompact { runs: 0..=1 } => SharedSetKind::HashCompact { seed },
        Store::Bitstate { bits, bytes, runs: 0..=1 } => {
            SharedSetKind::Bitstate { seed, bytes: share(bytes, options.limits), bits }
        }
        // Several runs are one after the other, each with the whole memory.
        Store::Compact
        | Store::Covering
        | Store::HashCompact { .. }
        | Store::Bitstate { .. }
        | Store::Cache { .. } => return None,
    };
    Some(explore_with_shared_set(space, kind, options, body))
}

/// Explores a reduced space in threads. `None` if the store or the reduction has no variant for
/// several threads: then `body` is not called.
pub(crate) fn reduced_in_threads<R>(
    space: &dyn Space,
    store: Store,
    options: ParallelOptions<'_>,
    reducing: &ActiveReduction<'_>,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Option<Result<R, Fault>> {
    if !matches!(store, Store::Exact | Store::Auto) || !reducing.suits_threads() {
        return None;
    }
    let reduction = || reducing.reduction();
    Some(explore_reduced_in_parallel(space, &reduction, options, body))
}
