//! Steps of the model by their costs: successors, predecessors and failing steps.
//!
//! Source: [EMJ05], "Symbolic Search", §6. States of holders are visited in the order of the costs
//! that a step has had so far, so that each is considered once, with the least cost.

use std::collections::BTreeMap;

use crate::control::{ControlSets, Rule};
use crate::ldd::{Forest, Set};
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

/// Sets of states with a number each, in ascending order of the numbers.
pub type CostedSets = Vec<(u64, Set)>;

/// States to consider, by cost, and by the process that has control: a holder, or none.
type Pending = BTreeMap<(u64, Option<usize>), Set>;

/// Adds states to the entry of a key.
pub(crate) fn add_to<K: Ord>(
    forest: &mut Forest,
    sets: &mut BTreeMap<K, Set>,
    key: K,
    more: Set,
) -> Result<(), SymbolicError> {
    if more.is_empty() {
        return Ok(());
    }
    let all = match sets.get(&key) {
        Some(set) => forest.union(set, &more)?,
        None => more,
    };
    sets.insert(key, all);
    Ok(())
}

impl SymbolicSystem<'_> {
    /// The states that one step leads to, by the cost of the step. A state has the least cost that
    /// a step from the set to it has. The states of holders in between are added to `held`.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn successors_by_cost(
        &mut self,
        from: &Set,
        held: &mut [Set],
    ) -> Result<CostedSets, SymbolicError> {
        let mut visited = self.nothing_held();
        let found = if self.costs.is_uniform() {
            let after = self.step(from, &mut visited, |_| true)?;
            self.at_one_cost(after)
        } else {
            self.successors_in_order(from, &mut visited)?
        };
        for (all, new) in held.iter_mut().zip(&visited) {
            *all = self.forest.union(all, new)?;
        }
        Ok(found)
    }

    /// The states of the model within `within` from which one step leads into a set, by the cost of
    /// the step. A state has the least cost that a step from it into the set has.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn predecessors_by_cost(
        &mut self,
        into: &Set,
        within: &ControlSets,
    ) -> Result<CostedSets, SymbolicError> {
        if self.costs.is_uniform() {
            let before = self.preimage(into, within)?;
            return Ok(self.at_one_cost(before));
        }
        let mut pending = Pending::new();
        for (holder, states) in within.held.iter().enumerate() {
            let lost = self.losing(holder, states)?;
            let lost = self.forest.intersection(into, &lost)?;
            add_to(&mut self.forest, &mut pending, (0, Some(holder)), lost)?;
        }
        self.step_back(None, into, 0, within, &mut pending)?;
        self.predecessors_in_order(pending, within)
    }

    /// The states of a set of states of the model from which a step fails with one of these
    /// operators, by the cost of the step. Operators are given by their positions in
    /// [`System::steps`](beeline_factored::System::steps).
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn failing_by_cost(
        &mut self,
        operators: &[u32],
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let mut held = self.nothing_held();
        let holder_of =
            |at: u32| self.holders.position(self.system.steps[at as usize].label.process);
        if operators.iter().any(|&at| holder_of(at).is_some()) {
            self.step(set, &mut held, |_| true)?;
        }
        let within = ControlSets { free: set.clone(), held };
        let mut pending = Pending::new();
        let per_step = u64::from(self.costs.per_step);
        for &at in operators {
            let cost = u64::from(self.costs.operator(at));
            let first = self.enabled(&[at], set)?;
            add_to(&mut self.forest, &mut pending, (per_step + cost, None), first)?;
            let process = self.system.steps[at as usize].label.process;
            if let Some(holder) = self.holders.position(process) {
                let later = self.enabled(&[at], &within.held[holder])?;
                add_to(&mut self.forest, &mut pending, (cost, Some(holder)), later)?;
            }
        }
        self.predecessors_in_order(pending, &within)
    }

    /// The states after steps that all cost the same.
    fn at_one_cost(&self, states: Set) -> CostedSets {
        let found = (!states.is_empty()).then_some((u64::from(self.costs.per_step), states));
        found.into_iter().collect()
    }

    fn successors_in_order(
        &mut self,
        from: &Set,
        visited: &mut [Set],
    ) -> Result<CostedSets, SymbolicError> {
        let mut found = LeastCosts::new(&mut self.forest);
        let mut pending = Pending::new();
        let first = u64::from(self.costs.per_step);
        self.step_on(None, from, first, &mut pending)?;
        while let Some(((cost, place), set)) = pending.pop_first() {
            let Some(holder) = place else {
                found.add(&mut self.forest, cost, &set)?;
                continue;
            };
            let new = self.forest.difference(&set, &visited[holder])?;
            visited[holder] = self.forest.union(&visited[holder], &new)?;
            self.step_on(Some(holder), &new, cost, &mut pending)?;
            let lost = self.losing(holder, &new)?;
            add_to(&mut self.forest, &mut pending, (cost, None), lost)?;
        }
        Ok(found.sets)
    }

    /// Adds the states after an operator from states in which a holder has control, or no process.
    fn step_on(
        &mut self,
        actor: Option<usize>,
        from: &Set,
        cost: u64,
        pending: &mut Pending,
    ) -> Result<(), SymbolicError> {
        for at in 0..self.partitions.len() {
            let rule = self.partitions[at].rule;
            if actor.is_none() || rule.actor == actor {
                let after = self.image_under(at, from)?;
                let key = (cost + u64::from(rule.cost), rule.target);
                add_to(&mut self.forest, pending, key, after)?;
            }
        }
        Ok(())
    }

    /// From states at the end of a step, or of holders, back to the states of the model.
    fn predecessors_in_order(
        &mut self,
        mut pending: Pending,
        within: &ControlSets,
    ) -> Result<CostedSets, SymbolicError> {
        let mut found = LeastCosts::new(&mut self.forest);
        let mut visited = self.nothing_held();
        while let Some(((cost, place), set)) = pending.pop_first() {
            let Some(holder) = place else {
                found.add(&mut self.forest, cost, &set)?;
                continue;
            };
            let new = self.forest.difference(&set, &visited[holder])?;
            visited[holder] = self.forest.union(&visited[holder], &new)?;
            self.step_back(Some(holder), &new, cost, within, &mut pending)?;
        }
        Ok(found.sets)
    }

    /// Adds the states before an operator that gives control to a holder, or to no process.
    fn step_back(
        &mut self,
        target: Option<usize>,
        into: &Set,
        cost: u64,
        within: &ControlSets,
        pending: &mut Pending,
    ) -> Result<(), SymbolicError> {
        let per_step = u64::from(self.costs.per_step);
        for at in 0..self.partitions.len() {
            let Rule { actor, target: to, cost: own, .. } = self.partitions[at].rule;
            if to != target {
                continue;
            }
            let cost = cost + u64::from(own);
            let first = self.preimage_under(at, into, &within.free)?;
            add_to(&mut self.forest, pending, (cost + per_step, None), first)?;
            if let Some(holder) = actor {
                let later = self.preimage_under(at, into, &within.held[holder])?;
                add_to(&mut self.forest, pending, (cost, Some(holder)), later)?;
            }
        }
        Ok(())
    }
}

/// Sets that are found in the order of their costs; each state counts once.
struct LeastCosts {
    sets: CostedSets,
    all: Set,
}

impl LeastCosts {
    fn new(forest: &mut Forest) -> LeastCosts {
        LeastCosts { sets: Vec::new(), all: forest.empty() }
    }

    fn add(&mut self, forest: &mut Forest, cost: u64, set: &Set) -> Result<(), SymbolicError> {
        let new = forest.difference(set, &self.all)?;
        if new.is_empty() {
            return Ok(());
        }
        self.all = forest.union(&self.all, &new)?;
        match self.sets.last_mut() {
            Some((last, states)) if *last == cost => *states = forest.union(states, &new)?,
            _ => self.sets.push((cost, new)),
        }
        Ok(())
    }
}
