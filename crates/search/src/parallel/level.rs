//! A level of a breadth-first search: the states of one distance, in pieces that threads take.

use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_kernel::SleepSet;

use crate::store::shared::RecordId;

/// A piece has at most this many states, unless a single expansion has more successors.
const LARGEST: u32 = 128;

/// Consecutive records of states of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordRange {
    pub(super) first: RecordId,
    pub(super) count: u32,
}

/// Consecutive records, and the sleep set of each state.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) range: RecordRange,
    /// Empty if all sleep sets are.
    pub(super) asleep: Box<[SleepSet]>,
}

/// The states that are expanded next. Each piece is taken once.
#[derive(Debug, Default)]
pub(super) struct Level {
    pieces: Vec<Piece>,
    taken: AtomicUsize,
}

impl Level {
    /// A level of these pieces.
    pub(super) fn new(pieces: Vec<Piece>) -> Level {
        Level { pieces, taken: AtomicUsize::new(0) }
    }

    /// Takes the next piece.
    #[inline]
    pub(super) fn take(&self) -> Option<&Piece> {
        self.pieces.get(self.taken.fetch_add(1, Ordering::Relaxed))
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The records of all states.
    pub(super) fn ranges(&self) -> impl Iterator<Item = RecordRange> {
        self.pieces.iter().map(|piece| piece.range)
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let sleep_sets = self.pieces.iter().map(|piece| size_of_val(&*piece.asleep));
        self.pieces.capacity() * size_of::<Piece>() + sleep_sets.sum::<usize>()
    }
}

/// The new states of a thread: the pieces of the next level, the last of which grows.
#[derive(Debug, Default)]
pub(super) struct NewStates {
    closed: Vec<Piece>,
    first: Option<RecordId>,
    count: u32,
    /// Sleep sets of the open piece, up to the last state that has one.
    asleep: Vec<SleepSet>,
}

impl NewStates {
    /// Adds a state that was stored after the previous one by the same thread. Returns its position
    /// in the open piece.
    #[inline]
    pub(super) fn add(&mut self, id: RecordId) -> usize {
        match self.first {
            Some(first) if first.is_beside(id) => {}
            _ => {
                self.close();
                self.first = Some(id);
            }
        }
        self.count += 1;
        self.count as usize - 1
    }

    /// Gives a state of the open piece its sleep set. Positions have to increase.
    #[inline]
    pub(super) fn put_asleep(&mut self, at: usize, asleep: SleepSet) {
        self.asleep.resize(at, SleepSet::EMPTY);
        self.asleep.push(asleep);
    }

    /// Closes the open piece if it is large. To be called between two expansions.
    #[inline]
    pub(super) fn close_if_large(&mut self) {
        if self.count >= LARGEST {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(first) = self.first.take() {
            let range = RecordRange { first, count: self.count };
            let asleep = self.asleep.as_slice().into();
            self.closed.push(Piece { range, asleep });
        }
        self.count = 0;
        self.asleep.clear();
    }

    /// Closes the open piece, and takes all pieces.
    pub(super) fn take(&mut self) -> Vec<Piece> {
        self.close();
        std::mem::take(&mut self.closed)
    }
}
