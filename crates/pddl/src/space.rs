//! The state space of an encoded task.

use beeline_kernel::{Expander, Expansion, Fault, Space, StepLabel};

use crate::axiom_evaluator::{AxiomEvaluator, holds};
use crate::encode::{EncodedOperator, EncodedTask, StateCondition, ValueChange};
use crate::layout::PlanningLayout;
use crate::successor_generator::SuccessorGenerator;

/// The invariant that a state of the goal violates.
pub(crate) const GOAL: u32 = 0;

/// The state space: a step is an action, its label the number of the operator.
#[derive(Debug)]
pub(crate) struct PlanningSpace {
    pub(crate) task: EncodedTask,
    pub(crate) layout: PlanningLayout,
    generator: SuccessorGenerator,
    axioms: AxiomEvaluator,
}

impl PlanningSpace {
    pub(crate) fn new(task: EncodedTask) -> PlanningSpace {
        let layout = PlanningLayout::new(&task);
        let generator = SuccessorGenerator::new(&task);
        let axioms = AxiomEvaluator::new(&task);
        PlanningSpace { task, layout, generator, axioms }
    }

    /// An evaluator of axioms.
    pub(crate) fn axioms(&self) -> AxiomEvaluator {
        self.axioms.clone()
    }

    /// The initial state.
    pub(crate) fn initial_state(&self) -> Vec<u8> {
        let mut state = vec![0; self.layout.bytes()];
        for (factor, group) in (0..).zip(&self.task.groups) {
            self.layout.set(&mut state, factor, group.initial);
        }
        for (fluent, &value) in (0..).zip(&self.task.numbers) {
            self.layout.set_number(&mut state, fluent, value);
        }
        state
    }

    fn all_hold(&self, conditions: &[StateCondition], state: &[u8], derived: &[bool]) -> bool {
        conditions.iter().all(|&one| holds(one, &self.task, &self.layout, state, derived))
    }

    /// Applies the effects of an operator; `false` if a number does not fit, which is as if the
    /// operator were not applicable.
    fn apply(
        &self,
        operator: &EncodedOperator,
        state: &[u8],
        next: &mut [u8],
        derived: &[bool],
    ) -> bool {
        for effect in &operator.effects {
            if !self.all_hold(&effect.conditions, state, derived) {
                continue;
            }
            match &effect.change {
                ValueChange::Set(factor, value) => self.layout.set(next, *factor, *value),
                ValueChange::Number(kind, fluent, value) => {
                    let by = value.value(&|fluent| self.layout.number(state, fluent));
                    // Several changes of a fluent add up.
                    let old = self.layout.number(next, *fluent);
                    let new = by.and_then(|by| kind.apply(old, by));
                    if !new.is_some_and(|new| self.layout.set_number(next, *fluent, new)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn add(&self, state: &[u8], axioms: &mut AxiomEvaluator, expansion: &mut Expansion) {
        if !axioms.is_empty() {
            axioms.evaluate(&self.task, &self.layout, state);
        }
        let derived = &axioms.holds;
        if self.task.goal.as_ref().is_some_and(|goal| self.all_hold(goal, state, derived)) {
            expansion.violated_invariants.push(GOAL);
        }
        self.generator.each(&self.layout, state, &mut |number| {
            let operator = &self.task.operators[number as usize];
            let mut others = operator.preconditions.iter();
            let others = others.all(|&one| {
                matches!(one, StateCondition::Is(..))
                    || holds(one, &self.task, &self.layout, state, derived)
            });
            if !others {
                return;
            }
            let label = StepLabel { edge: number, process: 0 };
            expansion.push_labelled(operator.cost, label, state);
            let at = expansion.len() - 1;
            if !self.apply(operator, state, expansion.successors.state_mut(at), derived) {
                expansion.successors.truncate(at);
            }
        });
    }
}

impl Space for PlanningSpace {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        *state = self.initial_state();
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.add(state, &mut self.axioms(), expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(PlanningExpander { space: self, axioms: self.axioms() })
    }
}

/// Expands with buffers for axioms.
struct PlanningExpander<'a> {
    space: &'a PlanningSpace,
    axioms: AxiomEvaluator,
}

impl Expander for PlanningExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.space.add(state, &mut self.axioms, expansion);
    }
}
