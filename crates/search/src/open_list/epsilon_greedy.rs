//! An epsilon-greedy open list: with a fixed probability the next state is drawn at random from
//! all open states, otherwise an [`AlternationOpenList`] decides.
//!
//! Source: [VSX14].

use beeline_kernel::{SplitMix64, StateId};

use super::random_pool::RandomPool;
use super::{AlternationOpenList, Candidate, OpenEntry, OpenList};
use crate::ranking::Weight;

/// Lists in alternation, and a pool of all open states.
#[derive(Clone, Debug)]
pub struct EpsilonGreedyOpenList {
    /// The probability of a random choice.
    epsilon: Weight,
    pool: RandomPool,
    lists: AlternationOpenList,
}

impl EpsilonGreedyOpenList {
    /// Random choices with this probability among the states of these empty lists.
    pub(crate) fn new(epsilon: Weight, lists: AlternationOpenList) -> Self {
        EpsilonGreedyOpenList { epsilon, pool: RandomPool::default(), lists }
    }
}

impl OpenList for EpsilonGreedyOpenList {
    fn push(&mut self, id: StateId, candidate: &impl Candidate) {
        self.lists.push(id, candidate);
        self.pool.push(id);
    }

    fn pop(
        &mut self,
        rng: &mut SplitMix64,
        is_closed: impl Fn(StateId) -> bool,
    ) -> Option<OpenEntry> {
        if rng.below(usize::from(self.epsilon.under)) < usize::from(self.epsilon.over) {
            while let Some(id) = self.pool.draw(rng) {
                if !is_closed(id) {
                    return Some(OpenEntry { id, rank: None });
                }
            }
        }
        self.lists.pop(rng, is_closed)
    }

    fn peek(&self) -> Option<StateId> {
        None
    }

    fn least_f(&self) -> Option<u64> {
        None
    }

    fn boost_preferred(&mut self, turns: u32) {
        self.lists.boost_preferred(turns);
    }

    fn bytes(&self) -> usize {
        self.lists.bytes() + self.pool.bytes()
    }
}
