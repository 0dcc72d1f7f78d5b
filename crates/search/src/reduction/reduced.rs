//! A reduced space: each state has the first set of transitions that its reducer proposes.
//!
//! The choice depends on the state alone, so a state has the same successors at every visit.
//! Searches for cycles need this, since they visit states twice, and so do products, in which the
//! same state occurs with several states of the claim.
//!
//! Promises: those of the reducer. No cycle condition is checked, so the reducer has to ensure that
//! no transition is postponed along a whole cycle; for deadlocks alone this is not necessary.
//! Faults, deadlocks, violated invariants and acceptance are those of all transitions. A state with
//! a fatal fault keeps all transitions.

use beeline_kernel::{CandidateSets, Expander, Expansion, Fault, Reducer, Space};

use super::{are_known, is_smaller, prune};

/// Makes a reducer for each thread.
type Factory<'a> = dyn Fn() -> Box<dyn Reducer + 'a> + Sync + 'a;

/// A reduced space.
pub struct Reduced<'a, S: ?Sized> {
    space: &'a S,
    reducers: Box<Factory<'a>>,
}

impl<'a, S: Space + ?Sized> Reduced<'a, S> {
    /// A space with a factory of reducers, which must all make the same proposals.
    pub fn new(
        space: &'a S,
        reducers: impl Fn() -> Box<dyn Reducer + 'a> + Sync + 'a,
    ) -> Reduced<'a, S> {
        Reduced { space, reducers: Box::new(reducers) }
    }
}

impl<S: Space + ?Sized> Space for Reduced<'_, S> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.expander().expand_only(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(ReducedExpander {
            inner: self.space.expander(),
            reducer: (self.reducers)(),
            choices: CandidateSets::default(),
            found: Expansion::default(),
        })
    }
}

/// Expands states of a reduced space. The last two fields are kept to reuse memory.
struct ReducedExpander<'a> {
    inner: Box<dyn Expander + 'a>,
    reducer: Box<dyn Reducer + 'a>,
    choices: CandidateSets,
    found: Expansion,
}

impl Expander for ReducedExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let mut found = std::mem::take(&mut self.found);
        self.expand_only(state, &mut found);
        expansion.append(&found);
        self.found = found;
    }

    fn expand_only(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.inner.expand_only(state, expansion);
        let count = expansion.len();
        if count < 2 || !are_known(self.reducer.as_ref(), &expansion.faults) {
            return;
        }
        self.reducer.propose(state, expansion.successors.transitions(), &mut self.choices);
        if let Some(set) = self.choices.iter().find(|set| is_smaller(set, count)) {
            prune::keep_only(expansion, set);
        }
    }
}
