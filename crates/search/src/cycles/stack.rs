//! A depth-first stack with post-order: open states and the current path in one list, four bytes
//! for each.
//!
//! A state that is entered stays in its position, below its successors, and becomes cyan. When it
//! is on top again, all its successors are done, and it is left. Another copy of it cannot be on
//! top in between: only white states are pushed, so the copies of a state that was entered are
//! further down, and reach the top after it was left.

use beeline_kernel::StateId;

use super::colours::{Colour, Colours};

/// The open states and the path, and the colours of all states.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    waiting: Vec<StateId>,
    pub(super) colours: Colours,
    /// States on the path.
    len: u32,
    /// The depth limit: successors of states at this depth are not entered.
    limit: u32,
    is_cut: bool,
}

impl Stack {
    /// The initial state is open.
    pub(super) fn new(initial: StateId, limit: u32) -> Stack {
        let (waiting, colours) = (vec![initial], Colours::default());
        Stack { waiting, colours, len: 0, limit, is_cut: false }
    }

    /// The state on top, and its colour.
    #[inline]
    pub(super) fn top(&self) -> Option<(StateId, Colour)> {
        self.waiting.last().map(|&id| (id, self.colours.of(id)))
    }

    /// Enters the state on top.
    #[inline]
    pub(super) fn enter(&mut self, id: StateId) {
        debug_assert_eq!(self.top(), Some((id, Colour::White)));
        self.colours.paint(id, Colour::Cyan);
        self.len += 1;
    }

    /// Leaves the state on top, the last one on the path.
    #[inline]
    pub(super) fn leave(&mut self, colour: Colour) {
        let id = self.waiting.pop().expect("who is left was entered");
        self.colours.paint(id, colour);
        self.len -= 1;
    }

    /// Drops the state on top: it was entered by another transition.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.waiting.pop();
    }

    /// Pushes a white successor of the last state on the path, unless it is beyond the limit.
    /// Returns whether it was pushed.
    #[inline]
    pub(super) fn push(&mut self, id: StateId) -> bool {
        if self.len > self.limit {
            self.is_cut = true;
            return false;
        }
        self.waiting.push(id);
        true
    }

    /// Reverses the states from `begin` on, so that the first one is on top.
    #[inline]
    pub(super) fn turn_round(&mut self, begin: usize) {
        self.waiting[begin..].reverse();
    }

    /// The number of open states and states on the path.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The depth of the last state on the path.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.len.saturating_sub(1)
    }

    /// Whether a state was not entered because of the limit. Even if it is entered by another
    /// transition later, states were left before all their descendants were searched.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The path from the initial state to the last one that was entered.
    pub(super) fn path(&mut self) -> Vec<StateId> {
        let mut path = Vec::with_capacity(self.len as usize);
        // The topmost copy of a cyan state is the one on the path.
        for &id in self.waiting.iter().rev() {
            if self.colours.of(id) == Colour::Cyan {
                self.colours.paint(id, Colour::White);
                path.push(id);
            }
        }
        path.iter().for_each(|&id| self.colours.paint(id, Colour::Cyan));
        path.reverse();
        path
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<StateId>() + self.colours.bytes()
    }
}
