//! The rank of states in a search in rounds, and how many of them a round expands.
//!
//! With one thread, the best state is expanded, and its successors may be better than all others.
//! A round expands several states before it looks at their successors. While a search makes
//! progress, that is, finds states with lower estimates, rounds become smaller, down to single
//! states; otherwise they grow, so that threads search plateaus together.
//!
//! If f is the cost so far, all states of the least f are expanded in one round: they are expanded
//! in any case. If f grows along paths (A\*), a round never has states of different f, so the order
//! of f is kept; with other rankings it takes the best states, whatever their f.

use beeline_kernel::Estimate;

use crate::best_first_config::{BestFirstConfig, Reopening, TieBreak};
use crate::open_list::Rank;
use crate::ranking::Ranking;

/// The most states of a round whose states have one f.
const MOST_OF_LEVEL: usize = 1 << 14;
/// The most states of a round with states of different f.
const MOST_MIXED: usize = 1 << 9;

/// How states are ranked and reopened.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundRanking {
    pub(super) ranking: Ranking,
    pub(super) tie_break: TieBreak,
    pub(super) reopening: Reopening,
    /// Whether each round is a layer of a beam search.
    pub(super) is_layered: bool,
    /// Whether each transition costs one, however many steps it has.
    pub(super) counts_transitions: bool,
}

impl RoundRanking {
    pub(super) fn new(config: &BestFirstConfig) -> RoundRanking {
        let &BestFirstConfig { ranking, tie_break, reopening, .. } = config;
        let (is_layered, counts_transitions) = (false, false);
        RoundRanking { ranking, tie_break, reopening, is_layered, counts_transitions }
    }

    /// The ranking of breadth-first search: by transitions.
    pub(super) fn breadth_first() -> RoundRanking {
        RoundRanking { counts_transitions: true, ..RoundRanking::new(&BestFirstConfig::DIJKSTRA) }
    }

    /// The ranking of a beam: by estimates.
    pub(super) fn layered() -> RoundRanking {
        RoundRanking { is_layered: true, ..RoundRanking::new(&BestFirstConfig::GREEDY) }
    }

    /// The rank of a state.
    #[inline]
    pub(super) fn rank(&self, g: u32, estimate: Estimate) -> Rank {
        let Estimate::Finite(h) = estimate else { return Rank::LAST };
        let tie = match self.tie_break {
            TieBreak::Nothing | TieBreak::Heuristic => 0,
            TieBreak::LowH => h.0,
            TieBreak::LowG => g,
        };
        Rank { f: self.ranking.rank(g, h.0), tie }
    }

    /// Whether f is the cost so far.
    pub(super) fn is_cost(&self) -> bool {
        self.ranking == Ranking::COST
    }

    /// Whether the least f of open states is a lower bound on the cost of any target, given that
    /// some open state is always on a cheapest path.
    pub(super) fn bounds_cost(&self, is_admissible: bool) -> bool {
        self.is_cost() || self.ranking == Ranking::SUM && is_admissible
    }
}

/// The number of states of the next round.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundSize {
    most: usize,
    /// Whether states of different f may be in one round.
    pub(super) mixes: bool,
    now: usize,
    /// f of the last round, and the least estimate of an expanded state since f changed.
    level: u64,
    least_h: u32,
}

impl RoundSize {
    pub(super) fn new(ranking: &RoundRanking) -> RoundSize {
        let mixes = !ranking.ranking.is_monotone();
        let most = match mixes {
            true => MOST_MIXED,
            false if ranking.is_cost() => usize::MAX,
            false => MOST_OF_LEVEL,
        };
        let now = if ranking.is_cost() { usize::MAX } else { 1 };
        RoundSize { most, mixes, now, level: 0, least_h: u32::MAX }
    }

    /// The number of states.
    pub(super) fn now(&self) -> usize {
        self.now
    }

    /// Adapts to the least estimate of the states of a round with this least f.
    pub(super) fn adapt(&mut self, level: u64, least_h: Option<u32>) {
        if !self.mixes && level != self.level {
            (self.level, self.least_h) = (level, u32::MAX);
        }
        if self.most == usize::MAX {
            return;
        }
        let least_h = least_h.unwrap_or(u32::MAX);
        self.now = if least_h < self.least_h {
            (self.now / 2).max(1)
        } else {
            self.now.saturating_mul(2).min(self.most)
        };
        self.least_h = self.least_h.min(least_h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_grow_without_progress_and_shrink_with_it() {
        let mut size = RoundSize::new(&RoundRanking::new(&BestFirstConfig::GREEDY));
        let mut sizes = |hs: &[u32]| {
            hs.iter().for_each(|&h| size.adapt(0, Some(h)));
            size.now()
        };
        assert_eq!(sizes(&[9, 8, 7]), 1);
        assert_eq!(sizes(&[7, 8, 9]), 8);
        assert_eq!(sizes(&[6]), 4);
        assert_eq!(sizes(&[6; 20]), MOST_MIXED);
        let mut size = RoundSize::new(&RoundRanking::new(&BestFirstConfig::A_STAR));
        size.adapt(5, Some(3));
        (0..4).for_each(|_| size.adapt(5, Some(3)));
        assert_eq!((size.now(), size.mixes), (16, false));
        size.adapt(6, Some(3));
        assert_eq!(size.now(), 8);
        let mut size = RoundSize::new(&RoundRanking::new(&BestFirstConfig::DIJKSTRA));
        size.adapt(1, Some(0));
        assert_eq!((size.now(), size.mixes), (usize::MAX, false));
    }
}
