//! Derived facts as far as operators change them: the conditions on values and numbers in the
//! bodies of their axioms, and of the axioms of the derived facts in these.

use std::sync::OnceLock;

use crate::encode::{EncodedTask, StateCondition};

/// A condition that contributes to a derived fact where it is as `sign` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    pub(super) condition: StateCondition,
    pub(super) sign: bool,
}

/// The leaves of derived facts, found at their first use.
#[derive(Debug)]
pub(super) struct DerivedLeaves {
    /// By derived fact: its axioms.
    axioms: Vec<Vec<u32>>,
    leaves: Vec<OnceLock<Box<[Leaf]>>>,
}

impl DerivedLeaves {
    pub(super) fn new(task: &EncodedTask) -> DerivedLeaves {
        let mut axioms = vec![Vec::new(); task.derived.len()];
        for (at, axiom) in (0..).zip(&task.axioms) {
            axioms[axiom.head as usize].push(at);
        }
        let leaves = task.derived.iter().map(|_| OnceLock::new()).collect();
        DerivedLeaves { axioms, leaves }
    }

    /// The axioms of a derived fact.
    pub(super) fn axioms(&self, fact: u32) -> &[u32] {
        &self.axioms[fact as usize]
    }

    /// The leaves of a derived fact: it becomes true only where one becomes as its sign says, and
    /// false only where one ceases to be so.
    pub(super) fn of(&self, task: &EncodedTask, fact: u32) -> &[Leaf] {
        self.leaves[fact as usize].get_or_init(|| self.find(task, fact))
    }

    fn find(&self, task: &EncodedTask, fact: u32) -> Box<[Leaf]> {
        let mut is_met = vec![[false; 2]; self.axioms.len()];
        let (mut open, mut found) = (vec![(fact, true)], Vec::new());
        is_met[fact as usize][1] = true;
        while let Some((fact, sign)) = open.pop() {
            let axioms = self.axioms[fact as usize].iter();
            for &condition in axioms.flat_map(|&axiom| &task.axioms[axiom as usize].body) {
                let StateCondition::Derived(part, is) = condition else {
                    found.push(Leaf { condition, sign });
                    continue;
                };
                let sign = sign == is;
                let is_met = &mut is_met[part as usize][usize::from(sign)];
                if !*is_met {
                    *is_met = true;
                    open.push((part, sign));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.into_boxed_slice()
    }
}

/// Whether a condition on a factor may become true, or false, where the factor gets this value.
pub(super) fn may_become(condition: StateCondition, new: u32, becomes: bool) -> bool {
    match condition {
        StateCondition::Is(_, value) => (value == new) == becomes,
        StateCondition::IsNot(_, value) => (value != new) == becomes,
        StateCondition::Derived(..) | StateCondition::Compare(..) => true,
    }
}
