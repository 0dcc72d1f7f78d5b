//! A level of a breadth-first search: the states of one distance, in pieces that threads take.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::shared::RecordId;

/// A piece has at most this many states.
const LARGEST: u32 = 128;

/// Consecutive records of states of one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordRange {
    pub(crate) first: RecordId,
    pub(crate) count: u32,
}

/// The states that are expanded next. Each piece is taken once.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The number of transitions to these states.
    pub(super) depth: u32,
    pieces: Vec<RecordRange>,
    taken: AtomicUsize,
}

impl Level {
    /// A level of these pieces.
    pub(super) fn new(depth: u32, pieces: Vec<RecordRange>) -> Level {
        Level { depth, pieces, taken: AtomicUsize::new(0) }
    }

    /// Takes the next piece.
    #[inline]
    pub(super) fn take(&self) -> Option<RecordRange> {
        self.pieces.get(self.taken.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The records of all states.
    pub(super) fn ranges(&self) -> impl Iterator<Item = RecordRange> {
        self.pieces.iter().copied()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<RecordRange>()
    }
}

/// The new states of a thread: the pieces of the next level, the last of which grows.
#[derive(Debug, Default)]
pub(super) struct NewStates {
    closed: Vec<RecordRange>,
    first: Option<RecordId>,
    count: u32,
}

impl NewStates {
    /// Adds a state that was stored after the previous one by the same thread.
    #[inline]
    pub(super) fn add(&mut self, id: RecordId) {
        match self.first {
            Some(first) if first.is_beside(id) && self.count < LARGEST => {}
            _ => {
                self.close();
                self.first = Some(id);
            }
        }
        self.count += 1;
    }

    fn close(&mut self) {
        if let Some(first) = self.first.take() {
            self.closed.push(RecordRange { first, count: self.count });
        }
        self.count = 0;
    }

    /// Closes the open piece, and takes all pieces.
    pub(super) fn take(&mut self) -> Vec<RecordRange> {
        self.close();
        std::mem::take(&mut self.closed)
    }
}
