//! The stack of a depth-first search, with the states in one buffer: the expanded ones, and between
//! them the open ones.
//!
//! Above an expanded state are its successors that are still open, so the expanded states, from
//! bottom to top, are the path to the one expanded last.

use beeline_kernel::{Expansion, StatePath};

use crate::finding::FindingKind;
use crate::query::{AfterHit, SearchQuery};

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Its start in the buffer.
    start: usize,
    depth: u32,
    is_expanded: bool,
}

/// The state on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Top {
    /// An open state at this depth.
    Waiting { depth: u32 },
    /// An expanded state without open successors.
    Expanded,
}

/// The stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    states: Vec<u8>,
    levels: Vec<Level>,
}

impl Stack {
    /// The state on top, if the stack is not empty.
    #[inline]
    pub(crate) fn top(&self) -> Option<Top> {
        let level = self.levels.last()?;
        Some(if level.is_expanded { Top::Expanded } else { Top::Waiting { depth: level.depth } })
    }

    /// Marks the state on top as expanded, and returns it.
    ///
    /// # Panics
    ///
    /// When the stack is empty.
    #[inline]
    pub(crate) fn expand(&mut self) -> &[u8] {
        let level = self.levels.last_mut().expect("a state waits on top");
        level.is_expanded = true;
        &self.states[level.start..]
    }

    /// The state on top; it is the one expanded last until successors are pushed.
    #[inline]
    pub(crate) fn last(&self) -> &[u8] {
        &self.states[self.levels.last().map_or(0, |level| level.start)..]
    }

    /// The number of states, expanded or not.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.levels.len()
    }

    /// A state, by its number from the bottom.
    #[inline]
    pub(crate) fn state(&self, at: usize) -> &[u8] {
        let end = self.levels.get(at + 1).map_or(self.states.len(), |level| level.start);
        &self.states[self.levels[at].start..end]
    }

    /// Removes the state on top.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.states.truncate(level.start);
        }
    }

    /// Pushes an open state. Returns whether the stack still fits into `room` bytes.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u8], depth: u32, room: usize) -> bool {
        let start = self.states.len();
        let fits = state.len() <= self.states.capacity() - start
            && self.levels.len() < self.levels.capacity();
        if !fits && !self.grow(state.len(), room) {
            return false;
        }
        self.states.extend_from_slice(state);
        self.levels.push(Level { start, depth, is_expanded: false });
        true
    }

    /// Makes room for a state, and doubles the capacity if that fits. While a buffer is moved, both
    /// copies exist, which is not counted.
    #[cold]
    fn grow(&mut self, length: usize, room: usize) -> bool {
        let needs_states = length > self.states.capacity() - self.states.len();
        let needs_levels = self.levels.len() == self.levels.capacity();
        for generosity in [1, 4, 16] {
            let states = length.max(self.states.len() / generosity);
            let levels = (self.levels.len() / generosity).max(4);
            let states = if needs_states { states } else { 0 };
            let levels = if needs_levels { levels } else { 0 };
            let growth = states + levels * size_of::<Level>();
            if self.bytes().saturating_add(growth) <= room
                && (states == 0 || self.states.try_reserve_exact(states).is_ok())
                && (levels == 0 || self.levels.try_reserve_exact(levels).is_ok())
            {
                return true;
            }
        }
        false
    }

    /// The expanded states, from bottom to top.
    pub(crate) fn path(&self) -> StatePath {
        let expanded = (0..self.levels.len()).filter(|&at| self.levels[at].is_expanded);
        expanded.map(|at| self.state(at)).collect()
    }

    /// Records the errors on top that are in the target, with the path, unless they were recorded
    /// at an earlier visit. Returns whether they end the search.
    pub(crate) fn record(
        &self,
        query: &SearchQuery<'_>,
        expansion: &Expansion,
        found: &mut Vec<(FindingKind, StatePath)>,
    ) -> bool {
        let kinds = query.target.all_errors(expansion);
        for &kind in &kinds {
            let same = || found.iter().filter(|(known, _)| *known == kind);
            let state = self.last();
            let is_known = same().any(|(_, path)| path.last().is_some_and(|last| last == state));
            if !is_known && same().count() < query.keep.max(1) {
                found.push((kind, self.path()));
            }
        }
        !kinds.is_empty() && query.after_hit == AfterHit::Stop
    }

    /// Removes all states.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.levels.clear();
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() + self.levels.capacity() * size_of::<Level>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expanded_ones_are_the_path() {
        let mut stack = Stack::default();
        let room = usize::MAX;
        assert!(stack.top().is_none());
        assert!(stack.push(&[0], 0, room));
        assert_eq!(stack.expand(), [0]);
        assert!(stack.push(&[1, 1], 1, room) && stack.push(&[2], 1, room));
        assert_eq!(stack.top(), Some(Top::Waiting { depth: 1 }));
        assert_eq!(stack.expand(), [2]);
        assert_eq!(stack.last(), [2]);
        assert_eq!(stack.path(), [vec![0], vec![2]].iter().collect());
        assert_eq!(stack.top(), Some(Top::Expanded));
        stack.pop();
        assert_eq!(stack.expand(), [1, 1]);
        assert_eq!(stack.path(), [vec![0], vec![1, 1]].iter().collect());
        stack.pop();
        stack.pop();
        assert!(stack.top().is_none());
    }

    #[test]
    fn holds_no_more_than_it_may() {
        for room in [0, 100, 1000, 12_345] {
            let mut stack = Stack::default();
            let all = (0..1000).take_while(|&n| stack.push(&[7; 20], n, room)).count();
            assert!(stack.bytes() <= room);
            let most = room / (20 + size_of::<Level>());
            assert!(all <= most && all + 4 >= most / 2, "{all} in {room}");
        }
    }
}
