//! The strongly connected components of the current path of a depth-first search, as far as they
//! are known: each transition back to the path merges some of them.
//!
//! Source: the second stack of [Gab00], with marks as in [Cou99].

use beeline_kernel::AcceptanceMarks;

/// Incomplete components. Twelve bytes for each, and eight more if transitions have marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    /// The number of the state that was entered first.
    firsts: Vec<u32>,
    /// The marks of the transitions inside.
    marks: Vec<AcceptanceMarks>,
    /// The marks of the transition to the first state. Empty if transitions have no marks of their
    /// own.
    arrivals: Vec<AcceptanceMarks>,
    has_arrivals: bool,
}

impl Roots {
    /// From now on, transitions have marks.
    pub(super) fn expect_arrivals(&mut self) {
        if !self.has_arrivals {
            self.has_arrivals = true;
            self.arrivals.resize(self.firsts.len(), AcceptanceMarks::NONE);
        }
    }

    /// Enters a state, as a component of its own. `marks` are common to all its transitions,
    /// `arrival` are those of the transition to it.
    #[inline]
    pub(super) fn enter(&mut self, number: u32, marks: AcceptanceMarks, arrival: AcceptanceMarks) {
        self.firsts.push(number);
        self.marks.push(marks);
        if self.has_arrivals {
            self.arrivals.push(arrival);
        }
    }

    /// A transition from the last component to a state of an incomplete component merges
    /// components. Returns whether the result has all marks.
    #[inline]
    pub(super) fn merge(&mut self, number: u32, marks: AcceptanceMarks) -> bool {
        let mut marks = marks;
        while self.last().is_some_and(|first| first > number) {
            self.firsts.pop();
            marks = marks | self.marks.pop().unwrap_or(AcceptanceMarks::NONE);
            marks = marks | self.arrivals.pop().unwrap_or(AcceptanceMarks::NONE);
        }
        let last = self.marks.last_mut().expect("the initial state is never passed");
        *last = *last | marks;
        last.is_all()
    }

    /// The first state of the last component.
    #[inline]
    pub(super) fn last(&self) -> Option<u32> {
        self.firsts.last().copied()
    }

    /// The last component is complete.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.firsts.pop();
        self.marks.pop();
        self.arrivals.pop();
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.firsts.capacity() * size_of::<u32>()
            + (self.marks.capacity() + self.arrivals.capacity()) * size_of::<AcceptanceMarks>()
    }
}
