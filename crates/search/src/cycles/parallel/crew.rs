//! What the threads of a parallel search for cycles share.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use beeline_kernel::Space;

use super::rounds::{Pause, Rounds, lock};
use crate::finding::FindingKind;
use crate::parallel::{RecordRange, TableGrowth};
use crate::query::SearchQuery;
use crate::stats::Stats;
use crate::store::shared::{RecordId, SharedStore};

/// The work of a round.
#[derive(Clone, Debug)]
pub(super) enum CrewWork {
    /// Search.
    Search,
    /// Fill a longer table.
    Grow(Arc<TableGrowth>),
}

/// What ends a search: an accepting cycle, or an error of the target.
#[derive(Clone, Debug)]
pub(super) enum FoundStates {
    /// The states of the cycle.
    Cycle(Vec<RecordId>),
    /// The state with the error.
    Hit(FindingKind, RecordId),
}

/// What a thread tells the others.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadReport {
    /// Its counters, and its memory besides the store.
    pub(super) counters: Mutex<(Stats, usize)>,
    /// The number of the state that its path begins with; 0 without a path.
    pub(super) begin: AtomicU64,
}

/// What the threads share.
pub(super) struct Crew<'a> {
    pub(super) space: &'a dyn Space,
    pub(super) store: SharedStore,
    /// The initial state, if there was room for it.
    pub(super) root: Option<RecordId>,
    pub(super) query: SearchQuery<'a>,
    pub(super) rounds: Rounds<CrewWork>,
    /// The counters of each thread.
    pub(super) reports: Box<[ThreadReport]>,
    /// The first result.
    pub(super) found: Mutex<Option<FoundStates>>,
    /// All stored states, but for those of the current round.
    pub(super) written: Mutex<Vec<RecordRange>>,
    /// States that any thread may begin with.
    pub(super) pool: Pool,
}

/// States that wait for a thread which begins a path with them.
#[derive(Debug, Default)]
pub(super) struct Pool {
    shared: Mutex<Waiting>,
    /// Threads that wait for states.
    idle: AtomicUsize,
}

#[derive(Debug, Default)]
struct Waiting {
    states: Vec<RecordId>,
    /// Threads that are not idle.
    busy: usize,
}

/// The answer to an idle thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// States to begin with.
    States(Vec<RecordId>),
    /// Other threads are busy.
    Nothing,
    /// No thread is busy, and no state waits: the search is over.
    Over,
}

impl Pool {
    /// A thread takes part, and is busy.
    pub(super) fn join(&self) {
        lock(&self.shared).busy += 1;
    }

    /// A busy thread has nothing more to do.
    pub(super) fn rest(&self) {
        lock(&self.shared).busy -= 1;
        self.idle.fetch_add(1, Ordering::Relaxed);
    }

    /// An idle thread asks for states, and is busy if it gets some.
    pub(super) fn take(&self) -> Taken {
        let mut waiting = lock(&self.shared);
        let rest = waiting.states.len() / 2;
        let states = waiting.states.split_off(rest);
        if states.is_empty() {
            return if waiting.busy == 0 { Taken::Over } else { Taken::Nothing };
        }
        waiting.busy += 1;
        self.idle.fetch_sub(1, Ordering::Relaxed);
        Taken::States(states)
    }

    /// An idle thread helps another one, if any is busy. Returns whether it is busy now.
    pub(super) fn help(&self) -> bool {
        let mut waiting = lock(&self.shared);
        let may_help = waiting.busy > 0;
        if may_help {
            waiting.busy += 1;
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
        may_help
    }

    /// Whether some thread waits for states.
    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Gives states of a busy thread to others.
    pub(super) fn give(&self, states: impl Iterator<Item = RecordId>) {
        lock(&self.shared).states.extend(states);
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        lock(&self.shared).states.capacity() * size_of::<RecordId>()
    }
}

impl Crew<'_> {
    /// Records a result, unless there is one, and stops all threads.
    #[cold]
    pub(super) fn end_with(&self, found: FoundStates) {
        lock(&self.found).get_or_insert(found);
        self.rounds.pause(Pause::Stopped);
    }

    /// The counters of all threads, and the memory that they hold beside the store.
    pub(super) fn counted(&self) -> (Stats, usize) {
        let (mut stats, mut bytes) = (Stats::default(), self.pool.bytes());
        for report in &self.reports {
            let (more, held) = *lock(&report.counters);
            stats.add(&more);
            bytes += held;
        }
        (stats, bytes)
    }
}
