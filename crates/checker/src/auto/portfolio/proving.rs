//! The proofs of a portfolio: breadth-first search of all states, here or in threads, and
//! breadth-first search of the reduced space.

use beeline_search::{Outcome, Stats};

use super::SpacePortfolio;
use crate::auto::proof::Proof;
use crate::auto::property_run::{FoundPath, LengthBound, PropertyRun};
use crate::auto::shared_proof_task::SharedProofTask;
use crate::observe::Observer;
use crate::report::CheckError;
use crate::work::work;

impl<'a> SpacePortfolio<'a> {
    /// Whether the proof has to continue.
    pub(in crate::auto) fn wants_proof(&self) -> bool {
        self.ended.is_none() && (self.is_open() || self.is_waiting()) && !self.has_initial_fault
    }

    /// Advances the proof by this much work, unless the reduced proof leads.
    pub(in crate::auto) fn prove(
        &mut self,
        more: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        if self.wants_proof()
            && !self.reduced_proof_leads()
            && let Some(proof) = &mut self.proof
        {
            proof.advance(more);
            self.update_proof_stats();
            self.judge_proof(observer)?;
        }
        Ok(())
    }

    /// Updates the counters of a proof that runs here, or whose threads share their results.
    pub(in crate::auto) fn update_proof_stats(&mut self) {
        if let Some(proof) = &mut self.proof {
            self.proof_bytes = proof.bytes();
            self.news.append(&mut proof.take_news());
            // The last counters of a proof that has ended stay.
            if !proof.is_dropped() {
                (self.proof_stats, self.store) = (proof.stats(), proof.store());
            }
        }
    }

    /// Sets the counters of a proof that runs in a thread.
    pub(in crate::auto) fn set_proof_stats(&mut self, stats: Stats, bytes: usize) {
        (self.proof_stats, self.proof_bytes) = (stats, bytes);
    }

    /// Takes the proof out, for a thread.
    pub(in crate::auto) fn take_proof(&mut self) -> Option<Proof<'a>> {
        self.proof.take()
    }

    /// Whether the space is so large that several threads should take the proof over.
    pub(in crate::auto) fn is_worth_sharing(&self) -> bool {
        self.may_share_proof && work(&self.proof_stats) >= self.plan.auto.large
    }

    /// Lets other threads take the proof over. `None` if they cannot.
    pub(in crate::auto) fn share_proof(&mut self) -> Option<SharedProofTask<'a>> {
        self.may_share_proof = false;
        let proof = self.proof.as_mut()?.share()?;
        // They find all errors again.
        self.judged = 0;
        Some(SharedProofTask {
            proof,
            space: self.space,
            plan: self.plan,
            bytes: self.bytes / 8 * 5,
        })
    }

    /// Puts the proof back.
    pub(in crate::auto) fn return_proof(&mut self, proof: Proof<'a>) {
        self.proof = Some(proof);
        self.update_proof_stats();
    }

    /// Processes the findings of the proof since the last call, and its outcome.
    pub(in crate::auto) fn judge_proof(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let Some(proof) = self.proof.take() else { return Ok(()) };
        // First, since threads may go on: nothing is found after the outcome.
        let outcome = proof.outcome();
        let errors = proof.errors();
        for (at, &kind) in errors.iter().enumerate().skip(self.judged) {
            let waiting = self.runs_of(kind, PropertyRun::is_waiting);
            for run in waiting.into_iter().chain(self.open_runs_of(kind)) {
                let (path, bound) = (proof.path(at), LengthBound::FewestMoves);
                self.violate(run, FoundPath { path, kind, by: "bfs", bound }, observer)?;
            }
        }
        self.judged = errors.len();
        if let Some(outcome) = outcome
            && (self.is_open() || self.is_waiting())
        {
            self.ended = Some((outcome, errors));
        }
        self.proof = Some(proof);
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
            self.proof_bytes = 0;
            self.start_fallback(outcome);
        }
        Ok(())
    }

    /// Whether the reduced proof is deeper than the full one.
    pub(super) fn reduced_proof_leads(&self) -> bool {
        self.reduced_proof
            .as_ref()
            .is_some_and(|reduced_proof| reduced_proof.leads(&self.proof_stats))
    }

    /// Advances the reduced proof by this much work.
    pub(super) fn advance_reduced_proof(
        &mut self,
        more: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let Some(mut reduced_proof) = self.reduced_proof.take() else { return Ok(()) };
        let outcome = reduced_proof.advance(more);
        for (finding, path) in reduced_proof.news() {
            for run in self.open_runs_of(finding.kind) {
                let (path, by, bound) = (path.clone(), "bfs, reduced", LengthBound::Steps(1));
                self.violate(run, FoundPath { path, kind: finding.kind, by, bound }, observer)?;
            }
        }
        // After the end of the full proof, some of its memory is free.
        let room = self.bytes / if self.ended.is_some() { 2 } else { 4 };
        let is_over =
            outcome.is_some() || reduced_proof.bytes() > room || reduced_proof.is_hopeless();
        if let Some(Outcome::Complete) = outcome {
            self.ended = Some((Outcome::Complete, reduced_proof.errors()));
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
        }
        if !is_over {
            self.reduced_proof = Some(reduced_proof);
            return Ok(());
        }
        self.past.add(&reduced_proof.stats());
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.start_fallback(outcome);
        }
        Ok(())
    }
}
