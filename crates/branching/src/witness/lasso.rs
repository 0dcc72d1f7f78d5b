//! A fair lasso within a set: a path to a cycle that satisfies each constraint.

use std::collections::HashMap;

use super::WitnessPath;
use super::walk::{Position, Walker};
use crate::error::BranchingError;
use crate::fairness::FairnessConstraint;
use crate::product::Family;

impl Walker<'_, '_, '_> {
    /// A fair lasso from a position within a family, which is the result of
    /// [`Product::always`](crate::product::Product::always).
    pub(super) fn lasso(
        &mut self,
        from: Position,
        within: &Family,
        constraints: &mut [FairnessConstraint],
    ) -> Result<WitnessPath, BranchingError> {
        let has_goals = !constraints.is_empty() || self.product.automaton.accepting.is_some();
        let mut stem = if has_goals { vec![from] } else { self.path_to_cycle(from, within)? };
        loop {
            let start = stem.last().expect("it has its first position").clone();
            let round = self.round(&start, within, constraints)?;
            let last = round.last().expect("it has its first position").clone();
            if let Some(back) = self.back(&last, &start, within)? {
                return Ok(lasso_path(stem, round, back));
            }
            // The cycle is further on.
            stem.extend(round.into_iter().skip(1));
            let step = self.step_into(&last, within).ok_or(BranchingError::NotAPath)?;
            stem.push(step.1);
        }
    }

    /// A shortest path to a position on some cycle.
    fn path_to_cycle(
        &mut self,
        from: Position,
        within: &Family,
    ) -> Result<Vec<Position>, BranchingError> {
        let mut known = HashMap::new();
        let mut here = from.clone();
        while known.insert(here.clone(), ()).is_none() {
            here = self.step_into(&here, within).ok_or(BranchingError::NotAPath)?.1;
        }
        let goal = self.only(&here)?;
        let rings = self.product.rings(within, &goal)?;
        self.through(&rings, &from)
    }

    /// A path from a position on which each constraint is satisfied once.
    fn round(
        &mut self,
        start: &Position,
        within: &Family,
        constraints: &mut [FairnessConstraint],
    ) -> Result<Vec<Position>, BranchingError> {
        let mut path = vec![start.clone()];
        for constraint in constraints {
            let states = self.product.everywhere(&constraint.states);
            let there = self.product.and(within, &states)?;
            let before = self.product.next_by(within, constraint)?;
            let before = self.product.and(&before, within)?;
            let goal = self.product.or(&there, &before)?;
            self.extend_to(&goal, within, &mut path)?;
            let here = path.last().expect("it has its first position").clone();
            if !self.is_in(&here, &there) {
                let process = constraint.process;
                let steps = self.steps(&here).into_iter();
                let mut own = steps.filter(|(mover, _)| *mover == process && mover.is_some());
                let step = own.find(|(_, to)| self.is_in(to, within));
                path.push(step.ok_or(BranchingError::NotAPath)?.1);
            }
        }
        if let Some(accepting) = self.product.accepting_states(within) {
            self.extend_to(&accepting, within, &mut path)?;
        }
        Ok(path)
    }

    /// Extends a path to a goal.
    fn extend_to(
        &mut self,
        goal: &Family,
        within: &Family,
        path: &mut Vec<Position>,
    ) -> Result<(), BranchingError> {
        let rings = self.product.rings(within, goal)?;
        let last = path.last().expect("it has its first position").clone();
        path.extend(self.through(&rings, &last)?.into_iter().skip(1));
        Ok(())
    }

    /// A path of at least one step from a position to another one, without its first position; `None`
    /// if there is none.
    fn back(
        &mut self,
        from: &Position,
        to: &Position,
        within: &Family,
    ) -> Result<Option<Vec<Position>>, BranchingError> {
        let goal = self.only(to)?;
        let rings = self.product.rings(within, &goal)?;
        for ring in &rings {
            if let Some((_, next)) = self.step_into(from, ring) {
                return self.through(&rings, &next).map(Some);
            }
        }
        Ok(None)
    }
}

/// The lasso of a stem, a round and a way back to the beginning of the round.
fn lasso_path(stem: Vec<Position>, round: Vec<Position>, back: Vec<Position>) -> WitnessPath {
    let start = stem.len() - 1;
    let cycle = round.into_iter().skip(1).chain(back);
    let mut states: Vec<Vec<u8>> = stem.into_iter().chain(cycle).map(|at| at.state).collect();
    // The last position is the first one of the cycle again.
    states.pop();
    WitnessPath { cycle: Some(start), ..WitnessPath::plain(states) }
}
