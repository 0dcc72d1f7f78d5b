//! The common part of depth-first searches for cycles: store, stack, and the expansion of a state
//! that is entered.
//!
//! States are stored when they are generated, as in an exploration, so that the store can prefetch
//! all successors of a state at once.

use beeline_kernel::{Blind, Expansion, Fault, Space, StateId, Stop};

use super::Lasso;
use super::stack::Stack;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, load_path};
use crate::store::{Inserted, ProbeBatch, StateStore};

/// A depth-first search, without the actions on leaving a state.
pub(super) struct CycleDfs<'a, T: StateStore> {
    pub(super) core: SearchCore<'a>,
    pub(super) store: T,
    pub(super) stack: Stack,
    /// The expansion of the last state.
    pub(super) expansion: Expansion,
    ahead: ProbeBatch,
    pub(super) lasso: Option<Lasso>,
}

/// A successor in the store.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) id: StateId,
    /// The number of the transition to it.
    pub(super) way: usize,
    /// Whether it was not known before.
    pub(super) is_new: bool,
}

impl<'a, T: StateStore> CycleDfs<'a, T> {
    /// Stores the initial state.
    pub(super) fn new<S: Space + ?Sized>(
        space: &'a S,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut core = SearchCore::new(space, Box::new(Blind), query, &mut initial)?;
        let store = core.store_with(&initial);
        let root = StateId::new(0).expect("there is a first number");
        Ok(CycleDfs {
            stack: Stack::new(root, query.limits.depth.unwrap_or(u32::MAX)),
            core,
            store,
            expansion: Expansion::default(),
            ahead: ProbeBatch::default(),
            lasso: None,
        })
    }

    /// Enters and expands the white state on top of the stack. Returns the outcome if it contains
    /// the target.
    #[inline]
    pub(super) fn enter(&mut self, id: StateId) -> Option<Outcome> {
        self.stack.enter(id);
        self.expansion.clear();
        self.core.expander.expand(self.store.open(id), &mut self.expansion);
        self.core.count(self.stack.depth(), &self.expansion);
        let Expansion { faults, violated_invariants, deadlock, .. } = &self.expansion;
        if *deadlock || !faults.is_empty() || !violated_invariants.is_empty() {
            return self.record_hit(id);
        }
        None
    }

    /// Expands a state again.
    #[inline]
    pub(super) fn revisit(&mut self, id: StateId) {
        self.expansion.clear();
        self.core.expander.expand(self.store.open(id), &mut self.expansion);
        self.core.stats.expanded += 1;
        self.core.stats.atomic_steps += self.expansion.hidden_steps;
    }

    /// Records the errors of the last state on the path and of its transitions.
    #[cold]
    fn record_hit(&mut self, id: StateId) -> Option<Outcome> {
        let mut end = None;
        for kind in self.core.targets(&self.expansion) {
            let path = load_path(&self.store, &self.stack.path());
            let mut state = Vec::new();
            self.store.load(id, &mut state);
            end = end.or(self.core.record_hit(kind, &state, || path));
        }
        end
    }

    /// Stores the successors, and reports each. Returns whether there was room for all.
    #[inline]
    pub(super) fn successors(&mut self, mut tell: impl FnMut(&mut Stack, Stored)) -> bool {
        let successors = &self.expansion.successors;
        self.store.prefetch_slots(successors, &mut self.ahead);
        self.store.prefetch_candidates(0..successors.len(), &mut self.ahead);
        let stack = &mut self.stack;
        let (mut way, mut matched, mut room) = (0, 0, true);
        self.store.insert_batch(successors, 0..successors.len(), &self.ahead, |inserted| {
            let (id, is_new) = match inserted {
                Inserted::New(id) => (id, true),
                Inserted::Old(id) => (id, false),
                // Cycles are searched with other stores: to leave a state out would be unsound.
                Inserted::Covered | Inserted::Full => {
                    room = false;
                    return;
                }
            };
            matched += u64::from(!is_new);
            tell(stack, Stored { id, way, is_new });
            way += 1;
        });
        self.core.stats.matched += matched;
        self.core.stats.generated += way as u64;
        room
    }

    /// Ends with a cycle from a state on the path to the end of the path, and along some more
    /// states back to its start.
    pub(super) fn close(&mut self, begin: StateId, back: &[StateId]) -> Outcome {
        let path = self.stack.path();
        let at = path.iter().position(|&id| id == begin).expect("a cycle begins on the path");
        let cycle: Vec<StateId> = path[at..].iter().chain(back).copied().collect();
        self.found(&path[..at], &cycle)
    }

    /// Ends with a lasso of this stem and cycle.
    pub(super) fn found(&mut self, stem: &[StateId], cycle: &[StateId]) -> Outcome {
        let (stem, cycle) = (load_path(&self.store, stem), load_path(&self.store, cycle));
        self.lasso = Some(Lasso { stem, cycle });
        Outcome::Found
    }

    /// The outcome of a search that has nothing more to do.
    pub(super) fn end(&self) -> Outcome {
        if self.stack.is_cut() { Outcome::Incomplete(Stop::Depth) } else { Outcome::Complete }
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.stack.bytes()
    }
}
