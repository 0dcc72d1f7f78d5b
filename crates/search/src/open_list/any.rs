//! The open list of a configuration.

use beeline_kernel::{SplitMix64, StateId};

use super::{
    AlternationOpenList, BucketOpenList, Candidate, EpsilonGreedyOpenList, OpenEntry, OpenList,
};
use crate::best_first_config::{BestFirstConfig, TieBreak};

/// One of the open lists.
#[derive(Clone, Debug)]
pub enum AnyOpenList {
    /// One heuristic.
    Buckets(BucketOpenList),
    /// Several lists that take turns.
    Alternation(Box<AlternationOpenList>),
    /// The same, with random choices.
    EpsilonGreedy(Box<EpsilonGreedyOpenList>),
}

impl AnyOpenList {
    /// For one heuristic.
    pub(crate) fn single(config: &BestFirstConfig) -> AnyOpenList {
        let has_ties = config.tie_break != TieBreak::Nothing;
        AnyOpenList::Buckets(BucketOpenList::new(config.queue_order, has_ties))
    }

    /// For this many heuristics, with the lists that the diversification asks for.
    pub(crate) fn diversified(config: &BestFirstConfig, heuristics: usize) -> AnyOpenList {
        let diversification = &config.diversification;
        let has_ties = config.tie_break != TieBreak::Nothing || diversification.novelty.is_some();
        let mut lists = AlternationOpenList::default();
        for heuristic in 0..heuristics {
            lists.add_all(heuristic, config.queue_order, has_ties);
            if diversification.preferred.is_some() {
                lists.add_preferred(heuristic, config.queue_order, has_ties);
            }
        }
        if diversification.types {
            lists.add_typed();
        }
        if diversification.chance.over > 0 {
            let list = EpsilonGreedyOpenList::new(diversification.chance, lists);
            AnyOpenList::EpsilonGreedy(Box::new(list))
        } else {
            AnyOpenList::Alternation(Box::new(lists))
        }
    }
}

/// Calls a method of the current variant.
macro_rules! dispatch {
    ($any:expr, $list:ident => $call:expr) => {
        match $any {
            AnyOpenList::Buckets($list) => $call,
            AnyOpenList::Alternation($list) => $call,
            AnyOpenList::EpsilonGreedy($list) => $call,
        }
    };
}

impl OpenList for AnyOpenList {
    #[inline]
    fn push(&mut self, id: StateId, candidate: &impl Candidate) {
        match self {
            AnyOpenList::Buckets(list) => OpenList::push(list, id, candidate),
            AnyOpenList::Alternation(list) => list.push(id, candidate),
            AnyOpenList::EpsilonGreedy(list) => list.push(id, candidate),
        }
    }

    #[inline]
    fn pop(
        &mut self,
        rng: &mut SplitMix64,
        is_closed: impl Fn(StateId) -> bool,
    ) -> Option<OpenEntry> {
        match self {
            AnyOpenList::Buckets(list) => OpenList::pop(list, rng, is_closed),
            AnyOpenList::Alternation(list) => list.pop(rng, is_closed),
            AnyOpenList::EpsilonGreedy(list) => list.pop(rng, is_closed),
        }
    }

    #[inline]
    fn peek(&self) -> Option<StateId> {
        dispatch!(self, list => list.peek())
    }

    #[inline]
    fn least_f(&self) -> Option<u64> {
        dispatch!(self, list => list.least_f())
    }

    fn boost_preferred(&mut self, turns: u32) {
        dispatch!(self, list => list.boost_preferred(turns));
    }

    #[inline]
    fn bytes(&self) -> usize {
        dispatch!(self, list => list.bytes())
    }
}
