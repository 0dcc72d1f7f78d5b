//! Which steps count in a table, so that distances of several tables can be added up.
//!
//! Source: cost partitioning, of planning research: where the cost of every step counts in one
//! table only, the sum of their distances is at most the true one, and consistent.
//! The first table takes what its distances need and leaves the rest (saturated cost
//! partitioning): a step that never brings it nearer to an error costs nothing there.

use super::task::PatternTask;

/// The steps that count.
#[derive(Clone, Debug)]
pub(crate) struct CostShare {
    moves: Vec<bool>,
    /// Whether steps that fail count.
    ends: bool,
}

impl CostShare {
    /// All steps.
    pub(crate) fn all(task: &PatternTask) -> CostShare {
        CostShare { moves: vec![true; task.moves.len()], ends: true }
    }

    /// What a step costs here.
    pub(crate) fn cost(&self, task: &PatternTask, step: u32) -> u32 {
        if self.moves[step as usize] { task.moves[step as usize].cost } else { 0 }
    }

    /// What is left here of the cost of a step that fails.
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
