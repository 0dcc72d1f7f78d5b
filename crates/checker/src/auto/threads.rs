//! Proofs in threads of their own: one for each proof, several if its space is large.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

use beeline_search::Stats;

use super::portfolio::SpacePortfolio;
use super::proof::Proof;
use super::shared_proof::SharedProof;
use crate::observe::{Event, Observer};
use crate::report::CheckError;
use crate::work::work;

/// Work of a proof between two tests of the stop flag.
const TURN: u64 = 2_000_000;

/// The progress of a proof in its thread, and its stop flag.
#[derive(Default)]
struct SharedProgress {
    stop: AtomicBool,
    seen: Mutex<(Stats, usize)>,
}

impl SharedProgress {
    /// Counters and memory.
    fn seen(&self) -> (Stats, usize) {
        *self.seen.lock().expect("nobody panics while holding it")
    }
}

/// The kinds of threads for a proof.
enum ProofThread<'scope, 'a> {
    /// The proof itself has moved to a thread.
    Alone(Arc<SharedProgress>, ScopedJoinHandle<'scope, Proof<'a>>),
    /// Several threads have taken it over.
    Shared(Arc<SharedProof>, ScopedJoinHandle<'scope, ()>),
}

impl ProofThread<'_, '_> {
    fn is_finished(&self) -> bool {
        match self {
            ProofThread::Alone(_, handle) => handle.is_finished(),
            ProofThread::Shared(_, handle) => handle.is_finished(),
        }
    }

    fn stats(&self) -> Stats {
        match self {
            ProofThread::Alone(progress, _) => progress.seen().0,
            ProofThread::Shared(proof, _) => proof.stats(),
        }
    }
}

/// Threads, each with the proof of one portfolio, or several for each.
pub(super) struct ProofThreads<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    most: usize,
    /// The threads for the proof of one portfolio.
    each: usize,
    remote: Vec<(usize, ProofThread<'scope, 'a>)>,
}

impl<'scope, 'env, 'a: 'scope> ProofThreads<'scope, 'env, 'a> {
    /// At most this many threads, for the proofs of this many portfolios.
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>, most: usize, portfolios: usize) -> Self {
        ProofThreads { scope, most, each: most / portfolios.max(1), remote: Vec::new() }
    }

    /// Whether no proof has a thread.
    pub(super) fn is_idle(&self) -> bool {
        self.remote.is_empty()
    }

    /// The work of all proofs that have threads.
    pub(super) fn work(&self) -> u64 {
        self.remote.iter().map(|(_, thread)| work(&thread.stats())).sum()
    }

    /// Processes what the threads of a proof have found. Joins a thread that has ended, and starts
    /// threads if the proof has to continue. Without a free thread, it takes a turn here.
    pub(super) fn advance_proof(
        &mut self,
        at: usize,
        portfolio: &mut SpacePortfolio<'a>,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let remote = self.remote.iter().find(|(of, _)| *of == at);
        if let Some((_, thread)) = remote.filter(|(_, thread)| !thread.is_finished()) {
            let mut may_share = false;
            match thread {
                ProofThread::Alone(progress, _) => {
                    let (stats, bytes) = progress.seen();
                    portfolio.set_proof_stats(stats, bytes);
                    may_share = self.each > 1 && portfolio.is_worth_sharing();
                }
                ProofThread::Shared(..) => {
                    portfolio.update_proof_stats();
                    portfolio.judge_proof(observer)?;
                }
            }
            if portfolio.wants_proof() && !may_share {
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
        let is_worth_sharing = self.each > 1 && portfolio.is_worth_sharing();
        if let Some(task) = is_worth_sharing.then(|| portfolio.share_proof()).flatten() {
            let (proof, threads) = (Arc::clone(&task.proof), self.each);
            let phase = format!("proof in {threads} threads and directed searches");
            observer.on_event(&Event::Phase(&phase));
            let handle = self.scope.spawn(move || task.run(threads));
            self.remote.push((at, ProofThread::Shared(proof, handle)));
        } else if let Some(proof) = portfolio.take_proof() {
            let progress = Arc::new(SharedProgress::default());
            let shared = Arc::clone(&progress);
            let handle = self.scope.spawn(move || prove(proof, &shared));
            self.remote.push((at, ProofThread::Alone(progress, handle)));
        }
        Ok(())
    }

    /// Stops the threads of a proof, and returns the proof to its portfolio.
    pub(super) fn join_proof(&mut self, at: usize, portfolio: &mut SpacePortfolio<'a>) {
        let Some(index) = self.remote.iter().position(|(of, _)| *of == at) else { return };
        let joined = match self.remote.swap_remove(index).1 {
            ProofThread::Alone(progress, handle) => {
                progress.stop.store(true, Ordering::Relaxed);
                handle.join().map(|proof| portfolio.return_proof(proof))
            }
            ProofThread::Shared(proof, handle) => {
                proof.stop();
                handle.join().map(|()| portfolio.update_proof_stats())
            }
        };
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Advances a proof until it has a new error, is over, or is stopped.
fn prove<'a>(mut proof: Proof<'a>, progress: &SharedProgress) -> Proof<'a> {
    let known = proof.errors().len();
    while proof.outcome().is_none()
        && proof.errors().len() == known
        && !progress.stop.load(Ordering::Relaxed)
    {
        proof.advance(TURN);
        *progress.seen.lock().expect("nobody panics while holding it") =
            (proof.stats(), proof.bytes());
    }
    proof
}
