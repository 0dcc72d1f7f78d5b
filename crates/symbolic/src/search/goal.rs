//! Goals of searches: the states of a set that are errors, or from which a step fails.

use std::fmt;

use beeline_factored::System;
use beeline_kernel::Faults;

use crate::costed_step::CostedSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

type Find<'g> = dyn FnMut(&mut SymbolicSystem<'_>, &Set) -> Result<CostedSets, SymbolicError> + 'g;

/// A goal: finds the errors among the states of a set.
pub struct SymbolicGoal<'g> {
    find: Box<Find<'g>>,
    /// Whether the error is a step from the state.
    pub(super) is_step: bool,
}

impl<'g> SymbolicGoal<'g> {
    /// Errors that are states: those that a function finds in a set.
    pub fn states(
        mut find: impl FnMut(&mut SymbolicSystem<'_>, &Set) -> Result<Set, SymbolicError> + 'g,
    ) -> SymbolicGoal<'g> {
        let find = Box::new(move |system: &mut SymbolicSystem<'_>, set: &Set| {
            Ok(vec![(0, find(system, set)?)])
        });
        SymbolicGoal { find, is_step: false }
    }

    /// The states of a set.
    pub fn set(goal: Set) -> SymbolicGoal<'g> {
        SymbolicGoal::states(move |system, set| Ok(system.forest.intersection(&goal, set)?))
    }

    /// The states without a step.
    pub fn deadlocks() -> SymbolicGoal<'g> {
        SymbolicGoal::states(|system, set| system.deadlocks(set))
    }

    /// The states without a step that are no valid ends.
    pub fn invalid_ends() -> SymbolicGoal<'g> {
        SymbolicGoal::states(|system, set| system.invalid_ends(set))
    }

    /// The states with a step that has one of these faults.
    pub fn faults(system: &System, kinds: Faults) -> SymbolicGoal<'g> {
        SymbolicGoal::failures(system.failing(kinds))
    }

    /// The states with a step that fails by one of these operators, given by their positions in the
    /// system. The failing step has a cost, too.
    pub fn failures(operators: Vec<u32>) -> SymbolicGoal<'g> {
        let find = Box::new(move |system: &mut SymbolicSystem<'_>, set: &Set| {
            system.failing_by_cost(&operators, set)
        });
        SymbolicGoal { find, is_step: true }
    }

    /// The errors among the states of a set, by the cost of a failing step from there.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn find(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let mut found = (self.find)(system, set)?;
        found.retain(|(_, states)| !states.is_empty());
        Ok(found)
    }
}

impl fmt::Debug for SymbolicGoal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SymbolicGoal").finish_non_exhaustive()
    }
}
