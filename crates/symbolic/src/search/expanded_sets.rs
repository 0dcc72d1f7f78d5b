//! The closed list of a best-first search: the states that were expanded, by their g, and the
//! order of the expansions.
//!
//! The order leads back from a goal: a state that was expanded had come from an earlier expansion.

use std::collections::BTreeMap;

use crate::control::ControlSets;
use crate::costed_step::{CostedSets, add_to};
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::search::outcome::SymbolicPath;
use crate::system::SymbolicSystem;

/// The g that states are expanded with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpansionOrder {
    /// The least one: the ranking is that of A\*, and the estimate consistent.
    LeastCostFirst,
    /// Perhaps a greater one at first.
    Any,
}

/// The expanded states.
#[derive(Debug)]
pub(super) struct ExpandedSets {
    order: ExpansionOrder,
    /// All of them, and all states of holders that were visited.
    all: ControlSets,
    /// By the least g that a state was expanded with.
    by_cost: BTreeMap<u64, Set>,
    /// Each expansion: g and the states.
    expansions: Vec<(u64, Set)>,
}

/// The goal of a path.
#[derive(Clone, Debug)]
pub(super) struct ReachedGoal {
    /// g of the states.
    pub(super) g: u64,
    /// The cost of a failing step after them.
    pub(super) failing: u64,
    /// The states.
    pub(super) states: Set,
}

impl ReachedGoal {
    pub(super) fn cost(&self) -> u64 {
        self.g + self.failing
    }
}

impl ExpandedSets {
    pub(super) fn new(system: &mut SymbolicSystem<'_>, order: ExpansionOrder) -> ExpandedSets {
        let all = ControlSets { free: system.forest.empty(), held: system.nothing_held() };
        ExpandedSets { order, all, by_cost: BTreeMap::new(), expansions: Vec::new() }
    }

    /// The states of a set that were not expanded with this g or a lesser one.
    pub(super) fn reduce(
        &self,
        system: &mut SymbolicSystem<'_>,
        g: u64,
        set: &Set,
    ) -> Result<Set, SymbolicError> {
        let mut rest = system.forest.difference(set, &self.all.free)?;
        if rest == *set || self.order == ExpansionOrder::LeastCostFirst {
            return Ok(rest);
        }
        for (_, expanded) in self.by_cost.range(g + 1..) {
            let again = system.forest.intersection(set, expanded)?;
            rest = system.forest.union(&rest, &again)?;
        }
        Ok(rest)
    }

    /// Expands states that `reduce` has left.
    pub(super) fn expand(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        g: u64,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        if self.order == ExpansionOrder::Any {
            for expanded in self.by_cost.range_mut(g + 1..).map(|(_, expanded)| expanded) {
                *expanded = system.forest.difference(expanded, set)?;
            }
            add_to(&mut system.forest, &mut self.by_cost, g, set.clone())?;
        }
        self.all.free = system.forest.union(&self.all.free, set)?;
        self.expansions.push((g, set.clone()));
        system.successors_by_cost(set, &mut self.all.held)
    }

    /// A path to a goal, backwards through the expansions.
    pub(super) fn path(
        &self,
        system: &mut SymbolicSystem<'_>,
        goal: &ReachedGoal,
    ) -> Result<SymbolicPath, SymbolicError> {
        let mut cost = goal.failing;
        let (mut g, mut end) = (goal.g, self.expansions.len());
        let mut states = vec![system.any_state(&goal.states)];
        while let Some(last) = states.last()
            && *last != system.system.initial
        {
            let target = system.singleton(last)?;
            let before = system.predecessors_by_cost(&target, &self.all)?;
            let (at, step, state) = self.origin(system, &before, g, end)?;
            cost += step;
            (g, end) = (self.expansions[at].0, at);
            states.push(state);
        }
        states.reverse();
        Ok(SymbolicPath { cost, states })
    }

    /// The first expansion with one of these predecessors from which g is reached, the cost of the
    /// step, and the predecessor.
    fn origin(
        &self,
        system: &mut SymbolicSystem<'_>,
        before: &CostedSets,
        g: u64,
        end: usize,
    ) -> Result<(usize, u64, Vec<i32>), SymbolicError> {
        for (at, (earlier, expanded)) in self.expansions[..end].iter().enumerate() {
            for (step, states) in before.iter().filter(|(step, _)| earlier + step <= g) {
                let common = system.forest.intersection(states, expanded)?;
                if let Some(state) = system.pick(&common) {
                    return Ok((at, *step, state));
                }
            }
        }
        unreachable!("a state comes from an earlier expansion")
    }
}
