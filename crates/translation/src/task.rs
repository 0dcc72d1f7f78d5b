//! Planning tasks in variables with finite domains.

/// A variable.
#[derive(Clone, Debug)]
pub struct FiniteVariable {
    /// Its name in plans and texts: letters, digits and hyphens.
    pub name: String,
    /// The values, in ascending order.
    pub values: Vec<i32>,
    /// The position of the initial value.
    pub initial: u32,
}

/// A variable has a value, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The variable.
    pub variable: u32,
    /// The position of the value.
    pub value: u32,
}

/// An assignment under conditions on the state before the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalEffect {
    /// The conditions; none for an effect in any case.
    pub conditions: Vec<Fact>,
    /// What holds afterwards.
    pub fact: Fact,
}

/// An action.
#[derive(Clone, Debug)]
pub struct FiniteAction {
    /// Its name in plans.
    pub name: String,
    /// What it means, for people.
    pub remark: String,
    /// Its cost.
    pub cost: u32,
    /// The conditions, with different variables.
    pub conditions: Vec<Fact>,
    /// The effects. No two of them assign different values to a variable.
    pub effects: Vec<ConditionalEffect>,
}

/// A task: a path from the initial values to a goal.
#[derive(Clone, Debug)]
pub struct FiniteTask {
    /// The variables.
    pub variables: Vec<FiniteVariable>,
    /// The actions.
    pub actions: Vec<FiniteAction>,
    /// The goal: a single fact.
    pub goal: Fact,
}

impl FiniteTask {
    /// Whether an effect has conditions.
    pub fn has_conditional_effects(&self) -> bool {
        let mut effects = self.actions.iter().flat_map(|action| &action.effects);
        effects.any(|effect| !effect.conditions.is_empty())
    }
}
