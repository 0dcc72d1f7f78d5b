//! Proofs in threads of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

use beeline_search::Stats;

use super::portfolio::SpacePortfolio;
use super::proof::Proof;
use super::work::work;
use crate::observe::Observer;
use crate::report::CheckError;

/// Work of a proof between two tests of the stop flag.
const TURN: u64 = 2_000_000;

/// The progress of a proof in its thread, and its stop flag.
#[derive(Default)]
struct SharedProgress {
    stop: AtomicBool,
    seen: Mutex<(Stats, usize)>,
}

/// A proof in its thread.
struct RemoteProof<'scope, 'a> {
    portfolio: usize,
    handle: ScopedJoinHandle<'scope, Proof<'a>>,
    progress: Arc<SharedProgress>,
}

/// Threads, each with the proof of one portfolio.
pub(super) struct ProofThreads<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    most: usize,
    remote: Vec<RemoteProof<'scope, 'a>>,
}

impl<'scope, 'env, 'a: 'scope> ProofThreads<'scope, 'env, 'a> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>, most: usize) -> Self {
        ProofThreads { scope, most, remote: Vec::new() }
    }

    /// Whether no proof has a thread.
    pub(super) fn is_idle(&self) -> bool {
        self.remote.is_empty()
    }

    /// The work of all proofs that have threads.
    pub(super) fn work(&self) -> u64 {
        let seen = self.remote.iter().map(|remote| &remote.progress.seen);
        seen.map(|seen| work(&seen.lock().expect("nobody panics while holding it").0)).sum()
    }

    /// Joins the thread of a proof with a new finding or an outcome, processes its findings, and
    /// starts a thread if the proof has to continue. Without a free thread, it takes a turn here.
    pub(super) fn advance_proof(
        &mut self,
        at: usize,
        portfolio: &mut SpacePortfolio<'a>,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        if let Some(remote) = self.remote.iter().find(|remote| remote.portfolio == at) {
            let seen = remote.progress.seen.lock().expect("nobody panics while holding it");
            portfolio.set_proof_stats(seen.0, seen.1);
            if !remote.handle.is_finished() {
                drop(seen);
                if !portfolio.wants_proof() {
                    self.join_proof(at, portfolio);
                }
                return Ok(());
            }
        }
        self.join_proof(at, portfolio);
        portfolio.judge_proof(observer)?;
        if !portfolio.wants_proof() {
            return Ok(());
        }
        if self.remote.len() == self.most {
            return portfolio.prove(2 * TURN, observer);
        }
        if let Some(proof) = portfolio.take_proof() {
            let progress = Arc::new(SharedProgress::default());
            let shared = Arc::clone(&progress);
            let handle = self.scope.spawn(move || prove(proof, &shared));
            self.remote.push(RemoteProof { portfolio: at, handle, progress });
        }
        Ok(())
    }

    /// Stops the thread of a proof, and returns the proof to its portfolio.
    pub(super) fn join_proof(&mut self, at: usize, portfolio: &mut SpacePortfolio<'a>) {
        if let Some(index) = self.remote.iter().position(|remote| remote.portfolio == at) {
            let RemoteProof { handle, progress, .. } = self.remote.swap_remove(index);
            progress.stop.store(true, Ordering::Relaxed);
            match handle.join() {
                Ok(proof) => portfolio.return_proof(proof),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }
}

/// Advances a proof until it has a new finding, is over, or is stopped.
fn prove<'a>(mut proof: Proof<'a>, progress: &SharedProgress) -> Proof<'a> {
    let known = proof.findings().len();
    while proof.outcome().is_none()
        && proof.findings().len() == known
        && !progress.stop.load(Ordering::Relaxed)
    {
        proof.advance(TURN);
        *progress.seen.lock().expect("nobody panics while holding it") =
            (proof.stats(), proof.bytes());
    }
    proof
}
