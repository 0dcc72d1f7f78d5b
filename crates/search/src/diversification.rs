//! Diversification of best-first search: several open lists in alternation, and a share of
//! expansions for states that no estimate would choose. An estimate that is wrong about a plateau
//! or a local minimum holds up a search that follows nothing else.
//!
//! No state is left out, so a search that ends has expanded the same states; but its first hit
//! need not be cheapest, whatever the ranking.

use crate::ranking::Weight;

/// The treatment of states that only useless steps reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UselessSteps {
    /// The same as of any other.
    #[default]
    Ignored,
    /// They come after all others of their list.
    Last,
}

/// The width of the novelty test: how many facts are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoveltyWidth {
    /// Single facts.
    One,
    /// Single facts and pairs.
    Two,
}

/// Which lists a best-first search has, and how it chooses among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diversification {
    /// Successors by preferred steps are in lists of their own, too, which get this many turns
    /// ahead whenever there is progress.
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
    /// One list, the best first.
    pub const NONE: Diversification = Diversification {
        preferred: None,
        useless: UselessSteps::Ignored,
        chance: Weight { over: 0, under: 1 },
        types: false,
        novelty: None,
        seed: 0,
    };

    /// Whether there is any.
    pub fn is_none(&self) -> bool {
        *self == Diversification { seed: self.seed, ..Diversification::NONE }
    }

    /// Whether heuristics are asked which steps they prefer.
    pub(crate) fn wants_preferences(&self) -> bool {
        self.preferred.is_some() || self.useless == UselessSteps::Last
    }
}
