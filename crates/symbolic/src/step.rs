//! Steps of the model on sets of states: image, preimage and deadlocks.
//!
//! Source: [EMJ05], "Symbolic Search", §3.
//! One step leads from a state in which no process holds control to the next such state. Between
//! them, a process may hold control for several operators; those states are visited, but they are
//! no states of the model.

use crate::control::{ControlSets, Rule};
use crate::ldd::Set;
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
        for at in 0..self.partitions.len() {
            let into = self.partitions[at].rule.target.map_or(set, |target| &held[target]);
            let before = self.preimage_under(at, into, &within.free)?;
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
        for partition in &mut self.partitions {
            // Shut-out operators count as well: where they are shut out, another one is applicable.
            rest = partition.disabled(&mut self.forest, &rest)?;
        }
        Ok(rest)
    }

    /// The states of the model within a set that have no step and are no valid ends
    /// ([`System::valid_end`](beeline_factored::System::valid_end)).
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn invalid_ends(&mut self, within: &Set) -> Result<Set, SymbolicError> {
        let stuck = self.deadlocks(within)?;
        match &self.system.valid_end {
            Some(valid) => {
                let valid = self.states_where(valid, &stuck)?;
                Ok(self.forest.difference(&stuck, &valid)?)
            }
            None => Ok(stuck),
        }
    }

    /// No state for each holder.
    pub(crate) fn nothing_held(&mut self) -> Vec<Set> {
        vec![self.forest.empty(); self.holders.processes().len()]
    }

    /// The states of the model after one step that begins with an operator of some rules. States of
    /// holders that are in `visited` are not considered again; new ones are added.
    pub(crate) fn step(
        &mut self,
        from: &Set,
        visited: &mut [Set],
        is_used: impl Fn(Rule) -> bool,
    ) -> Result<Set, SymbolicError> {
        let mut arrived = self.forest.empty();
        let mut fresh = self.nothing_held();
        for at in 0..self.partitions.len() {
            if is_used(self.partitions[at].rule) {
                self.advance(at, from, &mut arrived, &mut fresh)?;
            }
        }
        while let Some(holder) = fresh.iter().position(|set| !set.is_empty()) {
            let new = self.forest.difference(&fresh[holder], &visited[holder])?;
            fresh[holder] = self.forest.empty();
            visited[holder] = self.forest.union(&visited[holder], &new)?;
            for at in 0..self.partitions.len() {
                if self.partitions[at].rule.actor == Some(holder) {
                    self.advance(at, &new, &mut arrived, &mut fresh)?;
                }
            }
            let lost = self.losing(holder, &new)?;
            arrived = self.forest.union(&arrived, &lost)?;
        }
        Ok(arrived)
    }

    /// Adds the states after an operator of a partition to those of the process that has control
    /// then.
    fn advance(
        &mut self,
        at: usize,
        from: &Set,
        arrived: &mut Set,
        fresh: &mut [Set],
    ) -> Result<(), SymbolicError> {
        let after = self.image_under(at, from)?;
        let place = match self.partitions[at].rule.target {
            None => arrived,
            Some(holder) => &mut fresh[holder],
        };
        *place = self.forest.union(place, &after)?;
        Ok(())
    }

    /// The states after an operator of a partition.
    pub(crate) fn image_under(&mut self, at: usize, from: &Set) -> Result<Set, SymbolicError> {
        if self.partitions[at].rule.is_fatal {
            return Ok(self.forest.empty());
        }
        let from = self.not_excluded(self.partitions[at].rule, from)?;
        self.partitions[at].image(&mut self.forest, &from)
    }

    /// The states of `within` from which an operator of a partition leads into a set.
    pub(crate) fn preimage_under(
        &mut self,
        at: usize,
        set: &Set,
        within: &Set,
    ) -> Result<Set, SymbolicError> {
        if self.partitions[at].rule.is_fatal || set.is_empty() {
            return Ok(self.forest.empty());
        }
        let within = self.not_excluded(self.partitions[at].rule, within)?;
        self.partitions[at].preimage(&mut self.forest, set, &within)
    }

    /// For each holder, its states from which the rest of a step leads into a set of states of the
    /// model.
    pub(crate) fn held_preimage(
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
        for at in 0..self.partitions.len() {
            let Rule { actor: Some(holder), target: None, .. } = self.partitions[at].rule else {
                continue;
            };
            let before = self.preimage_under(at, set, &within.held[holder])?;
            fresh[holder] = self.forest.union(&fresh[holder], &before)?;
        }
        while let Some(holder) = fresh.iter().position(|set| !set.is_empty()) {
            let new = self.forest.difference(&fresh[holder], &found[holder])?;
            fresh[holder] = self.forest.empty();
            found[holder] = self.forest.union(&found[holder], &new)?;
            for at in 0..self.partitions.len() {
                let Rule { actor: Some(before), target, .. } = self.partitions[at].rule else {
                    continue;
                };
                if target == Some(holder) {
                    let states = self.preimage_under(at, &new, &within.held[before])?;
                    fresh[before] = self.forest.union(&fresh[before], &states)?;
                }
            }
        }
        Ok(found)
    }

    /// The states of a holder where it loses control: none of its operators is applicable.
    pub(crate) fn losing(&mut self, holder: usize, set: &Set) -> Result<Set, SymbolicError> {
        let mut stuck = set.clone();
        for at in 0..self.partitions.len() {
            if self.partitions[at].rule.actor != Some(holder) {
                continue;
            }
            let from = self.not_excluded(self.partitions[at].rule, &stuck)?;
            let disabled = self.partitions[at].disabled(&mut self.forest, &from)?;
            // Where an operator is shut out, it does not keep the holder from being stuck.
            let able = self.forest.difference(&from, &disabled)?;
            stuck = self.forest.difference(&stuck, &able)?;
        }
        Ok(stuck)
    }

    /// The states of a set in which operators with this rule are not shut out.
    pub(crate) fn not_excluded(&mut self, rule: Rule, set: &Set) -> Result<Set, SymbolicError> {
        match rule.shut_out {
            Some(id) => self.without_shut_out(id.0, set),
            None => Ok(set.clone()),
        }
    }
}
