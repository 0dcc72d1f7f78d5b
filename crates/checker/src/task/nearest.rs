//! The nearest miss of a search without a hit: the state with the least estimate.

use beeline_search::Search;

use super::Task;
use crate::report::NearestMiss;

/// The nearest miss of a search; `None` in a product, and for a target without a usual heuristic.
pub(crate) fn nearest_miss<S: Search + ?Sized>(
    search: &S,
    heuristic: &str,
    task: &Task<'_>,
) -> Option<NearestMiss> {
    if task.has_claim() || task.system.usual_heuristic(task.target).is_none() {
        return None;
    }
    let (estimate, path) = search.as_guided()?.nearest()?;
    let (trail, steps) = task.system.trail_along(&path)?;
    Some(NearestMiss { estimate: estimate.0, heuristic: heuristic.to_owned(), steps, trail })
}
