//! Nested depth-first search: when the blue search leaves an accepting state, a red search tests
//! whether that state leads back to the path of the blue one.
//!
//! Source: [EMJ05], "Nested Depth-First Search", as in SPIN, and "3 Improved Nested DFS": the
//! components of the claim make the red search unnecessary where no cycle accepts or each one does,
//! and keep it within the component of its seed. The improved variant finds some cycles earlier
//! ([SE05]: a blue transition back to the path, from or to an accepting state), and skips the red
//! search of a state with red successors only ([GS09]). Deviation: a state outside the component of
//! the seed becomes red although the search does not continue from there. This is harmless: no
//! state of its component is on the path any more, or its component would be that of the seed, so
//! its cycles have been found.
//!
//! Promises: complete only when no cycle through an accepting state is reachable. It considers
//! accepting states, not marks; see [`Degeneralized`](super::Degeneralized) for those. Memory: half
//! a byte for each state, four bytes for each open state, one for each state on the path; more
//! during a red search.

use beeline_kernel::{CycleKind, Fault, Space, StateId, Stop};

use super::colours::Colour;
use super::cycle_dfs::{CycleDfs, Stored};
use super::{CycleSearch, Lasso};
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::store::{ExactStore, StateStore};

/// Variants of nested search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// As in SPIN.
    Plain,
    /// With the components of the claim, and early detection by colours.
    Improved,
}

/// A nested depth-first search.
pub struct NestedDfs<'a, T: StateStore = ExactStore> {
    walk: CycleDfs<'a, T>,
    nesting: Nesting,
    /// For each state on the path, whether all successors so far are red.
    all_red: Vec<bool>,
    red: Red,
}

/// The red search.
#[derive(Debug, Default)]
struct Red {
    waiting: Vec<StateId>,
    /// From the seed to the current state, each with the number of open states before its
    /// successors were pushed.
    path: Vec<(StateId, usize)>,
    /// The component of the seed.
    component: u32,
}

impl Red {
    /// The next state, if there is one.
    #[inline]
    fn next(&mut self) -> Option<StateId> {
        while let Some(&(_, begin)) = self.path.last() {
            if self.waiting.len() > begin {
                return self.waiting.pop();
            }
            self.path.pop();
        }
        None
    }

    fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<StateId>()
            + self.path.capacity() * size_of::<(StateId, usize)>()
    }
}

impl<'a> NestedDfs<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        nesting: Nesting,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, nesting, query)
    }
}

