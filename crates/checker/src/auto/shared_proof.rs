//! The proof in several threads: breadth-first search by levels in a shared store. It begins again
//! where a proof with one thread has found the space to be large, and a second time, with the
//! compact store, when memory is full.
//!
//! Promises: verdicts and lengths of trails are those of one thread. After the outcome, nothing is
//! found any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use beeline_kernel::{Space, StatePath, Stop};
use beeline_search::{
    FindingKind, Limits, Outcome, ParallelOptions, Progress, Search, SliceBudget, Stats,
    StopCondition,
};

use super::proof::Proof;
use super::work::work;
use crate::plan::{Plan, Store};
use crate::safety::explore_in_threads;

/// Expansions of one thread between two reports.
const REPORT: u64 = 4_096;
/// Work of a proof with one thread between two reports.
const TURN: u64 = 2_000_000;

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

    /// Reports counters, and errors that are new.
    fn report(&self, stats: Stats, bytes: usize, new: Vec<(FindingKind, StatePath)>) {
        let mut results = self.results();
        results.bytes = bytes;
        if work(&stats) >= work(&results.stats) {
            results.stats = stats;
        }
        results.errors.extend(new);
    }

    /// Advances a search to its end, or until it is stopped.
    fn advance(&self, search: &mut dyn Search) -> Outcome {
        let mut found = 0;
        loop {
            let progress = search.advance(SliceBudget::expansions(REPORT));
            let known = self.errors();
            let kinds: Vec<FindingKind> = search.hits().iter().map(|hit| hit.kind).collect();
            let new = (found..kinds.len()).filter(|&at| !known.contains(&kinds[at]));
            let new = new.map(|at| (kinds[at], search.path(at))).collect();
            found = kinds.len();
            self.report(search.stats(), search.bytes(), new);
            if let Progress::Done(outcome) = progress {
                return outcome;
            }
        }
    }
}

/// What threads need to take a proof over.
pub(super) struct SharedProofTask<'a> {
    pub(super) proof: Arc<SharedProof>,
    pub(super) space: &'a dyn Space,
    pub(super) plan: &'a Plan,
    /// The memory of the proof.
    pub(super) bytes: usize,
}

impl SharedProofTask<'_> {
    /// Explores all states in this many threads, the present one included.
    pub(super) fn run(&self, threads: usize) {
        let SharedProofTask { proof, plan, bytes, .. } = self;
        let mut outcome = self.explore(Store::Exact, *bytes, threads);
        if outcome == Some(Outcome::Incomplete(Stop::Memory)) && plan.store != Store::Exact {
            let mut results = proof.results();
            let (stored, megabytes) = (results.stats.stored, results.bytes >> 20);
            results.store = Store::Compact;
            results.news.push(format!(
                "memory: {stored} states in {megabytes} MB: the search begins again with the \
                 compact store"
            ));
            drop(results);
            outcome = self.explore(Store::Compact, *bytes, threads);
        }
        let outcome = outcome.unwrap_or_else(|| self.explore_alone());
        proof.results().outcome = Some(outcome);
    }

    /// Explores all states in threads with this store. `None` if the store has no shared variant.
    fn explore(&self, store: Store, bytes: usize, threads: usize) -> Option<Outcome> {
        let limits = Limits { bytes: Some(bytes), ..self.plan.limits() };
        let until = StopCondition::Exhausted;
        let options = ParallelOptions { threads, until, limits, stop: Some(&self.proof.stop) };
        let advance = |search: &mut dyn Search| self.proof.advance(search);
        let explored = explore_in_threads(self.space, store, options, self.plan, advance)?;
        Some(explored.unwrap_or(Outcome::Incomplete(Stop::Memory)))
    }

    /// Explores all states in this thread with the compact store.
    fn explore_alone(&self) -> Outcome {
        let plan = Plan { store: Store::Compact, ..self.plan.clone() };
        let full = Outcome::Incomplete(Stop::Memory);
        let Ok(mut proof) = Proof::begin(self.space, &plan, self.bytes) else { return full };
        let mut found = 0;
        loop {
            proof.advance(TURN);
            let (known, kinds) = (self.proof.errors(), proof.errors());
            let new = (found..kinds.len()).filter(|&at| !known.contains(&kinds[at]));
            let new = new.map(|at| (kinds[at], proof.path(at))).collect();
            found = kinds.len();
            self.proof.report(proof.stats(), proof.bytes(), new);
            if let Some(outcome) = proof.outcome() {
                return outcome;
            }
            if self.proof.stop.load(Ordering::Relaxed) {
                return Outcome::Incomplete(Stop::Interrupted);
            }
        }
    }
}
