//! The results of a proof that several threads have taken over, as far as they are known.
//!
//! Promise: after the outcome, nothing is found any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use beeline_kernel::StatePath;
use beeline_search::{FindingKind, Outcome, Stats};

use crate::plan::Store;
use crate::work::work;

/// What the threads have found, and their stop flag.
pub(super) struct SharedProof {
    stop: AtomicBool,
    results: Mutex<Results>,
}

struct Results {
    /// The counters of the proof before, until these threads have done more.
    stats: Stats,
    bytes: usize,
    store: Store,
    errors: Vec<(FindingKind, StatePath)>,
    outcome: Option<Outcome>,
    news: Vec<String>,
}

impl SharedProof {
    /// After a proof with these counters.
    pub(super) fn after(stats: Stats) -> SharedProof {
        let results = Results {
            stats,
            bytes: 0,
            store: Store::Exact,
            errors: Vec::new(),
            outcome: None,
            news: Vec::new(),
        };
        SharedProof { stop: AtomicBool::new(false), results: Mutex::new(results) }
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().expect("nobody panics while holding it")
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.results().outcome
    }

    /// The errors that were found, in the order found.
    pub(super) fn errors(&self) -> Vec<FindingKind> {
        self.results().errors.iter().map(|(kind, _)| *kind).collect()
    }

    /// The path to an error.
    pub(super) fn path(&self, at: usize) -> StatePath {
        self.results().errors[at].1.clone()
    }

    pub(super) fn bytes(&self) -> usize {
        self.results().bytes
    }

    pub(super) fn stats(&self) -> Stats {
        self.results().stats
    }

    pub(super) fn store(&self) -> Store {
        self.results().store
    }

    /// The notices since the last call.
    pub(super) fn take_news(&self) -> Vec<String> {
        std::mem::take(&mut self.results().news)
    }

    /// Ends the threads soon.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Records that the search begins again with the compact store.
    pub(super) fn begin_compact(&self) {
        let mut results = self.results();
        let (stored, megabytes) = (results.stats.stored, results.bytes >> 20);
        results.store = Store::Compact;
        results.news.push(format!(
            "memory: {stored} states in {megabytes} MB: the search begins again with the compact store"
        ));
    }

    /// Records the outcome.
    pub(super) fn end(&self, outcome: Outcome) {
        self.results().outcome = Some(outcome);
    }

    /// Reports counters and errors, of which those are new that no report had.
    pub(super) fn report(&self, stats: Stats, bytes: usize, new: Vec<(FindingKind, StatePath)>) {
        let mut results = self.results();
        results.bytes = bytes;
        if work(&stats) >= work(&results.stats) {
            results.stats = stats;
        }
        for (kind, path) in new {
            if results.errors.iter().all(|(known, _)| *known != kind) {
                results.errors.push((kind, path));
            }
        }
    }
}
