//! The work of the threads that take a proof over: breadth-first search by levels in a shared store.
//! It begins again where a proof with one thread has found the space to be large, and a second time,
//! with the compact store, when memory is full.
//!
//! Promises: verdicts and lengths of trails are those of one thread.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use beeline_kernel::{Space, Stop};
use beeline_search::{
    Limits, Outcome, ParallelOptions, Progress, Search, SliceBudget, StopCondition,
};

use super::proof::Proof;
use super::shared_proof::SharedProof;
use crate::plan::{Plan, Store};
use crate::safety::explore_in_threads;

/// Expansions of one thread between two reports.
const REPORT: u64 = 4_096;
/// Work of a proof with one thread between two reports.
const TURN: u64 = 2_000_000;

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
            proof.begin_compact();
            outcome = self.explore(Store::Compact, *bytes, threads);
        }
        proof.end(outcome.unwrap_or_else(|| self.explore_alone()));
    }

    /// Explores all states in threads with this store. `None` if the store has no shared variant.
    fn explore(&self, store: Store, bytes: usize, threads: usize) -> Option<Outcome> {
        let limits = Limits { bytes: Some(bytes), ..self.plan.limits() };
        let until = StopCondition::Exhausted;
        let options =
            ParallelOptions { threads, until, limits, stop: Some(self.proof.stop_flag()) };
        let advance = |search: &mut dyn Search| self.advance(search);
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
            let kinds = proof.errors();
            let new = (found..kinds.len()).map(|at| (kinds[at], proof.path(at))).collect();
            found = kinds.len();
            self.proof.report(proof.stats(), proof.bytes(), new);
            if let Some(outcome) = proof.outcome() {
                return outcome;
            }
            if self.proof.stop_flag().load(Ordering::Relaxed) {
                return Outcome::Incomplete(Stop::Interrupted);
            }
        }
    }

    /// Advances a search in threads to its end, or until it is stopped.
    fn advance(&self, search: &mut dyn Search) -> Outcome {
        let mut found = 0;
        loop {
            let progress = search.advance(SliceBudget::expansions(REPORT));
            let hits = search.hits();
            let new = (found..hits.len()).map(|at| (hits[at].kind, search.path(at))).collect();
            found = hits.len();
            self.proof.report(search.stats(), search.bytes(), new);
            if let Progress::Done(outcome) = progress {
                return outcome;
            }
        }
    }
}
