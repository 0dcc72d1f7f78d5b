//! The goal of a search, for heuristics.

use beeline_promela::hir::Expr;

/// The errors that a heuristic estimates the distance to.
#[derive(Clone, Debug)]
pub enum HeuristicGoal {
    /// A deadlock: an invalid end state.
    Deadlock,
    /// A failing step: a violated assertion or another fault.
    Assertions,
    /// A state in which this invariant is false or undefined.
    Invariant(Expr),
    /// A violation of the machine's claim: its end or an accepting state. States are those of
    /// [`Product`](beeline_engine::claim::Product).
    Claim,
    /// This state.
    State(Vec<u8>),
}

/// The kind of a goal, for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// [`HeuristicGoal::Deadlock`]
    Deadlock,
    /// [`HeuristicGoal::Assertions`]
    Assertions,
    /// [`HeuristicGoal::Invariant`]
    Invariant,
    /// [`HeuristicGoal::Claim`]
    Claim,
    /// [`HeuristicGoal::State`]
    State,
}

impl GoalKind {
    /// Every kind.
    pub const ALL: &'static [GoalKind] = &[
        GoalKind::Deadlock,
        GoalKind::Assertions,
        GoalKind::Invariant,
        GoalKind::Claim,
        GoalKind::State,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            GoalKind::Deadlock => "deadlock",
            GoalKind::Assertions => "assertions",
            GoalKind::Invariant => "invariant",
            GoalKind::Claim => "claim",
            GoalKind::State => "known state",
        }
    }
}

impl HeuristicGoal {
    /// Its kind.
    pub fn kind(&self) -> GoalKind {
        match self {
            HeuristicGoal::Deadlock => GoalKind::Deadlock,
            HeuristicGoal::Assertions => GoalKind::Assertions,
            HeuristicGoal::Invariant(_) => GoalKind::Invariant,
            HeuristicGoal::Claim => GoalKind::Claim,
            HeuristicGoal::State(_) => GoalKind::State,
        }
    }
}
