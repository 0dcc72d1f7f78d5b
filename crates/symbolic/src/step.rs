//! Steps of the model on sets of states: image, preimage and deadlocks.
//!
//! Source: [EMJ05], "Symbolic Search", §3, with one relation per group of operators.
//! One step leads from a state in which no process holds control to the next such state. Between
//! them, a process may hold control for several operators; those states are visited, but they are
//! no states of the model.

use crate::control::{ControlSets, Rule};
use crate::ldd::{Position, Set};
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The states that one step leads to.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn image(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let mut visited = self.nothing_held();
        self.step(set, &mut visited, |_| true)
    }

    /// The states of the model within `within` from which one step leads into a set.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn preimage(&mut self, set: &Set, within: &ControlSets) -> Result<Set, SymbolicError> {
        let held = self.held_preimage(set, within)?;
        let mut found = self.forest.empty();
        for at in 0..self.groups.len() {
            let into = self.groups[at].rule.target.map_or(set, |target| &held[target]);
            let before = self.group_preimage(at, into, &within.free)?;
            found = self.forest.union(&found, &before)?;
        }
        Ok(found)
    }

    /// The states of the model within a set that have no step, not even a failing one.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn deadlocks(&mut self, within: &Set) -> Result<Set, SymbolicError> {
        let mut rest = within.clone();
        for at in 0..self.groups.len() {
            // A shut-out operator need not be tested further: the operator that excludes it is
            // applicable.
            rest = self.without_enabled(at, &rest, &rest.clone())?;
        }
        Ok(rest)
    }

    /// Sets of states with no holder's state.
    pub(crate) fn nothing_held(&mut self) -> Vec<Set> {
        vec![self.forest.empty(); self.holders.processes().len()]
    }

    /// The states of the model after one step with the operators of some rules. States of holders
    /// that are in `visited` are not considered again; new ones are added.
    pub(crate) fn step(
        &mut self,
        from: &Set,
        visited: &mut [Set],
        is_used: impl Fn(Rule) -> bool,
    ) -> Result<Set, SymbolicError> {
        let mut arrived = self.forest.empty();
        let mut fresh = self.nothing_held();
        for at in 0..self.groups.len() {
            if is_used(self.groups[at].rule) {
                let after = self.group_image(at, from)?;
                self.arrive(at, &after, &mut arrived, &mut fresh)?;
            }
        }
        while let Some(holder) = fresh.iter().position(|set| !set.is_empty()) {
            let empty = self.forest.empty();
            let set = std::mem::replace(&mut fresh[holder], empty);
            let new = self.forest.difference(&set, &visited[holder])?;
            visited[holder] = self.forest.union(&visited[holder], &new)?;
            let mut stuck = new.clone();
            for at in 0..self.groups.len() {
                if self.groups[at].rule.actor == Some(holder) {
                    let after = self.group_image(at, &new)?;
                    self.arrive(at, &after, &mut arrived, &mut fresh)?;
                    stuck = self.stuck_without(at, &stuck)?;
                }
            }
            arrived = self.forest.union(&arrived, &stuck)?;
        }
        Ok(arrived)
    }

    /// Adds states after a group to those of the process that has control then.
    fn arrive(
        &mut self,
        at: usize,
        after: &Set,
        arrived: &mut Set,
        fresh: &mut [Set],
    ) -> Result<(), SymbolicError> {
        let place = match self.groups[at].rule.target {
            None => arrived,
            Some(holder) => &mut fresh[holder],
        };
        *place = self.forest.union(place, after)?;
        Ok(())
    }

    /// The states after an operator of a group.
    pub(crate) fn group_image(&mut self, at: usize, from: &Set) -> Result<Set, SymbolicError> {
        let from = self.without_excluded(at, from)?;
        let group = &mut self.groups[at];
        let relation = &mut group.relation;
        if group.rule.is_fatal || from.is_empty() {
            return Ok(self.forest.empty());
        }
        self.forest.run(|forest| {
            relation.learn(forest, from.id(), Position::START)?;
            let (set, pairs) = (from.id(), relation.pairs());
            Ok(forest.image_from(set, pairs, &relation.product, Position::START)?)
        })
    }

    /// The states of `within` from which an operator of a group leads into a set.
    fn group_preimage(&mut self, at: usize, set: &Set, within: &Set) -> Result<Set, SymbolicError> {
        if self.groups[at].rule.is_fatal || set.is_empty() {
            return Ok(self.forest.empty());
        }
        let within = self.without_excluded(at, within)?;
        let relation = &mut self.groups[at].relation;
        self.forest.run(|forest| {
            relation.learn(forest, within.id(), Position::START)?;
            let operands = [set.id(), relation.pairs(), within.id()];
            Ok(forest.preimage_from(operands, &relation.product, Position::START)?)
        })
    }

    /// For each holder, its states from which the rest of a step leads into a set of states of the
    /// model.
    fn held_preimage(
        &mut self,
        set: &Set,
        within: &ControlSets,
    ) -> Result<Vec<Set>, SymbolicError> {
        let mut found = self.nothing_held();
        let mut fresh = Vec::new();
        for (holder, states) in within.held.iter().enumerate() {
            let lost = self.losing(holder, states)?;
            fresh.push(self.forest.intersection(set, &lost)?);
        }
        for at in 0..self.groups.len() {
            let Rule { actor: Some(holder), target: None, .. } = self.groups[at].rule else {
                continue;
            };
            let before = self.group_preimage(at, set, &within.held[holder])?;
            fresh[holder] = self.forest.union(&fresh[holder], &before)?;
        }
        while let Some(holder) = fresh.iter().position(|set| !set.is_empty()) {
            let new = self.forest.difference(&fresh[holder], &found[holder])?;
            fresh[holder] = self.forest.empty();
            found[holder] = self.forest.union(&found[holder], &new)?;
            for at in 0..self.groups.len() {
                let Rule { actor: Some(before), target: Some(target), .. } = self.groups[at].rule
                else {
                    continue;
                };
                if target == holder {
                    let states = self.group_preimage(at, &new, &within.held[before])?;
                    fresh[before] = self.forest.union(&fresh[before], &states)?;
                }
            }
        }
        Ok(found)
    }

    /// The states of a holder where it loses control.
    fn losing(&mut self, holder: usize, set: &Set) -> Result<Set, SymbolicError> {
        if let Some((known, lost)) = &self.lost[holder]
            && known == set
        {
            return Ok(lost.clone());
        }
        let mut stuck = set.clone();
        for at in 0..self.groups.len() {
            if self.groups[at].rule.actor == Some(holder) {
                stuck = self.stuck_without(at, &stuck)?;
            }
        }
        self.lost[holder] = Some((set.clone(), stuck.clone()));
        Ok(stuck)
    }

    /// The states of a set where no operator of a group is applicable and not shut out.
    fn stuck_without(&mut self, at: usize, set: &Set) -> Result<Set, SymbolicError> {
        let from = self.without_excluded(at, set)?;
        self.without_enabled(at, set, &from)
    }

    /// The states of a set without those of `from`, a part of it, where an operator of a group is
    /// applicable.
    fn without_enabled(&mut self, at: usize, set: &Set, from: &Set) -> Result<Set, SymbolicError> {
        if from.is_empty() {
            return Ok(set.clone());
        }
        let relation = &mut self.groups[at].relation;
        let is_all = set == from;
        self.forest.run(|forest| {
            relation.learn(forest, from.id(), Position::START)?;
            let (enabled, support) = (relation.enabled(), &relation.reads);
            Ok(if is_all {
                forest.anti_join_from(set.id(), enabled, support, Position::START)?
            } else {
                let able = forest.join_from(from.id(), enabled, support, Position::START)?;
                forest.subtract(set.id(), able)?
            })
        })
    }

    /// The states of a set in which the operators of a group are not shut out.
    fn without_excluded(&mut self, at: usize, set: &Set) -> Result<Set, SymbolicError> {
        match self.groups[at].rule.shut_out {
            Some(id) => self.without_shut_out(id.0, set),
            None => Ok(set.clone()),
        }
    }
}
