//! Applicable operators: a decision tree over the values of factors.
//!
//! Source: [Hel06], successor generators.

use crate::encode::{EncodedTask, StateCondition};
use crate::layout::PlanningLayout;

/// A node of the tree.
#[derive(Clone, Debug, Default)]
struct TreeNode {
    /// Operators that need nothing else.
    operators: Vec<u32>,
    /// The factor that is tested, the node for each value, and the one for operators that do not
    /// test it.
    test: Option<(u32, Vec<Option<u32>>, Option<u32>)>,
}

/// Finds the operators whose conditions on values hold.
#[derive(Clone, Debug)]
pub(crate) struct SuccessorGenerator {
    nodes: Vec<TreeNode>,
}

impl SuccessorGenerator {
    pub(crate) fn new(task: &EncodedTask) -> SuccessorGenerator {
        let mut generator = SuccessorGenerator { nodes: Vec::new() };
        let mut all: Vec<(Vec<(u32, u32)>, u32)> = (0..)
            .zip(&task.operators)
            .map(|(at, operator)| {
                let values = operator.preconditions.iter().filter_map(|one| match one {
                    StateCondition::Is(factor, value) => Some((*factor, *value)),
                    _ => None,
                });
                (values.collect(), at)
            })
            .collect();
        all.sort();
        generator.build(&all, 0, task);
        generator
    }

    /// Builds the node of sorted operators that agree in their first conditions.
    fn build(&mut self, all: &[(Vec<(u32, u32)>, u32)], depth: usize, task: &EncodedTask) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(TreeNode::default());
        let done = all.partition_point(|(values, _)| values.len() <= depth);
        let operators: Vec<u32> = all[..done].iter().map(|one| one.1).collect();
        let mut rest = &all[done..];
        let mut test = None;
        if let Some((values, _)) = rest.first() {
            let factor = values[depth].0;
            let mut children = vec![None; task.groups[factor as usize].size() as usize];
            while let Some((values, _)) = rest.first()
                && values[depth].0 == factor
            {
                let value = values[depth].1;
                let end = rest.partition_point(|(other, _)| other[depth] <= (factor, value));
                children[value as usize] = Some(self.build(&rest[..end], depth + 1, task));
                rest = &rest[end..];
            }
            let others = (!rest.is_empty()).then(|| self.build(rest, depth, task));
            test = Some((factor, children, others));
        }
        self.nodes[id as usize] = TreeNode { operators, test };
        id
    }

    /// Visits the operators whose conditions on values hold in a state.
    pub(crate) fn each(&self, layout: &PlanningLayout, state: &[u8], visit: &mut impl FnMut(u32)) {
        self.visit(0, layout, state, visit);
    }

    fn visit(&self, node: u32, layout: &PlanningLayout, state: &[u8], visit: &mut impl FnMut(u32)) {
        let mut next = Some(node);
        while let Some(node) = next {
            let TreeNode { operators, test } = &self.nodes[node as usize];
            operators.iter().for_each(|&operator| visit(operator));
            let Some((factor, children, others)) = test else { return };
            if let Some(child) = children[layout.get(state, *factor) as usize] {
                self.visit(child, layout, state, visit);
            }
            next = *others;
        }
    }
}
