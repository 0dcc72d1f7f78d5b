//! What a search looks for.

use crate::network::code::Code;

/// A condition that a search looks for: a formula, and whether it must hold or must not.
#[derive(Clone, Debug)]
pub struct QueryGoal {
    /// The formula.
    pub code: Code,
    /// Whether states in which it holds are looked for, or those in which it does not.
    pub holds: bool,
}

/// A condition that holds from some state of a run on, for ever.
#[derive(Clone, Debug)]
pub struct AlwaysGoal {
    /// The condition on the state from which on it holds; without one, that is the initial state.
    pub trigger: Option<Code>,
    /// What holds from then on: what `E[]` asks for (`holds`), or what another query forbids.
    pub condition: QueryGoal,
}
