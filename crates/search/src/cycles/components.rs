//! The search for a strongly connected component whose transitions have all marks: one depth-first
//! search, which ends as soon as the transitions seen so far contain such a component.
//!
//! Source: [Cou99], with the path-based components of [Gab00] (`roots.rs`). Deviation: a transition
//! to a known state is processed when it is generated, before the transitions to new states, so
//! that some components are found earlier.
//!
//! Promises: complete only when no cycle whose transitions together have all marks is reachable.
//! Without marks, an accepting state counts as the first mark on all its transitions. Each state is
//! expanded once; a few of the final component again. Memory: four and a half bytes for each state,
//! four more until its component is complete, four for each state on the stack (twelve with marks),
//! and that of `roots.rs`.

use std::mem;

use beeline_kernel::{AcceptanceMarks, Fault, Space, StateId, Stop};

use super::colours::Colour;
use super::component_cycle::ComponentCycle;
use super::cycle_dfs::{CycleDfs, Stored};
use super::roots::Roots;
use super::{CycleSearch, Lasso};
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::store::chunked_vec::ChunkedVec;
use crate::store::{ExactStore, StateStore};

/// A search for a component with all marks.
pub struct SccSearch<'a, T: StateStore = ExactStore> {
    walk: CycleDfs<'a, T>,
    /// For each stored state, its position in `live`; valid only for the states there.
    numbers: ChunkedVec<u32>,
    /// The states whose component is not complete, in the order of entering.
    live: Vec<StateId>,
    roots: Roots,
    /// The marks of the transitions to the states on the stack. Shorter than the stack, and finally
    /// empty, where transitions have no marks of their own.
    arrivals: Vec<AcceptanceMarks>,
    has_arrivals: bool,
}

impl<'a> SccSearch<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(space: &'a S, query: SearchQuery<'a>) -> Result<Self, Fault> {
        Self::with_store(space, query)
    }
}

impl<'a, T: StateStore> SccSearch<'a, T> {
    /// Stores the initial state, in a store of any type. The depth limit of the query is one on
    /// transitions, not on steps.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut numbers = ChunkedVec::new();
        numbers.push(0);
        Ok(SccSearch {
            walk: CycleDfs::new(space, query)?,
            numbers,
            live: Vec::new(),
            roots: Roots::default(),
            arrivals: Vec::new(),
            has_arrivals: false,
        })
    }

    /// Enters the state on top of the stack.
    #[inline]
    fn enter(&mut self, id: StateId) -> Option<Outcome> {
        let arrival = self.arrival();
        let end = self.walk.enter(id);
        if end.is_some() {
            return end;
        }
        let marks = mem::take(&mut self.walk.expansion.marks);
        if !marks.is_empty() && !self.has_arrivals {
            self.expect_arrivals();
        }
        // In a component with a transition inside, some transition of each state is inside. So the
        // component has all marks that are common to the transitions of one of its states.
        let common = if marks.is_empty() {
            AcceptanceMarks::leaving(self.walk.expansion.accepting)
        } else {
            AcceptanceMarks::NONE
        };
        let number = self.live.len() as u32;
        self.live.push(id);
        self.numbers.set(id.index(), number);
        self.roots.enter(number, common, arrival);
        let begin = self.walk.stack.len();
        let Self { numbers, roots, arrivals, has_arrivals, .. } = self;
        let mut is_found = false;
        let room = self.walk.successors(|stack, Stored { id, way, is_new }| {
            let way = marks.get(way).copied().unwrap_or(AcceptanceMarks::NONE);
            if is_new {
                numbers.push(0);
            }
            match if is_new { Colour::White } else { stack.colours.of(id) } {
                Colour::White => {
                    if stack.push(id) && *has_arrivals {
                        arrivals.push(way);
                    }
                }
                Colour::Cyan | Colour::Blue => is_found |= roots.merge(numbers.at(id.index()), way),
                Colour::Red => {}
            }
        });
        self.walk.stack.turn_round(begin);
        if self.has_arrivals {
            self.arrivals[begin..].reverse();
        }
        self.walk.expansion.marks = marks;
        if is_found {
            return Some(self.found());
        }
        if room {
            self.walk.core.check_memory(self.bytes())
        } else {
            Some(Outcome::Incomplete(Stop::Memory))
        }
    }

    /// The marks of the transition to the state on top of the stack, if transitions have marks.
    #[inline]
    fn arrival(&self) -> AcceptanceMarks {
        self.arrivals.last().copied().unwrap_or(AcceptanceMarks::NONE)
    }

    /// From now on, transitions have marks.
    #[cold]
    fn expect_arrivals(&mut self) {
        self.has_arrivals = true;
        self.roots.expect_arrivals();
        self.arrivals.resize(self.walk.stack.len(), AcceptanceMarks::NONE);
    }

    /// Leaves the state on top of the stack; completes its component if it is the first state
    /// there.
    #[inline]
    fn leave(&mut self, id: StateId) {
        let number = self.numbers.at(id.index());
        self.walk.stack.leave(Colour::Blue);
        self.arrivals.truncate(self.walk.stack.len());
        if self.roots.last() == Some(number) {
            self.roots.leave();
            for id in self.live.drain(number as usize..) {
                self.walk.stack.colours.paint(id, Colour::Red);
            }
        }
    }

    /// Drops the state on top of the stack: it was entered by another transition.
    #[inline]
    fn skip(&mut self) {
        self.walk.stack.skip();
        self.arrivals.truncate(self.walk.stack.len());
    }

    /// The last component has all marks: constructs a cycle in it.
    #[cold]
    fn found(&mut self) -> Outcome {
        let first = self.roots.last().expect("there is a component with all marks");
        let path = self.walk.stack.path();
        let root = self.live[first as usize];
        let at = path.iter().position(|&id| id == root).expect("a component begins on the path");
        let cycle =
            ComponentCycle::new(&mut self.walk, &self.numbers, &self.live, first).go_round();
        self.walk.found(&path[..at], &cycle)
    }
}

impl<'a, T: StateStore> StepSearch<'a> for SccSearch<'a, T> {
    fn name(&self) -> &'static str {
        "components"
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
            None => return Some(self.walk.end()),
            Some((id, Colour::White)) => return self.enter(id),
            Some((id, Colour::Cyan)) => self.leave(id),
            Some((id, Colour::Blue)) => {
                let marks = self.arrival();
                self.skip();
                if self.roots.merge(self.numbers.at(id.index()), marks) {
                    return Some(self.found());
                }
            }
            Some((_, Colour::Red)) => self.skip(),
        }
        None
    }

    fn stats(&self) -> Stats {
        self.walk.core.stats_with(&self.walk.store)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.walk.bytes()
            + self.numbers.bytes()
            + self.live.capacity() * size_of::<StateId>()
            + self.roots.bytes()
            + self.arrivals.capacity() * size_of::<AcceptanceMarks>()
    }
}

impl<T: StateStore> CycleSearch for SccSearch<'_, T> {
    fn lasso(&self) -> Option<Lasso> {
        self.walk.lasso.clone()
    }
}
