//! What a search looks for, so that a heuristic knows what to be close to.

use beeline_promela::hir::Expr;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum HeuristicGoal {
    /// A state where nobody can move, although somebody should.
    Deadlock,
    /// A step that fails: a false assertion, or any other fault.
    Assertions,
    /// A state where this is false, or has no value.
    Invariant(Expr),
    /// What the machine's claim says must not happen: its end, or an accepting place. States
    /// are those of [`Product`](beeline_engine::claim::Product).
    Claim,
    /// This very state.
    State(Vec<u8>),
}

/// A goal without what it is about, for tables.
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

    /// How it is called.
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
