//! How a best-first search goes about it, as plain data.
//!
//! Source: [ELL00] §3.1, Table 3 for A\*; [EMJ05], Directed Search, section 6 for weighted
//! A\* and greedy search, which does not reopen.

use crate::diversification::Diversification;
use crate::open_list::QueueOrder;
use crate::ranking::{Ranking, Weight};

/// What decides between states with equal `f`, before their arrival does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// Nothing.
    #[default]
    Nothing,
    /// The smaller estimate.
    LowH,
    /// The smaller cost so far.
    LowG,
    /// The smaller estimate of a second heuristic.
    Heuristic,
}

/// When a state is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// When it is generated.
    #[default]
    Eager,
    /// When it is expanded. Until then it has the estimate of the state it was generated
    /// from. For heuristics that cost more than to expand a state. Nothing found this
    /// way is known to be cheapest, except by comparing costs so far.
    Lazy,
}

/// When a state is looked at, to see whether it is what is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoalTest {
    /// When it is expanded, that is when nothing better is left: what A\* needs to be
    /// optimal. A fault waits, as a state of estimate 0 would.
    #[default]
    Expansion,
    /// When it is generated. A state shows what is wrong with it only when it is
    /// expanded, so every new state is expanded once for a look, which does not count.
    Generation,
}

/// What to do about a cheaper way to a state that was expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reopening {
    /// Expand it again.
    #[default]
    Always,
    /// Forget the cheaper way.
    Never,
}

/// The order in which the successors of a state are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuccessorOrder {
    /// As the space gives them. Where the last to come is the first to go, the last
    /// successor is expanded first.
    #[default]
    Forward,
    /// The other way round.
    Reversed,
}

/// All there is to say about a best-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestFirstConfig {
    /// What makes a state better than another.
    pub ranking: Ranking,
    /// What decides between equals.
    pub tie_break: TieBreak,
    /// What decides between those that are still equal.
    pub queue_order: QueueOrder,
    /// When states are estimated.
    pub evaluation: Evaluation,
    /// When they are looked at.
    pub goal_test: GoalTest,
    /// Whether they may be expanded again.
    pub reopening: Reopening,
    /// The order of successors.
    pub successor_order: SuccessorOrder,
    /// What to do beside all that.
    pub diversification: Diversification,
}

impl BestFirstConfig {
    /// A\* as HSF-SPIN has it: f = g + h, and the last to come is the first to go.
    pub const A_STAR: BestFirstConfig = BestFirstConfig {
        ranking: Ranking::SUM,
        tie_break: TieBreak::Nothing,
        queue_order: QueueOrder::Lifo,
        evaluation: Evaluation::Eager,
        goal_test: GoalTest::Expansion,
        reopening: Reopening::Always,
        successor_order: SuccessorOrder::Forward,
        diversification: Diversification::NONE,
    };

    /// Dijkstra's algorithm, first come, first served: breadth-first, where all steps
    /// cost the same.
    pub const DIJKSTRA: BestFirstConfig = BestFirstConfig {
        ranking: Ranking::COST,
        queue_order: QueueOrder::Fifo,
        ..BestFirstConfig::A_STAR
    };

    /// Greedy best-first search: f = h, and no state is expanded twice.
    pub const GREEDY: BestFirstConfig = BestFirstConfig {
        ranking: Ranking::ESTIMATE,
        reopening: Reopening::Never,
        ..BestFirstConfig::A_STAR
    };

    /// Weighted A\*: f = g + w·h.
    pub fn weighted(w: Weight) -> BestFirstConfig {
        BestFirstConfig { ranking: Ranking::weighted(w), ..BestFirstConfig::A_STAR }
    }

    /// Weighted A\*, the other form: f = (1 - w)·g + w·h.
    pub fn mixed(w: Weight) -> BestFirstConfig {
        BestFirstConfig { ranking: Ranking::mixed(w), ..BestFirstConfig::A_STAR }
    }
}
