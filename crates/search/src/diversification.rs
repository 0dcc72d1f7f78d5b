//! What a best-first search may do beside following one estimate: lists that take turns, and
//! a share of the turns for states that no estimate would choose. An estimate that is wrong
//! about a plateau or a valley holds up a search that knows nothing else.
//!
//! None of this leaves out a state, so that a search that ends has seen what it would have
//! seen anyway; but what it finds first need not be cheapest, whatever the ranking.

use crate::ranking::Weight;

/// What becomes of a state to which only steps lead that a heuristic calls useless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UselessSteps {
    /// It waits like any other.
    #[default]
    Ignored,
    /// It waits behind all others of its list.
    Last,
}

/// How many facts of a state are looked at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoveltyWidth {
    /// Each for itself.
    One,
    /// Pairs, too.
    Two,
}

/// What a best-first search does beside following one estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diversification {
    /// Preferred steps are asked for: states behind them wait in lists of their own, too,
    /// which get so many turns ahead whenever there is progress.
    pub preferred: Option<u32>,
    /// Useless steps are asked for.
    pub useless: UselessSteps,
    /// The chance that a turn is that of any state.
    pub chance: Weight,
    /// Whether one more list has states by cost and estimate, and lets them go at random.
    pub types: bool,
    /// States with something new to them come first.
    pub novelty: Option<NoveltyWidth>,
    /// What chance depends on.
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

    /// Whether heuristics are asked about steps.
    pub(crate) fn wants_preferences(&self) -> bool {
        self.preferred.is_some() || self.useless == UselessSteps::Last
    }
}
