//! A search that one thread starts, and that begins again in rounds if it takes long.

use beeline_kernel::{Cost, StatePath};

use crate::hit::Hit;
use crate::limits::Outcome;
use crate::search::{GuidedSearch, Search};
use crate::stats::Stats;
use crate::visited::Omissions;

/// Expansions of one thread before a search begins again in rounds.
const ALONE: u64 = 1 << 13;

/// The search of one thread, then the one in rounds.
pub(crate) struct StartedAlone<'s> {
    /// The search of one thread, until it has expanded [`ALONE`] states.
    alone: Option<Box<dyn Search + 's>>,
    in_rounds: &'s mut dyn Search,
}

impl<'s> StartedAlone<'s> {
    pub(crate) fn new(alone: Box<dyn Search + 's>, in_rounds: &'s mut dyn Search) -> Self {
        StartedAlone { alone: Some(alone), in_rounds }
    }

    fn current(&self) -> &dyn Search {
        self.alone.as_deref().unwrap_or(&*self.in_rounds)
    }
}

impl Search for StartedAlone<'_> {
    fn name(&self) -> &'static str {
        self.current().name()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.current().outcome()
    }

    fn poll(&mut self) {
        match &mut self.alone {
            Some(alone) => alone.poll(),
            None => self.in_rounds.poll(),
        }
    }

    fn step(&mut self, most: u64) -> u64 {
        let Some(alone) = &mut self.alone else { return self.in_rounds.step(most) };
        let work = alone.step(most);
        if alone.outcome().is_none() && alone.hits().is_empty() && alone.stats().expanded >= ALONE {
            self.alone = None;
        }
        work
    }

    fn stats(&self) -> Stats {
        self.current().stats()
    }

    fn hits(&self) -> Vec<Hit> {
        self.current().hits()
    }

    fn path(&self, hit: usize) -> StatePath {
        self.current().path(hit)
    }

    fn bytes(&self) -> usize {
        self.current().bytes()
    }

    fn lower_bound(&self) -> Cost {
        self.current().lower_bound()
    }

    fn omissions(&self) -> Option<Omissions> {
        self.current().omissions()
    }

    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        self.current().as_guided()
    }
}
