//! Walking through the rings of a fixpoint with states of the model.

use beeline_symbolic::Set;

use super::ExplicitStates;
use crate::error::BranchingError;
use crate::product::{Family, Product};

/// A state of the product: a state of the automaton, and one of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) automaton: usize,
    pub(super) state: Vec<u8>,
}

/// A product with the states of the model, one by one.
pub(super) struct Walker<'w, 'k, 'p> {
    pub(super) product: Product<'k, 'p>,
    pub(super) explicit: &'w mut dyn ExplicitStates,
}

/// A step to a position, with the process that moves; `None` if the system rests.
pub(super) type WalkedStep = (Option<u32>, Position);

impl Walker<'_, '_, '_> {
    pub(super) fn is_in(&mut self, position: &Position, family: &Family) -> bool {
        self.is_in_set(&position.state, &family[position.automaton])
    }

    fn is_in_set(&mut self, state: &[u8], set: &Set) -> bool {
        let values = self.explicit.read(state);
        values.is_some_and(|values| self.product.structure.system.contains(set, &values))
    }

    /// The family of one position.
    pub(super) fn only(&mut self, position: &Position) -> Result<Family, BranchingError> {
        let values = self.explicit.read(&position.state).ok_or(BranchingError::NotAPath)?;
        let mut family = self.product.none();
        family[position.automaton] = self.product.structure.system.singleton(&values)?;
        Ok(family)
    }

    /// The steps from a position.
    pub(super) fn steps(&mut self, position: &Position) -> Vec<WalkedStep> {
        let mut next: Vec<(Option<u32>, Vec<u8>)> = (self.explicit.successors(&position.state))
            .into_iter()
            .map(|(process, state)| (Some(process), state))
            .collect();
        if next.is_empty() {
            next.push((None, position.state.clone()));
        }
        let edges = self.product.automaton.edges[position.automaton].clone();
        let mut found = Vec::new();
        for (guard, automaton) in edges {
            if !self.is_in_set(&position.state, &guard) {
                continue;
            }
            let positions = next
                .iter()
                .map(|(process, state)| (*process, Position { automaton, state: state.clone() }));
            found.extend(positions);
        }
        found
    }

    /// The first step into a family.
    pub(super) fn step_into(&mut self, from: &Position, family: &Family) -> Option<WalkedStep> {
        let steps = self.steps(from);
        steps.into_iter().find(|(_, to)| self.is_in(to, family))
    }

    /// A shortest path through rings, from a position of one of them to one of the first ring. The
    /// path begins with the given position.
    pub(super) fn through(
        &mut self,
        rings: &[Family],
        from: &Position,
    ) -> Result<Vec<Position>, BranchingError> {
        let mut path = vec![from.clone()];
        let ring = (0..rings.len()).find(|&at| self.is_in(from, &rings[at]));
        let ring = ring.ok_or(BranchingError::NotAPath)?;
        for at in (0..ring).rev() {
            let last = path.last().expect("it has its first position").clone();
            let next = self.step_into(&last, &rings[at]).ok_or(BranchingError::NotAPath)?;
            path.push(next.1);
        }
        Ok(path)
    }
}