impl<'a, T: StateStore> NestedDfs<'a, T> {
    /// Stores the initial state, in a store of any type. The depth limit of the query is one on
    /// transitions, not on steps.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        nesting: Nesting,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let walk = CycleDfs::new(space, query)?;
        Ok(NestedDfs { walk, nesting, all_red: Vec::new(), red: Red::default() })
    }

    /// Enters the state on top of the stack.
    #[inline]
    fn blue(&mut self, id: StateId) -> Option<Outcome> {
        let end = self.walk.enter(id);
        if end.is_some() {
            return end;
        }
        let is_improved = self.nesting == Nesting::Improved;
        let known = self.walk.expansion.component.cycles;
        let cycles = if is_improved { known } else { CycleKind::Sometimes };
        let is_seed = self.walk.expansion.accepting && cycles == CycleKind::Sometimes;
        if is_seed {
            self.walk.stack.colours.plant(id);
        }
        let begin = self.walk.stack.len();
        let (mut all_red, mut closed) = (true, None);
        let room = self.walk.successors(|stack, Stored { id, is_new, .. }| {
            match if is_new { Colour::White } else { stack.colours.of(id) } {
                Colour::White => _ = stack.push(id),
                Colour::Cyan => {
                    all_red = false;
                    let is_accepting = match cycles {
                        CycleKind::Never => false,
                        CycleKind::Sometimes => {
                            is_improved && (is_seed || stack.colours.is_seed(id))
                        }
                        CycleKind::Always => true,
                    };
                    if is_accepting {
                        closed = closed.or(Some(id));
                    }
                }
                Colour::Blue => all_red = false,
                Colour::Red => {}
            }
        });
        self.walk.stack.turn_round(begin);
        self.all_red.push(all_red);
        if let Some(begin) = closed {
            return Some(self.walk.close(begin, &[]));
        }
        self.check_room(room)
    }

    /// All successors of the state on top of the stack were searched: leaves it, or starts a red
    /// search.
    #[inline]
    fn leave(&mut self, id: StateId) -> Option<Outcome> {
        let all_red = self.all_red.last().is_some_and(|&all_red| all_red);
        if all_red && self.nesting == Nesting::Improved {
            self.leave_as(Colour::Red);
        } else if self.walk.stack.colours.is_seed(id) {
            return self.sow(id);
        } else {
            self.leave_as(Colour::Blue);
        }
        None
    }

    #[inline]
    fn leave_as(&mut self, colour: Colour) {
        self.walk.stack.leave(colour);
        self.all_red.pop();
        if colour == Colour::Blue {
            self.note_blue();
        }
    }

    /// Records that a successor of the last state on the path is not red.
    #[inline]
    fn note_blue(&mut self) {
        if let Some(all_red) = self.all_red.last_mut() {
            *all_red = false;
        }
    }

    /// Begins a red search.
    fn sow(&mut self, seed: StateId) -> Option<Outcome> {
        self.walk.revisit(seed);
        self.red.component = self.walk.expansion.component.number;
        self.grow(seed)
    }

    /// Continues the red search. When it is over, its seed is left.
    fn go_on_red(&mut self) -> Option<Outcome> {
        let Some(id) = self.red.next() else {
            self.leave_as(Colour::Red);
            return None;
        };
        self.walk.revisit(id);
        let is_near = self.walk.expansion.component.number == self.red.component;
        if is_near || self.nesting == Nesting::Plain { self.grow(id) } else { None }
    }

    /// Continues from a state that was expanded by the red search.
    #[inline]
    fn grow(&mut self, id: StateId) -> Option<Outcome> {
        let Red { waiting, path, .. } = &mut self.red;
        path.push((id, waiting.len()));
        let mut closed = None;
        let room = self.walk.successors(|stack, Stored { id, .. }| match stack.colours.of(id) {
            Colour::Cyan => closed = closed.or(Some(id)),
            Colour::Blue => {
                stack.colours.paint(id, Colour::Red);
                waiting.push(id);
            }
            // Beyond the depth limit, or visited by a red search.
            Colour::White | Colour::Red => {}
        });
        if let Some(begin) = closed {
            let back: Vec<StateId> = path[1..].iter().map(|&(id, _)| id).collect();
            return Some(self.walk.close(begin, &back));
        }
        self.check_room(room)
    }

    #[inline]
    fn check_room(&self, room: bool) -> Option<Outcome> {
        if room {
            self.walk.core.check_memory(self.bytes())
        } else {
            Some(Outcome::Incomplete(Stop::Memory))
        }
    }
}

impl<'a, T: StateStore> StepSearch<'a> for NestedDfs<'a, T> {
    fn name(&self) -> &'static str {
        match self.nesting {
            Nesting::Plain => "nested depth-first search",
            Nesting::Improved => "improved nested depth-first search",
        }
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
        if !self.red.path.is_empty() {
            return self.go_on_red();
        }
        match self.walk.stack.top() {
            None => return Some(self.walk.end()),
            Some((id, Colour::White)) => return self.blue(id),
            Some((id, Colour::Cyan)) => return self.leave(id),
            Some((_, Colour::Blue)) => self.note_blue(),
            Some((_, Colour::Red)) => {}
        }
        self.walk.stack.skip();
        None
    }

    fn stats(&self) -> Stats {
        self.walk.core.stats_with(&self.walk.store)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.walk.bytes() + self.all_red.capacity() + self.red.bytes()
    }
}

impl<T: StateStore> CycleSearch for NestedDfs<'_, T> {
    fn lasso(&self) -> Option<Lasso> {
        self.walk.lasso.clone()
    }
}
