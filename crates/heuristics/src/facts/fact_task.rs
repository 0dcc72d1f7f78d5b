//! Facts and relaxed operators.

use beeline_factored::{FactorId, FactorReader};
use beeline_kernel::StepLabel;

use super::lists::Lists;

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

/// Which costs the operators have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorCosts {
    /// Those of the steps.
    Real,
    /// Those of the steps and one more, unless each step costs one: short paths count, too.
    PlusOne,
    /// One for each step.
    One,
}

/// The facts of a factored system, and its relaxed operators on them. Copies share the operators.
#[derive(Clone, Debug, Default)]
pub struct FactTask {
    /// By factor: its first fact and the least value; `None` if its values are no facts.
    pub(super) factors: Vec<Option<(u32, i32, u32)>>,
    pub(super) facts: u32,
    pub(super) groups: Vec<OperatorGroup>,
    /// By operator: what it needs, and what it adds.
    pub(super) preconditions: Lists,
    pub(super) effects: Lists,
    /// By operator: its group.
    pub(super) group_of: Vec<u32>,
    /// By fact: the operators that need it, and those that add it.
    pub(super) needed_by: Lists,
    pub(super) added_by: Lists,
    /// By group: its operators.
    pub(super) parts: Lists,
    /// The group of operators that say what a fact implies, which cost nothing.
    pub(super) implications: u32,
    /// The facts of the initial state.
    pub(super) initial: Vec<u32>,
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
        self.group_of.len()
    }

    /// The task with other costs.
    #[must_use]
    pub fn with_costs(&self, costs: OperatorCosts) -> FactTask {
        let mut task = self.clone();
        let is_step = |group: &&mut OperatorGroup| group.label.edge != u32::MAX;
        let steps = task.groups.iter_mut().filter(is_step);
        match costs {
            OperatorCosts::Real => {}
            OperatorCosts::PlusOne if self.has_unit_costs() => {}
            OperatorCosts::PlusOne => steps.for_each(|one| one.cost = one.cost.saturating_add(1)),
            OperatorCosts::One => steps.for_each(|one| one.cost = 1),
        }
        task
    }

    fn has_unit_costs(&self) -> bool {
        self.groups.iter().all(|group| group.cost == 1 || group.label.edge == u32::MAX)
    }

    /// The cost of an operator.
    #[inline]
    pub(super) fn cost(&self, operator: u32) -> u32 {
        self.groups[self.group_of[operator as usize] as usize].cost
    }

    /// Sets the operators.
    pub(super) fn link(&mut self, operators: &[RelaxedOperator]) {
        let facts = self.facts();
        self.preconditions = Lists::of(operators.iter().map(|one| &one.preconditions[..]));
        self.effects = Lists::of(operators.iter().map(|one| &one.effects[..]));
        self.group_of = operators.iter().map(|one| one.group).collect();
        self.needed_by = self.preconditions.inverse(facts);
        self.added_by = self.effects.inverse(facts);
        let groups = Lists::of(self.group_of.iter().map(std::slice::from_ref));
        self.parts = groups.inverse(self.groups.len());
    }
}
