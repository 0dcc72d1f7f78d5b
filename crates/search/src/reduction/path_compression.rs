//! Path compression: if a reduction keeps a single one of several transitions, the state is not
//! stored, and its only kept successor takes its place.
//!
//! Such a state is traversed again each time it is reached: this saves memory and costs time. The
//! kept transition depends on the state alone, so it is the same every time, and the states between
//! two stored ones can be recovered. After some states the next one is stored in any case, so that
//! the traversal of a cycle ends.
//!
//! Promises: every deadlock of the reduced space is stored, if the reducer guarantees that any set
//! it proposes suffices. A state with a deadlock, a failing transition or a violated invariant is
//! always stored; so is a state with a single transition, which was not reduced.
//!
//! Source: path compression as in [YG04]; the transitions are those of a reducer.

use std::cell::RefCell;

use beeline_kernel::{CandidateSets, Expander, Expansion, Reducer, Space};

/// The greatest number of consecutive states that are not stored.
const MOST: usize = 16;

/// Traverses states that are not stored.
pub struct PathCompression<'a> {
    /// One walker for all states, so that a state always has the same kept transition.
    walker: RefCell<CompressionWalker<'a>>,
}

impl<'a> PathCompression<'a> {
    /// Compression of paths of a space, by the proposals of a reducer.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        reducer: Box<dyn Reducer + 'a>,
    ) -> PathCompression<'a> {
        PathCompression { walker: RefCell::new(CompressionWalker::new(space.expander(), reducer)) }
    }

    /// The state to be stored instead of this one, which may be the same. Counts the states in
    /// between in `passed`.
    #[inline]
    pub(crate) fn through(&mut self, state: &[u8], passed: &mut u64) -> &[u8] {
        let walker = self.walker.get_mut();
        walker.stand_on(state);
        *passed += (0..MOST).take_while(|_| walker.walk()).count() as u64;
        &walker.state
    }

    /// The states between two stored ones.
    pub(crate) fn between(&self, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
        let walker = &mut *self.walker.borrow_mut();
        let mut begin = Expansion::default();
        walker.expander.expand_only(from, &mut begin);
        let ways = begin.successors.states().map(|first| walker.passed(first, to));
        ways.flatten().next().unwrap_or_default()
    }
}

/// Follows kept transitions. The last two fields are kept to reuse memory.
struct CompressionWalker<'a> {
    expander: Box<dyn Expander + 'a>,
    reducer: Box<dyn Reducer + 'a>,
    /// The current state.
    state: Vec<u8>,
    expansion: Expansion,
    choices: CandidateSets,
}

impl<'a> CompressionWalker<'a> {
    fn new(
        expander: Box<dyn Expander + 'a>,
        reducer: Box<dyn Reducer + 'a>,
    ) -> CompressionWalker<'a> {
        let (expansion, choices) = (Expansion::default(), CandidateSets::default());
        CompressionWalker { expander, reducer, state: Vec::new(), expansion, choices }
    }

    fn stand_on(&mut self, state: &[u8]) {
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    /// The states from this one to `to`, without `to`, if it is reached.
    fn passed(&mut self, first: &[u8], to: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut passed = Vec::new();
        self.stand_on(first);
        while self.state != to && passed.len() < MOST {
            passed.push(self.state.clone());
            if !self.walk() {
                break;
            }
        }
        (self.state == to).then_some(passed)
    }

    /// Proceeds if a single one of several transitions is kept. Returns whether it did.
    fn walk(&mut self) -> bool {
        let CompressionWalker { expander, reducer, state, expansion, choices } = self;
        expander.expand_only(state, expansion);
        if expansion.len() < 2
            || !expansion.faults.is_empty()
            || !expansion.violated_invariants.is_empty()
        {
            return false;
        }
        reducer.propose(state, expansion.successors.transitions(), choices);
        let Some(&[only]) = choices.iter().next() else { return false };
        state.clear();
        state.extend_from_slice(expansion.state(only as usize));
        true
    }
}
