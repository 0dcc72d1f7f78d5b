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
        let (path, mut expansion) = (self.closed_path(), Expansion::default());
        let mut length = LassoLength { stem: Cost::ZERO, cycle: Cost::ZERO };
        let (mut pairs, mut at) = (path.pairs(), 0);
        while let Some((from, to)) = pairs.advance() {
            expander.expand_only(from, &mut expansion);
            let ways = (0..expansion.len()).filter(|&way| expansion.state(way) == to);
            let cost = Cost(ways.map(|way| expansion.steps(way)).min()?);
            let part = if at < self.stem.len() { &mut length.stem } else { &mut length.cycle };
            *part = *part + cost;
            at += 1;
        }
        (!self.cycle.is_empty()).then_some(length)
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
