//! The wanderer: depth-first in random order, for all properties of a ground at once, against
//! heuristics that mislead.

use beeline_search::{ExactStore, Exploration, Options, Order, Outcome, Search, Until};

use super::Ground;
use crate::auto::case::{Bound, Sighting};
use crate::auto::work::advance;
use crate::check::CheckError;
use crate::watch::Watch;

/// Depth-first in random order.
pub(super) struct Wander<'a> {
    pub(super) search: Exploration<'a, ExactStore>,
    judged: usize,
    seed: u64,
}

impl<'a> Ground<'a> {
    pub(super) fn wanderer(&self, seed: u64) -> Option<Wander<'a>> {
        let order = Order::RandomDepth { seed };
        let limits = self.plan.limits();
        let options = Options { order, until: Until::Exhausted, limits, keep: 1, stop: None };
        let search = Exploration::with_store(self.space, options).ok()?;
        Some(Wander { search, judged: 0, seed })
    }

    pub(super) fn roam(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let share = self.share();
        let Some(mut wander) = self.wander.take() else { return Ok(()) };
        let known = wander.judged;
        let outcome = advance(&mut wander.search, turn, |search| search.findings().len() > known);
        let findings = wander.search.findings().to_vec();
        for (at, finding) in findings.iter().enumerate().skip(known) {
            for case in self.open_cases_of(finding.kind) {
                // That nothing is wrong in the initial state is all that is known.
                let (path, bound) = (wander.search.path(at), Bound::Steps(1));
                let by = "random-dfs";
                self.violate(case, Sighting { path, kind: finding.kind, by, bound }, watch)?;
            }
        }
        wander.judged = findings.len();
        let is_full = wander.search.bytes() > share;
        if outcome.is_some() || is_full {
            self.past.add(&wander.search.stats());
        }
        match outcome {
            Some(Outcome::Complete) => self.ended = Some((Outcome::Complete, findings)),
            None if !is_full => self.wander = Some(wander),
            // Another beginning leads elsewhere.
            _ => self.wander = self.wanderer(wander.seed.wrapping_add(1)),
        }
        Ok(())
    }
}
