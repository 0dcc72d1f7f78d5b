//! The cost of a lasso in steps, computed by following it.
//!
//! If several transitions lead from a state to the next, the cheapest counts, and the cycle has the
//! marks of all of them, as in [`Lasso::is_valid`].

use beeline_kernel::{AcceptanceMarks, Cost, CycleKind, Expander, Expansion};

use super::lasso::{Lasso, marks_of};

/// The costs of stem and cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LassoLength {
    /// From the initial state to the first state of the cycle.
    pub stem: Cost,
    /// One round of the cycle.
    pub cycle: Cost,
}

impl LassoLength {
    /// Both together.
    pub fn total(self) -> Cost {
        self.stem + self.cycle
    }
}

impl Lasso {
    /// Follows the lasso. `None` when its states are not connected, or there is no cycle.
    pub fn length(&self, expander: &mut dyn Expander) -> Option<LassoLength> {
        let states: Vec<&Vec<u8>> = self.stem.iter().chain(&self.cycle).collect();
        let behind = states.iter().skip(1).copied().chain(self.cycle.first());
        let mut expansion = Expansion::default();
        let mut costs = Vec::with_capacity(states.len());
        for (from, to) in states.iter().zip(behind) {
            expander.expand_only(from, &mut expansion);
            let ways = (0..expansion.len()).filter(|&at| expansion.state(at) == to);
            costs.push(Cost(ways.map(|at| expansion.steps(at)).min()?));
        }
        let cycle = costs.split_off(self.stem.len().min(costs.len()));
        let whole = !cycle.is_empty();
        let sum = |costs: Vec<Cost>| costs.into_iter().sum();
        whole.then(|| LassoLength { stem: sum(costs), cycle: sum(cycle) })
    }
}

/// The marks that a transition adds to a cycle, together with all others to the same state.
pub(super) fn marks_to(expansion: &Expansion, way: usize) -> AcceptanceMarks {
    let there = expansion.state(way);
    let others = 0..expansion.marks.len().min(expansion.len());
    let same = others.filter(|&other| other != way && expansion.state(other) == there);
    same.fold(marks_of(expansion, way), |marks, other| marks | expansion.marks[other])
}

/// Whether an accepting cycle can begin with the expanded state. Each accepting cycle passes such a
/// state, since one of its transitions bears the first mark.
pub(super) fn is_seed(expansion: &Expansion) -> bool {
    let marked = |way| marks_of(expansion, way).has(0);
    expansion.component.cycles != CycleKind::Never && (0..expansion.len()).any(marked)
}
