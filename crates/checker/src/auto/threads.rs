//! The proof in a thread of its own, where there is more than one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

use beeline_search::Stats;

use super::ground::Ground;
use super::proof::Proof;
use crate::check::CheckError;
use crate::watch::Watch;

/// What the proof does before it looks whether it is called back.
const TURN: u64 = 2_000_000;

/// What is known of a proof that is away.
#[derive(Default)]
struct Board {
    stop: AtomicBool,
    seen: Mutex<(Stats, usize)>,
}

/// A proof in its thread.
struct Away<'scope, 'a> {
    ground: usize,
    handle: ScopedJoinHandle<'scope, Proof<'a>>,
    board: Arc<Board>,
}

/// Some threads, each of which has the proof of one ground.
pub(super) struct Threads<'scope, 'env, 'a> {
    scope: &'scope Scope<'scope, 'env>,
    most: usize,
    away: Vec<Away<'scope, 'a>>,
}

impl<'scope, 'env, 'a: 'scope> Threads<'scope, 'env, 'a> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>, most: usize) -> Self {
        Threads { scope, most, away: Vec::new() }
    }

    /// Takes a proof in that has something to tell, and sends it on if it has more to do.
    /// One for which there is no thread has its turn here.
    pub(super) fn keep_busy(
        &mut self,
        at: usize,
        ground: &mut Ground<'a>,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        if let Some(away) = self.away.iter().find(|away| away.ground == at) {
            let seen = away.board.seen.lock().expect("nobody panics while holding it");
            ground.hear_of_proof(seen.0, seen.1);
            if !away.handle.is_finished() {
                drop(seen);
                if !ground.wants_proof() {
                    self.call_back(at, ground);
                }
                return Ok(());
            }
        }
        self.call_back(at, ground);
        ground.judge_proof(watch)?;
        if !ground.wants_proof() {
            return Ok(());
        }
        if self.away.len() == self.most {
            return ground.prove(2 * TURN, watch);
        }
        if let Some(proof) = ground.send_proof() {
            let board = Arc::new(Board::default());
            let shared = Arc::clone(&board);
            let handle = self.scope.spawn(move || prove(proof, &shared));
            self.away.push(Away { ground: at, handle, board });
        }
        Ok(())
    }

    /// Has a proof come back.
    pub(super) fn call_back(&mut self, at: usize, ground: &mut Ground<'a>) {
        if let Some(index) = self.away.iter().position(|away| away.ground == at) {
            let Away { handle, board, .. } = self.away.swap_remove(index);
            board.stop.store(true, Ordering::Relaxed);
            match handle.join() {
                Ok(proof) => ground.take_proof(proof),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }
}

/// Goes on until there is something to tell.
fn prove<'a>(mut proof: Proof<'a>, board: &Board) -> Proof<'a> {
    let known = proof.findings().len();
    while proof.outcome().is_none()
        && proof.findings().len() == known
        && !board.stop.load(Ordering::Relaxed)
    {
        proof.advance(TURN);
        *board.seen.lock().expect("nobody panics while holding it") =
            (proof.stats(), proof.bytes());
    }
    proof
}
