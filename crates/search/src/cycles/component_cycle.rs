//! A cycle through a component that has all marks: from its first state to the nearest transition
//! with a missing mark, from there to the next one, and back when none is missing.
//!
//! Each leg is a breadth-first search within the component, so it is linear in its size, and there
//! is at most one leg for each mark, and one more. The component may be one that the search is still
//! expanding: the known part is strongly connected already.

use std::ops::ControlFlow;

use beeline_kernel::{AcceptanceMarks, StateId};

use super::colours::Colour;
use super::cycle_dfs::CycleDfs;
use super::lasso::marks_of;
use crate::store::chunked_vec::ChunkedVec;
use crate::store::{Inserted, StateStore};

/// No parent.
const NOBODY: u32 = u32::MAX;

/// The construction of a cycle through a component.
pub(super) struct ComponentCycle<'t, 'a, T: StateStore> {
    walk: &'t mut CycleDfs<'a, T>,
    numbers: &'t ChunkedVec<u32>,
    /// The states of the component, the first one at first, by their numbers.
    members: &'t [StateId],
    first: u32,
    /// The predecessor of each state on this leg.
    parents: Vec<u32>,
    queue: Vec<u32>,
}

impl<'t, 'a, T: StateStore> ComponentCycle<'t, 'a, T> {
    /// A cycle within the component that begins at `first`.
    pub(super) fn new(
        walk: &'t mut CycleDfs<'a, T>,
        numbers: &'t ChunkedVec<u32>,
        live: &'t [StateId],
        first: u32,
    ) -> Self {
        let members = &live[first as usize..];
        ComponentCycle { walk, numbers, members, first, parents: Vec::new(), queue: Vec::new() }
    }

    /// The states of a cycle with all marks, from the first state of the component.
    pub(super) fn go_round(mut self) -> Vec<StateId> {
        let (mut cycle, mut at, mut collected) = (vec![0], 0, AcceptanceMarks::NONE);
        while !collected.is_all() {
            let mut found = AcceptanceMarks::NONE;
            at = self.leg(at, &mut cycle, |_, marks| {
                found = marks;
                collected | marks != collected
            });
            // Only the last transition of the leg has a missing mark.
            collected = collected | found;
        }
        if at != 0 {
            self.leg(at, &mut cycle, |next, _| next == 0);
        }
        // The last state is the first one again.
        cycle.pop();
        cycle.into_iter().map(|at| self.members[at as usize]).collect()
    }

    /// Appends a shortest path up to the first wanted transition, and returns the target of that.
    fn leg(
        &mut self,
        from: u32,
        cycle: &mut Vec<u32>,
        mut is_wanted: impl FnMut(u32, AcceptanceMarks) -> bool,
    ) -> u32 {
        self.parents.clear();
        self.parents.resize(self.members.len(), NOBODY);
        self.queue.clear();
        self.queue.push(from);
        self.parents[from as usize] = from;
        let mut next = 0;
        let (last, to) = loop {
            let at = *self.queue.get(next).expect("a component has all its marks");
            next += 1;
            if let ControlFlow::Break(to) = self.look_around(at, &mut is_wanted) {
                break (at, to);
            }
        };
        let begin = cycle.len();
        cycle.push(to);
        let mut at = last;
        while at != from {
            cycle.push(at);
            at = self.parents[at as usize];
        }
        cycle[begin..].reverse();
        to
    }

    /// Follows the transitions of a state that stay in the component.
    fn look_around(
        &mut self,
        at: u32,
        is_wanted: &mut impl FnMut(u32, AcceptanceMarks) -> bool,
    ) -> ControlFlow<u32> {
        let CycleDfs { core, store, stack, expansion, .. } = &mut *self.walk;
        core.expander.expand_only(store.open(self.members[at as usize]), expansion);
        for way in 0..expansion.len() {
            // A state that was not stored was not entered.
            let Inserted::Old(id) = store.insert(expansion.state(way)) else { continue };
            if !matches!(stack.colours.of(id), Colour::Cyan | Colour::Blue) {
                continue;
            }
            let Some(next) = self.numbers.at(id.index()).checked_sub(self.first) else { continue };
            if is_wanted(next, marks_of(expansion, way)) {
                return ControlFlow::Break(next);
            }
            if self.parents[next as usize] == NOBODY {
                self.parents[next as usize] = at;
                self.queue.push(next);
            }
        }
        ControlFlow::Continue(())
    }
}
