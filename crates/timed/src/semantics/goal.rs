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
