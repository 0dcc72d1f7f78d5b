//! The open list of a best-first search: a matrix of sets by g and h.

use std::collections::BTreeMap;

use crate::costed_step::add_to;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::ranking::{BucketChoice, SymbolicRanking};
use crate::system::SymbolicSystem;

/// Sets by rank, g and h.
#[derive(Debug)]
pub(super) struct OpenSets {
    ranking: SymbolicRanking,
    sets: BTreeMap<(u64, u64, u64), Set>,
}

impl OpenSets {
    pub(super) fn new(ranking: SymbolicRanking) -> OpenSets {
        OpenSets { ranking, sets: BTreeMap::new() }
    }

    pub(super) fn add(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        (g, h): (u64, u64),
        set: Set,
    ) -> Result<(), SymbolicError> {
        add_to(&mut system.forest, &mut self.sets, (self.ranking.rank(g, h), g, h), set)
    }

    pub(super) fn least_rank(&self) -> Option<u64> {
        self.sets.first_key_value().map(|((rank, ..), _)| *rank)
    }

    /// Takes the sets of the next iteration, in ascending order of g.
    pub(super) fn take(&mut self) -> Vec<(u64, Set)> {
        let mut taken = Vec::new();
        let rank = self.least_rank();
        while self.least_rank() == rank
            && let Some(((_, g, _), set)) = self.sets.pop_first()
        {
            taken.push((g, set));
            if self.ranking.choice == BucketChoice::LeastCost {
                break;
            }
        }
        taken
    }
}
