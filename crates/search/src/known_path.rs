//! A known path to an error: its states, the error at its end, and the costs of its parts.

use beeline_kernel::{Cost, Expander, Expansion, StatePath};

use crate::finding::FindingKind;
use crate::hit::Hit;

/// A path with the error at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPath {
    /// The states from the initial one to that with the error, or from which a transition fails.
    pub states: StatePath,
    /// The error.
    pub kind: FindingKind,
    /// The cost of each transition, and at the end that of the transition to the fault, or 0 if the
    /// error is no fault.
    pub costs: Vec<u32>,
}

impl KnownPath {
    /// Follows a path. `None` when its states are not connected, or the error is not at its end.
    pub fn new(
        expander: &mut dyn Expander,
        states: StatePath,
        kind: FindingKind,
    ) -> Option<KnownPath> {
        let mut expansion = Expansion::default();
        let mut costs = Vec::with_capacity(states.len());
        let mut pairs = states.pairs();
        while let Some((from, to)) = pairs.advance() {
            expander.expand_only(from, &mut expansion);
            let ways = (0..expansion.len()).filter(|&at| expansion.state(at) == to);
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

    /// The cost of the whole path.
    pub fn cost(&self) -> Cost {
        Cost(self.costs.iter().sum())
    }

    /// The cost from one of its states to a later one.
    pub fn cost_between(&self, from: usize, to: usize) -> Cost {
        Cost(self.costs[from..to].iter().sum())
    }

    /// The path as a hit of a search.
    pub fn hit(&self) -> Hit {
        Hit { kind: self.kind, cost: Some(self.cost()) }
    }

    /// Replaces the part between two of its states by another path with the same ends.
    pub(super) fn replace(&mut self, from: usize, to: usize, part: KnownPath) {
        let costs = part.costs[..part.states.transitions()].iter().copied();
        self.costs.splice(from..to, costs);
        let rest = self.states.part(to + 1, self.states.len());
        self.states.truncate(from);
        self.states.append(&part.states);
        self.states.append(&rest);
    }
}
