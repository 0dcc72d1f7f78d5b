//! Costs of steps: those of the operators that a step of the model consists of.
//!
//! Source: [EMJ05], "Symbolic Search", §6: a weighted transition relation has a cost for each
//! transition. Here operators of the same cost share relations.

use beeline_factored::{Operator, System};

/// The cost of a step of the model: a constant, and a cost for each of its operators. In an atomic
/// sequence, a step has several operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCosts {
    /// The cost of each step of the model.
    pub(crate) per_step: u32,
    /// The costs of the operators; those beyond the end cost nothing.
    operators: Vec<u32>,
}

impl StepCosts {
    /// Each step of the model costs 1, whatever its operators are.
    pub fn steps() -> StepCosts {
        StepCosts { per_step: 1, operators: Vec::new() }
    }

    /// Each operator has a cost, and a step costs the sum of its operators.
    pub fn operators(system: &System, cost: impl FnMut(&Operator) -> u32) -> StepCosts {
        StepCosts { per_step: 0, operators: system.steps.iter().map(cost).collect() }
    }

    /// The cost of an operator, by its position in the system.
    pub(crate) fn operator(&self, at: u32) -> u32 {
        self.operators.get(at as usize).copied().unwrap_or(0)
    }

    /// Whether all steps cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        self.operators.iter().all(|&cost| cost == 0)
    }

    /// The same costs for some operators, and 0 for all others. Steps must cost what their operators
    /// cost.
    pub(crate) fn only(&self, is_counted: impl Fn(u32) -> bool) -> StepCosts {
        debug_assert!(self.is_additive(), "a step has no cost of its own");
        let costs = (0..).zip(&self.operators);
        let operators = costs.map(|(at, &cost)| if is_counted(at) { cost } else { 0 }).collect();
        StepCosts { per_step: self.per_step, operators }
    }

    /// Whether a step costs the sum of its operators, so that their costs can be divided among
    /// several estimates.
    pub(crate) fn is_additive(&self) -> bool {
        self.per_step == 0
    }

    /// The costs of other operators, each of which is made of one of these.
    pub(crate) fn of(&self, origins: &[u32]) -> StepCosts {
        let operators = origins.iter().map(|&at| self.operator(at)).collect();
        StepCosts { per_step: self.per_step, operators }
    }
}
