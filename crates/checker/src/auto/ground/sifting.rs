//! What goes on where the proofs on a ground ended without an answer: searches for a while, and one
//! with bits of states where memory was full.

use beeline_kernel::Stop;
use beeline_search::Outcome;

use super::Ground;
use crate::auto::case::{Bound, Sighting};
use crate::auto::sieve::Sieve;
use crate::auto::work::work;
use crate::check::CheckError;
use crate::stores::Store;
use crate::watch::Watch;

impl Ground<'_> {
    /// What to do where the proof ended without an answer, and that of the reduced space, too.
    pub(super) fn do_without(&mut self, outcome: Outcome) {
        let is_needed = outcome != Outcome::Complete && self.patience.is_none();
        if !is_needed || self.shortcut.is_some() {
            return;
        }
        self.patience = Some(work(&self.stats()));
        // Who asked for the exact store wants no other.
        let may_sift = outcome == Outcome::Incomplete(Stop::Memory)
            && self.plan.store != Store::Exact
            && self.is_open();
        if may_sift {
            self.sieve = Sieve::begin(self.space, self.plan, self.bytes / 2);
        }
        let stored = self.proof_stats.stored;
        let how = match &self.sieve {
            Some(sieve) => {
                self.store = sieve.store();
                let megabytes = sieve.bytes() >> 20;
                format!("with a few bits of each state, in {megabytes} MB: it may overlook some")
            }
            None => "for a while".to_owned(),
        };
        self.news.push(format!(
            "the proof ends after {stored} states; the search for errors goes on {how}"
        ));
    }

    /// Gives the search with bits twice the turn, as the proof had.
    pub(super) fn sift(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(mut sieve) = self.sieve.take() else { return Ok(()) };
        let outcome = sieve.advance(2 * turn);
        for (kind, path) in sieve.news() {
            for case in self.open_cases_of(kind) {
                let (path, by, bound) = (path.clone(), "bitstate", Bound::Steps(1));
                self.violate(case, Sighting { path, kind, by, bound }, watch)?;
            }
        }
        if outcome == Some(Outcome::Incomplete(Stop::LossyStore)) {
            self.overlooked = sieve.omissions();
        }
        self.sieve = Some(sieve);
        if outcome.is_some() {
            self.end_sifting();
        }
        Ok(())
    }

    pub(super) fn end_sifting(&mut self) {
        if let Some(sieve) = self.sieve.take() {
            self.past.add(&sieve.stats());
        }
    }
}
