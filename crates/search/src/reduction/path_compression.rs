//! Path compression: where a reduction keeps a single one of several transitions, the state is not
//! stored, and its only kept successor takes its place.
//!
//! Such a state is passed again each time it is reached: that saves memory and costs time. The kept
//! transition depends on the state alone, so it is the same every time, and the states between two
//! stored ones can be found again. After some states the next one is stored in any case, so that a
//! cycle does not go on for ever.
//!
//! Promises: every deadlock of the reduced space is stored, if the reducer guarantees that any set
//! it proposes suffices. A state with a deadlock, a failing transition or a violated invariant is
//! never passed; a state with a single transition to begin with was not reduced, and is not passed,
//! either.
//!
//! Source: path compression as in [YG04]; the transitions are those of a reducer.

use std::cell::RefCell;

use beeline_kernel::{CandidateSets, Expander, Expansion, Reducer, Space};

/// The most states that are passed at a time.
const MOST: usize = 16;

/// A path through states that are not stored.
pub struct PathCompression<'a> {
    /// The same for all states, so that a state is always passed in the same way.
    walker: RefCell<CompressionWalker<'a>>,
}

impl<'a> PathCompression<'a> {
    /// Through the states of a space, as a reducer will have it.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        reducer: Box<dyn Reducer + 'a>,
    ) -> PathCompression<'a> {
        PathCompression { walker: RefCell::new(CompressionWalker::new(space.expander(), reducer)) }
    }

    /// The state to be stored instead of this one, which may be the same. Counts those that
    /// are passed.
    #[inline]
    pub(crate) fn through(&mut self, state: &[u8], passed: &mut u64) -> &[u8] {
        let walker = self.walker.get_mut();
        walker.stand_on(state);
        *passed += (0..MOST).take_while(|_| walker.walk()).count() as u64;
        &walker.state
    }

    /// The states that were passed between two stored ones.
    pub(crate) fn between(&self, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
        let walker = &mut *self.walker.borrow_mut();
        let mut begin = Expansion::default();
        walker.expander.expand_only(from, &mut begin);
        let ways = begin.successors.states().map(|first| walker.passed(first, to));
        ways.flatten().next().unwrap_or_default()
    }
}

/// Goes from state to state. The last two are kept for their memory.
struct CompressionWalker<'a> {
    expander: Box<dyn Expander + 'a>,
    reducer: Box<dyn Reducer + 'a>,
    /// Where it is.
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

    /// The states from this one to another, which is left out, if it comes there.
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

    /// Goes on, if a single transition of several is kept. Returns whether it did.
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
