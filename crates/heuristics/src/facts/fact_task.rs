//! Facts and relaxed operators.

use beeline_factored::{FactorId, FactorReader};
use beeline_kernel::StepLabel;

/// A relaxed operator: it adds facts where others hold. The parts of an operator, one for each
/// condition of its effects, share its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RelaxedOperator {
    pub(super) preconditions: Vec<u32>,
    pub(super) effects: Vec<u32>,
    /// The operator that it is a part of.
    pub(super) group: u32,
}

/// An operator: the cost that its parts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OperatorGroup {
    pub(super) cost: u32,
    pub(super) label: StepLabel,
}

/// The facts of a factored system, and its operators on them.
#[derive(Clone, Debug, Default)]
pub struct FactTask {
    /// By factor: its first fact and the least value; `None` if its values are no facts.
    pub(super) factors: Vec<Option<(u32, i32, u32)>>,
    pub(super) facts: u32,
    pub(super) operators: Vec<RelaxedOperator>,
    pub(super) groups: Vec<OperatorGroup>,
    /// By fact: the operators that need it.
    pub(super) needed_by: Vec<Vec<u32>>,
}

impl FactTask {
    /// The fact that always holds: operators without preconditions need it.
    pub(super) const ALWAYS: u32 = 0;
    /// The fact that a goal holds.
    pub(super) const GOAL: u32 = 1;

    /// The fact that a factor has a value, if it is one.
    pub(super) fn fact(&self, factor: FactorId, value: i32) -> Option<u32> {
        let (first, least, count) = self.factors[factor.index()]?;
        let offset = u32::try_from(i64::from(value) - i64::from(least)).ok()?;
        (offset < count).then_some(first + offset)
    }

    /// The facts of a state. `false` if the state does not fit into the system.
    pub(super) fn read(
        &self,
        reading: &dyn FactorReader,
        state: &[u8],
        facts: &mut Vec<u32>,
    ) -> bool {
        facts.clear();
        facts.push(FactTask::ALWAYS);
        reading.read(state, &mut |factor, value| facts.extend(self.fact(factor, value)))
    }

    /// The number of facts.
    pub fn facts(&self) -> usize {
        self.facts as usize
    }

    /// The number of relaxed operators.
    pub fn operators(&self) -> usize {
        self.operators.len()
    }

    /// Finds the operators that need each fact.
    pub(super) fn link(&mut self) {
        self.needed_by = vec![Vec::new(); self.facts as usize];
        for (at, operator) in (0..).zip(&self.operators) {
            for &fact in &operator.preconditions {
                self.needed_by[fact as usize].push(at);
            }
        }
    }
}
