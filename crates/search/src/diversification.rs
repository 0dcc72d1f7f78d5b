//! Diversification of best-first search: several open lists in alternation, and a share of
//! expansions for states that no estimate would choose. A misleading estimate on a plateau or in a
//! local minimum delays a search that depends on it alone.
//!
//! No state is left out, so a search that ends has expanded the same states; but its first hit need
//! not be cheapest, for any ranking.

use crate::ranking::Weight;

/// The treatment of states that only useless steps reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UselessSteps {
    /// As any other states.
    #[default]
    Ignored,
    /// They come after all others of their list.
    Last,
}

/// The width of the novelty test: the number of facts in a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoveltyWidth {
    /// Single facts.
    One,
    /// Single facts and pairs.
    Two,
}

/// The open lists of a best-first search, and the choice among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diversification {
    /// Successors by preferred steps are in lists of their own, too, which get this many turns in
    /// advance at each progress.
    pub preferred: Option<u32>,
    /// The treatment of useless steps.
    pub useless: UselessSteps,
    /// Epsilon: the probability that the next state is drawn at random.
    pub chance: Weight,
    /// Whether there is a list of typed buckets, from which states are drawn at random.
    pub types: bool,
    /// Novel states come first.
    pub novelty: Option<NoveltyWidth>,
    /// The seed of random choices.
    pub seed: u64,
}

impl Diversification {
    /// One list, the best state first.
    pub const NONE: Diversification = Diversification {
        preferred: None,
        useless: UselessSteps::Ignored,
        chance: Weight { over: 0, under: 1 },
        types: false,
        novelty: None,
        seed: 0,
    };

    /// Whether there is no diversification.
    pub fn is_none(&self) -> bool {
        *self == Diversification { seed: self.seed, ..Diversification::NONE }
    }

    /// Whether heuristics are asked for preferred steps.
    pub(crate) fn wants_preferences(&self) -> bool {
        self.preferred.is_some() || self.useless == UselessSteps::Last
    }
}
