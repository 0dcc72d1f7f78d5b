//! The search for a cycle all of whose states accept: one depth-first search on the system itself,
//! without the states of a claim.
//!
//! Source: persistence properties of [MP90]: a run that violates `[]<> p` satisfies `!p` from some
//! state on. Only accepting states are followed in depth; a transition back to the path closes a
//! cycle. A state that does not accept lies on no such cycle: its new successors wait until the path
//! is empty, and then begin paths of their own.
//!
//! Promises: complete only when every cycle of reachable states has a state that does not accept.
//! Each state is expanded once. Memory: three and a half bytes for each state, one more beyond 16
//! million states, and four for each open one. The depth limit of the query does not apply: a path
//! does not begin with the initial state.

use beeline_kernel::{Fault, Space, StateId, Stop};

use super::colours::Colour;
use super::cycle_dfs::{CycleDfs, Stored};
use super::{CycleSearch, Lasso};
use crate::limits::{Limits, Outcome};
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, StepSearch};
use crate::search_tree::SearchTree;
use crate::stats::Stats;
use crate::store::{ExactStore, StateStore};

/// A search for a cycle of accepting states.
pub struct PersistenceSearch<'a, T: StateStore = ExactStore> {
    walk: CycleDfs<'a, T>,
    /// For each stored state, the one whose expansion generated it first.
    tree: SearchTree,
    /// Successors of states that do not accept.
    waiting: Vec<StateId>,
}

impl<'a> PersistenceSearch<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(space: &'a S, query: SearchQuery<'a>) -> Result<Self, Fault> {
        Self::with_store(space, query)
    }
}

impl<'a, T: StateStore> PersistenceSearch<'a, T> {
    /// Stores the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let limits = Limits { depth: None, ..query.limits };
        let walk = CycleDfs::new(space, SearchQuery { limits, ..query })?;
        let mut tree = SearchTree::new();
        tree.add(StateId::new(0).expect("there is a first number"));
        Ok(PersistenceSearch { walk, tree, waiting: Vec::new() })
    }

    /// Enters the state on top of the stack.
    #[inline]
    fn enter(&mut self, id: StateId) -> Option<Outcome> {
        let end = self.walk.enter(id);
        if end.is_some() {
            return end;
        }
        let accepts = self.walk.expansion.accepting;
        let begin = self.walk.stack.len();
        let Self { tree, waiting, .. } = self;
        let mut closed = None;
        let room = self.walk.successors(|stack, Stored { id: next, is_new, .. }| {
            if is_new {
                tree.add(id);
            }
            if !accepts {
                // Known states were entered, or wait already.
                if is_new {
                    waiting.push(next);
                }
                return;
            }
            match if is_new { Colour::White } else { stack.colours.of(next) } {
                Colour::White => _ = stack.push(next),
                Colour::Cyan => closed = closed.or(Some(next)),
                Colour::Blue | Colour::Red => {}
            }
        });
        self.walk.stack.turn_round(begin);
        if let Some(begin) = closed {
            return Some(self.found(begin));
        }
        if !accepts {
            self.walk.stack.leave(Colour::Red);
        }
        if room {
            self.walk.core.check_memory(self.bytes())
        } else {
            Some(Outcome::Incomplete(Stop::Memory))
        }
    }

    /// Ends with the cycle from a state on the path to the end of the path.
    #[cold]
    fn found(&mut self, begin: StateId) -> Outcome {
        let path = self.walk.stack.path();
        let at = path.iter().position(|&id| id == begin).expect("a cycle begins on the path");
        let mut stem = self.tree.path_to(begin);
        stem.pop();
        self.walk.found(&stem, &path[at..])
    }
}

impl<'a, T: StateStore> StepSearch<'a> for PersistenceSearch<'a, T> {
    fn name(&self) -> &'static str {
        "persistence"
    }

    #[inline]
    fn core(&self) -> &SearchCore<'a> {
        &self.walk.core
    }

    #[inline]
    fn core_mut(&mut self) -> &mut SearchCore<'a> {
        &mut self.walk.core
    }

    #[inline]
    fn step(&mut self) -> Option<Outcome> {
        match self.walk.stack.top() {
            None => match self.waiting.pop() {
                None => return Some(self.walk.end()),
                Some(id) => _ = self.walk.stack.push(id),
            },
            Some((id, Colour::White)) => return self.enter(id),
            Some((_, Colour::Cyan)) => self.walk.stack.leave(Colour::Red),
            Some((_, Colour::Blue | Colour::Red)) => self.walk.stack.skip(),
        }
        None
    }

    fn stats(&self) -> Stats {
        self.walk.core.stats_with(&self.walk.store)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.walk.bytes() + self.tree.bytes() + self.waiting.capacity() * size_of::<StateId>()
    }
}

impl<T: StateStore> CycleSearch for PersistenceSearch<'_, T> {
    fn lasso(&self) -> Option<Lasso> {
        self.walk.lasso.clone()
    }
}
