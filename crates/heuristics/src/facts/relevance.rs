//! The relaxed operators on which the goal depends: those that add a fact which the goal or another one of them
//! needs. Effects on other facts are left out.
//!
//! Operators of planning tasks delete facts under the condition that they hold, so that most
//! of their parts add negations that no operator needs. In the delete relaxation, a path to the goal needs
//! none of them: the costs of relaxed plans stay the same, and so do all estimates but for ties. The facts
//! that were reached on the way to a state are another matter, so landmarks are found with all operators.

use super::fact_task::{FactTask, RelaxedOperator};

impl FactTask {
    /// The task without operators and effects that the goal does not need.
    #[must_use]
    pub fn relevant(&self) -> FactTask {
        let mut is_needed = vec![false; self.facts()];
        is_needed[FactTask::GOAL as usize] = true;
        let mut open = vec![FactTask::GOAL];
        while let Some(fact) = open.pop() {
            for &adder in self.added_by.at(fact) {
                for &needed in self.preconditions.at(adder) {
                    if !std::mem::replace(&mut is_needed[needed as usize], true) {
                        open.push(needed);
                    }
                }
            }
        }
        let operators = (0..self.operators() as u32).map(|at| RelaxedOperator {
            preconditions: self.preconditions.at(at).to_vec(),
            effects: self
                .effects
                .at(at)
                .iter()
                .copied()
                .filter(|&effect| is_needed[effect as usize])
                .collect(),
            group: self.group_of[at as usize],
        });
        let operators: Vec<RelaxedOperator> =
            operators.filter(|operator| !operator.effects.is_empty()).collect();
        let mut task = self.clone();
        task.link(&operators);
        task
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::StepLabel;

    use super::super::fact_task::OperatorGroup;
    use super::*;

    #[test]
    fn what_no_operator_needs_is_left_out() {
        let operator = |group, preconditions: &[u32], effects: &[u32]| RelaxedOperator {
            preconditions: preconditions.to_vec(),
            effects: effects.to_vec(),
            group,
        };
        let goal = FactTask::GOAL;
        let operators = vec![
            operator(0, &[2], &[3, 4]),
            operator(1, &[3], &[goal]),
            operator(2, &[2], &[4]),
            operator(3, &[5], &[2, goal]),
            operator(4, &[4], &[6]),
        ];
        let expected =
            [operator(0, &[2], &[3]), operator(1, &[3], &[goal]), operator(3, &[5], &[2, goal])];
        let group = OperatorGroup { cost: 1, label: StepLabel::default() };
        let mut task = FactTask { facts: 7, groups: vec![group; 5], ..FactTask::default() };
        task.link(&operators);
        let relevant = task.relevant();
        assert_eq!(relevant.operators(), expected.len());
        for (at, operator) in (0..).zip(&expected) {
            assert_eq!(relevant.preconditions.at(at), operator.preconditions);
            assert_eq!(relevant.effects.at(at), operator.effects);
            assert_eq!(relevant.group_of[at as usize], operator.group);
        }
    }
}
