//! Parallel breadth-first search: several threads expand the states of one level, and store the
//! successors in one [shared store](crate::store::shared).
//!
//! The next level begins when all states of the last one are expanded, so each state is stored in
//! the level of its distance from the initial state, as in a [sequential](crate::Exploration)
//! breadth-first search. A level is a list of pieces, consecutive records of one thread; threads
//! take pieces, whichever thread stored them.
//!
//! Promises, for any number of threads and in every run:
//!
//! - `stored`, `matched`, `transitions`, `errors`, `atomic_steps` and `depth` of a complete search
//!   are those of the sequential search.
//! - Hits are published when their level is complete, so a search that ends with its first hits has
//!   the same counts in every run, too. Of each kind of error, the first level that has it counts,
//!   and the least state there; its path is [canonical](shortest_path). Only a search that a limit
//!   ends may differ.
//! - `slept` and the memory of the store may differ.
//!
//! The thread that calls [`Search::advance`](crate::Search::advance) takes part in the work, with a
//! budget; the others work on meanwhile, and wait at the end of a level. So a caller polls limits
//! as with one thread.

mod counters;
mod crew;
mod findings;
mod level;
mod level_search;
mod member;
mod options;
pub(crate) mod rounds;
mod set_search;
mod set_worker;
mod shortest_path;
mod sleep_sets;
mod state_pieces;
mod table_growth;
mod team;
mod worker;

use std::thread;

use beeline_kernel::{Expansion, Fault, SleepSet, Space};

use crate::limits::Limits;
use crate::search::Search;
use crate::store::StoreLimits;
use crate::store::shared::SharedStore;

pub(crate) use level::RecordRange;
use level_search::LevelSearch;
pub use options::ParallelOptions;
pub use rounds::{RoundKind, RoundSetup, explore_reduced_in_parallel, search_in_rounds};
pub use set_search::{NoSetSearch, SharedSetKind, explore_with_shared_set};
pub(crate) use table_growth::TableGrowth;
use team::{Pause, Round, Team};

/// Explores a space in threads, which live while `body` runs: it advances the search, and returns
/// when it needs no more of it.
///
/// # Errors
///
/// If the model fails before its first step: there is nothing to explore.
///
/// # Panics
///
/// If a thread panics, [`Search::advance`] panics in the same way.
pub fn explore_in_parallel<R>(
    space: &dyn Space,
    options: ParallelOptions<'_>,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Result<R, Fault> {
    let mut initial = Vec::new();
    space.initial(&mut initial)?;
    let threads = options.threads.max(1);
    let Limits { bytes, states, .. } = options.limits;
    let (bytes, states) = (bytes.unwrap_or(usize::MAX), states.unwrap_or(usize::MAX));
    let limits = StoreLimits { bytes, states };
    let store = SharedStore::new(limits, threads).with_sleep_sets(sleep_bytes(space, &initial));
    let team = Team::new(space, store, threads);
    Ok(thread::scope(|scope| {
        let _end = EndOfTeam(&team);
        let spawn = |index: usize, seen: usize| {
            let team = &team;
            let thread = thread::Builder::new().name(format!("worker {index}"));
            thread.spawn_scoped(scope, move || member::work(team, index, seen)).is_ok()
        };
        body(&mut LevelSearch::new(&team, &initial, options, &spawn))
    }))
}

/// The bytes of sleep sets: enough for all processes that move from the states of one path, so that a
/// state takes little more memory. Processes of greater numbers can be in no sleep set.
fn sleep_bytes(space: &dyn Space, initial: &[u8]) -> usize {
    /// By then, most processes have started.
    const STEPS: usize = 64;
    let (mut expander, mut expansion) = (space.expander(), Expansion::default());
    let (mut state, mut processes) = (initial.to_vec(), 0);
    for _ in 0..STEPS {
        expander.expand_only(&state, &mut expansion);
        let transitions = expansion.successors.transitions();
        let numbers = transitions.iter().map(|transition| transition.label.process as usize + 1);
        processes = numbers.fold(processes, usize::max);
        let Some(last) = expansion.len().checked_sub(1) else { break };
        expansion.state(last).clone_into(&mut state);
    }
    processes.min(SleepSet::CAPACITY).div_ceil(8)
}

/// Ends the threads of a team, even after a panic.
struct EndOfTeam<'t, 'a>(&'t Team<'a>);

impl Drop for EndOfTeam<'_, '_> {
    fn drop(&mut self) {
        self.0.pause(Pause::Stopped);
        self.0.begin(Round::End, 0);
    }
}
