//! What a search looks for, so that a heuristic knows what to be close to.

use beeline_promela::hir::Expr;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Goal {
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
    /// [`Goal::Deadlock`]
    Deadlock,
    /// [`Goal::Assertions`]
    Assertions,
    /// [`Goal::Invariant`]
    Invariant,
    /// [`Goal::Claim`]
    Claim,
    /// [`Goal::State`]
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

impl Goal {
    /// Its kind.
    pub fn kind(&self) -> GoalKind {
        match self {
            Goal::Deadlock => GoalKind::Deadlock,
            Goal::Assertions => GoalKind::Assertions,
            Goal::Invariant(_) => GoalKind::Invariant,
            Goal::Claim => GoalKind::Claim,
            Goal::State(_) => GoalKind::State,
        }
    }
}
