//! The store of a search, and the reason if a search cannot start.

use beeline_model::Reason;
use beeline_search::{
    Bitstate, HashCompact, Limits, RepeatedSet, Restarts, SearchStore, StartError, StoreLimits,
};

use crate::plan::Store;
use crate::report::CheckError;

/// The largest bit array or cache by default, in bytes.
const MOST: usize = 1 << 30;

/// The size of a bit array or cache: the requested one, or half of the memory but at most [`MOST`].
pub(crate) fn share(asked: Option<usize>, limits: Limits) -> usize {
    asked.unwrap_or_else(|| limits.bytes.map_or(MOST, |bytes| bytes / 2).min(MOST))
}

/// Why there is no bit-state store.
pub(crate) const NO_ARRAY: &str = "there is not enough memory for the array";

/// Builds the requested store, empty. The cache has a search of its own: see `safety/lossy.rs`.
///
/// # Errors
///
/// When there is not enough memory for the store, or when it is the cache.
pub(crate) fn search_store(store: Store, seed: u64, limits: Limits) -> Result<SearchStore, Reason> {
    match store {
        Store::Auto | Store::Exact => Ok(SearchStore::Exact),
        Store::Compact => Ok(SearchStore::Compact),
        Store::Covering => Ok(SearchStore::Covering),
        Store::Bitstate { bits, bytes, runs } => {
            let array = Bitstate::new(seed, share(bytes, limits), bits);
            let visited = array.ok_or_else(|| Reason::unsupported(NO_ARRAY))?;
            Ok(SearchStore::Bitstate(RepeatedSet { visited, restarts: Restarts { seed, runs } }))
        }
        Store::HashCompact { runs } => {
            let bytes = limits.bytes.unwrap_or(usize::MAX);
            let visited = HashCompact::new(seed, StoreLimits { bytes, states: usize::MAX });
            Ok(SearchStore::HashCompact(RepeatedSet { visited, restarts: Restarts { seed, runs } }))
        }
        Store::Cache { .. } => {
            Err(Reason::unsupported("the store cache works with depth-first search only"))
        }
    }
}

/// The reason for an unknown verdict if a search does not start.
///
/// # Errors
///
/// When the search refuses the reduction, which is a user error.
pub(crate) fn not_started(error: StartError) -> Result<Reason, CheckError> {
    match error {
        StartError::Fault(_) => Ok(Reason::InitialFault),
        StartError::Reduction(refusal) => Err(refusal.into()),
        StartError::LossyStore => Ok(Reason::unsupported(OTHERS)),
        StartError::SeveralLists => Ok(Reason::unsupported(LISTS)),
        StartError::ExactTable => Ok(Reason::unsupported(TABLE)),
    }
}

const OTHERS: &str =
    "a lossy store works with dfs, bfs, dijkstra, astar, gbfs and ida, not with this search";
const LISTS: &str = "a lossy store works with one open list and one heuristic: leave out the \
                     others, and `preferred`, `useless`, `epsilon`, `types` and `novelty`";
const TABLE: &str = "`table` needs a store that keeps states in full: leave it out";
