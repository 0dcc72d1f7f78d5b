//! The configuration of best-first search, as plain data.
//!
//! Source: [ELL00] §3.1, Table 3 for A\*; [EMJ05], Directed Search, section 6 for weighted
//! A\* and greedy search, which does not reopen.

use crate::diversification::Diversification;
use crate::ranking::{Ranking, Weight};

/// The tie-breaking criterion between states with equal `f`, before the queue order.
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

/// When a state is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// When it is generated.
    #[default]
    Eager,
    /// When it is expanded. Until then it has the estimate of its parent. For heuristics that
    /// take longer than an expansion. No hit is proved to be cheapest by estimates.
    Lazy,
}

/// When a state is tested for the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoalTest {
    /// When it is expanded, which A\* needs to be optimal. A fault is queued like a state of
    /// estimate 0.
    #[default]
    Expansion,
    /// When it is generated. The errors of a state are known only when it is expanded, so every
    /// new state is expanded once for the test, which is not counted.
    Generation,
}

/// The treatment of a cheaper path to a closed state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reopening {
    /// Reopen it.
    #[default]
    Always,
    /// Ignore the cheaper path.
    Never,
}

/// The order in which the successors of a state are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuccessorOrder {
    /// As the space generates them. With a LIFO queue, the last successor is expanded first.
    #[default]
    Forward,
    /// Reversed.
    Reversed,
}

/// The configuration of a best-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestFirstConfig {
    /// The evaluation function.
    pub ranking: Ranking,
    /// The tie-breaking criterion.
    pub tie_break: TieBreak,
    /// The order of states with equal rank and tie.
    pub queue_order: QueueOrder,
    /// When states are evaluated.
    pub evaluation: Evaluation,
    /// When they are tested for the target.
    pub goal_test: GoalTest,
    /// Whether closed states are reopened.
    pub reopening: Reopening,
    /// The order of successors.
    pub successor_order: SuccessorOrder,
    /// Further lists and random choices.
    pub diversification: Diversification,
}

impl BestFirstConfig {
    /// A\* as in HSF-SPIN: f = g + h, with a LIFO queue.
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

    /// Dijkstra's algorithm with a FIFO queue: breadth-first, if all steps cost the same.
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

    /// Weighted A\* in its other form: f = (1 - w)·g + w·h.
    pub fn mixed(w: Weight) -> BestFirstConfig {
        BestFirstConfig { ranking: Ranking::mixed(w), ..BestFirstConfig::A_STAR }
    }
}

/// The order of states with equal ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// Last in, first out.
    #[default]
    Lifo,
    /// First in, first out.
    Fifo,
}
