//! The proofs on a ground: breadth-first search through all of its states, here or in a thread, and
//! the same in the reduced space, beside it or ahead of it.

use beeline_search::{Outcome, Stats};

use super::Ground;
use crate::auto::case::{Bound, Case, Sighting};
use crate::auto::proof::Proof;
use crate::check::CheckError;
use crate::watch::Watch;

impl<'a> Ground<'a> {
    /// Whether there is anything to prove.
    pub(in crate::auto) fn wants_proof(&self) -> bool {
        self.ended.is_none() && (self.is_open() || self.is_waiting()) && !self.is_stillborn
    }

    /// Goes on with the proof.
    pub(in crate::auto) fn prove(
        &mut self,
        more: u64,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        if self.wants_proof()
            && !self.shortcut_leads()
            && let Some(proof) = &mut self.proof
        {
            proof.advance(more);
            self.hear_of_own_proof();
            self.judge_proof(watch)?;
        }
        Ok(())
    }

    fn hear_of_own_proof(&mut self) {
        if let Some(proof) = &mut self.proof {
            (self.proof_stats, self.proof_bytes) = (proof.stats(), proof.bytes());
            self.store = proof.store();
            self.news.append(&mut proof.news);
        }
    }

    /// What a proof that is away has done so far.
    pub(in crate::auto) fn hear_of_proof(&mut self, stats: Stats, bytes: usize) {
        (self.proof_stats, self.proof_bytes) = (stats, bytes);
    }

    /// The proof, for someone else to go on with.
    pub(in crate::auto) fn send_proof(&mut self) -> Option<Proof<'a>> {
        self.proof.take()
    }

    /// The proof, back again.
    pub(in crate::auto) fn take_proof(&mut self, proof: Proof<'a>) {
        self.proof = Some(proof);
        self.hear_of_own_proof();
    }

    /// Looks at what the proof has found since the last time.
    pub(in crate::auto) fn judge_proof(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(proof) = self.proof.take() else { return Ok(()) };
        let findings = proof.findings().to_vec();
        for (at, finding) in findings.iter().enumerate().skip(self.judged) {
            let waiting = self.cases_of(finding.kind, Case::is_waiting);
            for case in waiting.into_iter().chain(self.open_cases_of(finding.kind)) {
                let (path, kind, bound) = (proof.path(at), finding.kind, Bound::FewestMoves);
                self.violate(case, Sighting { path, kind, by: "bfs", bound }, watch)?;
            }
        }
        self.judged = findings.len();
        if let Some(outcome) = proof.outcome()
            && (self.is_open() || self.is_waiting())
        {
            self.ended = Some((outcome, findings));
        }
        self.proof = Some(proof);
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
            self.proof_bytes = 0;
            self.do_without(outcome);
        }
        Ok(())
    }

    /// Whether the proof of the reduced space has come further than the other.
    pub(super) fn shortcut_leads(&self) -> bool {
        self.shortcut.as_ref().is_some_and(|shortcut| shortcut.leads(&self.proof_stats))
    }

    /// Goes on with the proof of the reduced space.
    pub(super) fn cut_short(&mut self, more: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(mut shortcut) = self.shortcut.take() else { return Ok(()) };
        let outcome = shortcut.advance(more);
        for (finding, path) in shortcut.news() {
            for case in self.open_cases_of(finding.kind) {
                let (path, by, bound) = (path.clone(), "bfs, reduced", Bound::Steps(1));
                self.violate(case, Sighting { path, kind: finding.kind, by, bound }, watch)?;
            }
        }
        // Where the other proof had to give up, there is its memory.
        let room = self.bytes / if self.ended.is_some() { 2 } else { 4 };
        let is_over = outcome.is_some() || shortcut.bytes() > room || shortcut.is_hopeless();
        if let Some(Outcome::Complete) = outcome {
            let findings = shortcut.findings().to_vec();
            self.ended = Some((Outcome::Complete, findings));
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
        }
        if !is_over {
            self.shortcut = Some(shortcut);
            return Ok(());
        }
        self.past.add(&shortcut.stats());
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.do_without(outcome);
        }
        Ok(())
    }
}
