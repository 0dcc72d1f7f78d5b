//! A known path to an error: its states, the error at its end, and the costs of its parts.

use beeline_kernel::{Cost, Expander, Expansion};

use crate::finding::FindingKind;
use crate::hit::Hit;

/// A path, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPath {
    /// From the initial state to the one that is in error, or from which a transition
    /// fails.
    pub states: Vec<Vec<u8>>,
    /// What is there.
    pub kind: FindingKind,
    /// The cost of each transition; and of the last one, to the fault, if the error is one,
    /// otherwise 0.
    pub costs: Vec<u32>,
}

impl KnownPath {
    /// Follows a path. `None` when its states do not follow each other, or what it should
    /// lead to is not there.
    pub fn new(
        expander: &mut dyn Expander,
        states: Vec<Vec<u8>>,
        kind: FindingKind,
    ) -> Option<KnownPath> {
        let mut expansion = Expansion::default();
        let mut costs = Vec::with_capacity(states.len());
        for pair in states.windows(2) {
            expander.expand_only(&pair[0], &mut expansion);
            let ways = (0..expansion.len()).filter(|&at| expansion.state(at) == pair[1]);
            costs.push(ways.map(|at| expansion.steps(at)).min()?);
        }
        expander.expand_only(states.last()?, &mut expansion);
        costs.push(match kind {
            FindingKind::Deadlock => expansion.deadlock.then_some(0)?,
            FindingKind::Invariant(number) => {
                expansion.violated_invariants.contains(&number).then_some(0)?
            }
            FindingKind::Fault(fault) => {
                let same = expansion.faults.iter().filter(|failure| failure.fault == fault);
                same.map(|failure| failure.steps).min()?
            }
        });
        Some(KnownPath { states, kind, costs })
    }

    /// What all of it costs.
    pub fn cost(&self) -> Cost {
        Cost(self.costs.iter().sum())
    }

    /// What it costs to get from one of its states to a later one.
    pub fn cost_between(&self, from: usize, to: usize) -> Cost {
        Cost(self.costs[from..to].iter().sum())
    }

    /// The same as a hit of a search.
    pub fn hit(&self) -> Hit {
        Hit { kind: self.kind, cost: Some(self.cost()) }
    }

    /// Takes another path from one of its states to a later one: through these states, of
    /// which the first and the last are those two, at these costs.
    pub(super) fn replace(&mut self, from: usize, to: usize, part: KnownPath) {
        let last = part.states.len() - 1;
        let costs = part.costs[..last].iter().copied();
        self.costs.splice(from..to, costs);
        self.states.splice(from..=to, part.states);
    }
}
