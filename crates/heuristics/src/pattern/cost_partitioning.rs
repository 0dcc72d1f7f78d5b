//! Cost partitioning: which operators cost in which table, so that distances of several tables can
//! be added.
//!
//! Source: [KD10] for cost partitioning; [SKH20] for saturated cost partitioning, here with 0-1
//! costs. If every operator costs in one table only, the sum of distances is admissible and
//! consistent. The first table takes the operators that its distances depend on; the next tables
//! get the rest.

use super::task::PatternTask;

/// The operators that cost in a table.
#[derive(Clone, Debug)]
pub(crate) struct CostShare {
    moves: Vec<bool>,
    /// Whether failing steps cost.
    ends: bool,
}

impl CostShare {
    /// All operators cost.
    pub(crate) fn all(task: &PatternTask) -> CostShare {
        CostShare { moves: vec![true; task.moves.len()], ends: true }
    }

    /// The cost of an operator.
    pub(crate) fn cost(&self, task: &PatternTask, step: u32) -> u32 {
        if self.moves[step as usize] { task.moves[step as usize].cost } else { 0 }
    }

    /// The cost of a failing step.
    pub(crate) fn end(&self, cost: u32) -> u32 {
        if self.ends { cost } else { 0 }
    }

    /// An operator costs nothing from now on.
    pub(crate) fn remove(&mut self, step: u32) {
        self.moves[step as usize] = false;
    }

    /// Steps that fail cost nothing from now on.
    pub(crate) fn remove_ends(&mut self) {
        self.ends = false;
    }
}
