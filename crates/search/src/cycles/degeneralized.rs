//! Degeneralisation: a space with several marks becomes one with accepting states. A byte at the end
//! of each state counts the marks that a path has collected in order.
//!
//! Source: [Cho74]. A transition with several marks in a row counts all of them at once, as in
//! [GO01], so unused marks, which are on every transition, cost nothing.
//!
//! Promises: a cycle through an accepting state of the degeneralised space is accepting in the
//! original space, and for each accepting cycle there, there is one here. Faults, deadlocks and
//! violated invariants are the same.

use beeline_kernel::{
    AcceptanceMarks, ClaimComponent, CycleKind, Expander, Expansion, Fault, Space, StatePath,
};

use super::Lasso;

/// The level of states where all marks are collected. The next transition starts at level 0.
const FULL: u8 = AcceptanceMarks::COUNT as u8;

/// A space whose states have a level.
#[derive(Debug)]
pub struct Degeneralized<'a, S: ?Sized> {
    space: &'a S,
}

impl<'a, S: Space + ?Sized> Degeneralized<'a, S> {
    /// Degeneralises a space.
    pub fn new(space: &'a S) -> Self {
        Degeneralized { space }
    }

    /// The states of a lasso without their levels: a lasso of the original space.
    #[must_use]
    pub fn without_levels(&self, lasso: Lasso) -> Lasso {
        let Lasso { stem, cycle } = lasso;
        Lasso { stem: self.path_without_levels(stem), cycle: self.path_without_levels(cycle) }
    }

    /// The states of a path without their levels.
    #[must_use]
    pub fn path_without_levels(&self, path: StatePath) -> StatePath {
        path.map(|state| state.split_last().map_or(state, |(_, state)| state))
    }
}

impl<S: Space + ?Sized> Space for Degeneralized<'_, S> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)?;
        state.push(0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expander().expand(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let (inner, found, state) = (self.space.expander(), Expansion::default(), Vec::new());
        Box::new(DegeneralizedExpander { inner, found, state })
    }
}

/// Expands states of a degeneralised space. The other fields are kept to reuse memory.
struct DegeneralizedExpander<'a> {
    inner: Box<dyn Expander + 'a>,
    found: Expansion,
    state: Vec<u8>,
}

impl Expander for DegeneralizedExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let Some((&level, state)) = state.split_last() else { return };
        let found = &mut self.found;
        self.inner.expand_only(state, found);
        let plain = AcceptanceMarks::leaving(found.accepting);
        let is_plain = found.marks.is_empty();
        for (at, (way, next)) in
            found.successors.transitions().iter().zip(found.states()).enumerate()
        {
            let marks = if is_plain { plain } else { found.marks[at] };
            self.state.clear();
            self.state.extend_from_slice(next);
            self.state.push(after(level, marks));
            expansion.push_with_cost(way.steps, &self.state);
        }
        expansion.faults.extend_from_slice(&found.faults);
        expansion.violated_invariants.extend_from_slice(&found.violated_invariants);
        expansion.deadlock = found.deadlock;
        expansion.hidden_steps += found.hidden_steps;
        expansion.accepting = level == FULL;
        expansion.component = match found.component.cycles {
            // It passes an accepting state, but the other marks may be missing.
            CycleKind::Always if !is_plain => {
                ClaimComponent { cycles: CycleKind::Sometimes, ..found.component }
            }
            _ => found.component,
        };
    }
}

/// The level after a transition with these marks.
#[inline]
fn after(level: u8, marks: AcceptanceMarks) -> u8 {
    let level = if level == FULL { 0 } else { level };
    let missing = !marks.0 & (u64::MAX << level);
    missing.trailing_zeros() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_count_only_in_their_order_and_several_at_a_time() {
        assert_eq!(after(0, AcceptanceMarks::ALL), FULL);
        assert_eq!(after(FULL, AcceptanceMarks::NONE), 0);
        assert_eq!(after(0, AcceptanceMarks::ALL.without(3)), 3);
        assert_eq!(after(3, AcceptanceMarks::ALL.without(3)), 3);
        assert_eq!(after(3, AcceptanceMarks(1 << 3)), 4);
        assert_eq!(after(3, AcceptanceMarks::ALL.without(2)), FULL);
        assert_eq!(after(FULL, AcceptanceMarks::ALL.without(2)), 2);
        assert_eq!(after(63, AcceptanceMarks(1 << 63)), FULL);
    }
}
