//! The searches after the proofs have ended without a verdict: the other searches continue for a
//! while, and a bit-state search starts if memory was full.

use beeline_kernel::Stop;
use beeline_search::Outcome;

use super::SpacePortfolio;
use crate::auto::bitstate_fallback::BitstateFallback;
use crate::auto::property_run::{FoundPath, LengthBound};
use crate::observe::Observer;
use crate::plan::Store;
use crate::report::CheckError;
use crate::work::work;

impl SpacePortfolio<'_> {
    /// Limits the other searches and starts a bit-state search if both proofs ended undecided.
    pub(super) fn start_fallback(&mut self, outcome: Outcome) {
        let is_needed = outcome != Outcome::Complete && self.work_limit.is_none();
        if !is_needed || self.reduced_proof.is_some() {
            return;
        }
        self.work_limit = Some(work(&self.stats()));
        // A request for the exact store excludes lossy stores.
        let may_fall_back = outcome == Outcome::Incomplete(Stop::Memory)
            && self.plan.store != Store::Exact
            && self.is_open();
        if may_fall_back {
            self.fallback = BitstateFallback::begin(self.space, self.plan, self.bytes / 2);
        }
        let stored = self.proof_stats.stored;
        let how = match &self.fallback {
            Some(fallback) => {
                self.store = fallback.store();
                let megabytes = fallback.bytes() >> 20;
                format!("with bit-state hashing in {megabytes} MB, which may overlook states")
            }
            None => "for a while".to_owned(),
        };
        self.news.push(format!(
            "memory: the exhaustive search stops after {stored} states; the search for errors \
             continues {how}"
        ));
    }

    /// Advances the bit-state search by two turns, as the proof before.
    pub(super) fn advance_fallback(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let Some(mut fallback) = self.fallback.take() else { return Ok(()) };
        let outcome = fallback.advance(2 * turn);
        for (kind, path) in fallback.news() {
            for run in self.open_runs_of(kind) {
                let (path, by, bound) = (path.clone(), "bitstate", LengthBound::Steps(1));
                self.violate(run, FoundPath { path, kind, by, bound }, observer)?;
            }
        }
        if outcome == Some(Outcome::Incomplete(Stop::LossyStore)) {
            self.overlooked = fallback.omissions();
        }
        self.fallback = Some(fallback);
        if outcome.is_some() {
            self.end_fallback();
        }
        Ok(())
    }

    pub(super) fn end_fallback(&mut self) {
        if let Some(fallback) = self.fallback.take() {
            self.past.add(&fallback.stats());
        }
    }
}
