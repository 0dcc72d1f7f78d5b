//! The states of the exact store: in an arena as they are or, where that takes much less
//! memory, [without what is zero in all of them](super::zero_elision).
//!
//! Which of the two is decided once, by the first states: there are enough of them to know,
//! and so few that writing them anew takes no time. Short states are left as they are: they
//! hold few zeros, and what is saved is not worth the time.

use super::arena::Arena;
use super::zero_elision::{self, ZeroElision};

/// States are looked at when there are so many.
const TRIAL: usize = 1 << 11;
/// States that are shorter than this are short.
const SHORT: usize = 64;
/// So many neighbours are opened at a time.
const OPENED: usize = 16;

/// States of varying length, numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct States {
    arena: Arena,
    /// How states are trimmed, if they are.
    trims: Option<Box<ZeroElision>>,
    is_decided: bool,
    /// Of trimmed states: the length of the longest one, as it is.
    longest: usize,
    /// Those that were opened last, with their numbers: who expands a batch of them asks again
    /// for each.
    opened: [(usize, Vec<u8>); OPENED],
    /// The form of a state that is added. Kept for its memory.
    form: Vec<u8>,
}

impl States {
    /// No states.
    pub(super) fn new() -> States {
        States {
            arena: Arena::new(),
            trims: None,
            is_decided: false,
            longest: 0,
            opened: std::array::from_fn(|_| (usize::MAX, Vec::new())),
            form: Vec::new(),
        }
    }

    /// How much memory it will take at most to [`push`](States::push) a state of this length.
    #[inline]
    pub(super) fn growth(&self, length: usize) -> usize {
        self.arena.growth(self.most(length))
    }

    /// Whether a state of this length can be added without asking for memory.
    #[inline]
    pub(super) fn has_room(&self, length: usize) -> bool {
        self.arena.has_room(self.most(length))
    }

    /// Makes room for a state. Says whether there was memory for it.
    pub(super) fn reserve(&mut self, length: usize) -> bool {
        self.arena.reserve(self.most(length))
    }

    /// What a state of this length takes at most.
    #[inline]
    fn most(&self, length: usize) -> usize {
        if self.trims.is_some() { zero_elision::most(length) } else { length }
    }

    /// Adds a state, for which there is room.
    #[inline]
    pub(super) fn push(&mut self, state: &[u8]) {
        if self.trims.is_none() {
            return self.arena.push(state);
        }
        self.push_trimmed(state);
    }

    #[inline(never)]
    fn push_trimmed(&mut self, state: &[u8]) {
        self.longest = self.longest.max(state.len());
        if let Some(trims) = &mut self.trims {
            self.arena.push(trims.write(state, &mut self.form));
        }
    }

    /// Whether this is the state with this number.
    #[inline]
    pub(super) fn is_state(&self, index: usize, state: &[u8]) -> bool {
        match &self.trims {
            None => self.arena.is_state(index, state),
            Some(trims) => self.is_trimmed(trims, index, state),
        }
    }

    #[inline(never)]
    fn is_trimmed(&self, trims: &ZeroElision, index: usize, state: &[u8]) -> bool {
        trims.is_of(self.arena.state(index), state)
    }

    /// The state with this number.
    #[inline]
    pub(super) fn open(&mut self, index: usize) -> &[u8] {
        if self.trims.is_none() {
            return self.arena.state(index);
        }
        self.open_trimmed(index)
    }

    #[inline(never)]
    fn open_trimmed(&mut self, index: usize) -> &[u8] {
        let (number, state) = &mut self.opened[index % OPENED];
        if *number != index
            && let Some(trims) = &self.trims
        {
            trims.read(self.arena.state(index), state);
            *number = index;
        }
        state
    }

    /// Writes the state with this number, replacing what is in `state`.
    pub(super) fn load(&self, index: usize, state: &mut Vec<u8>) {
        let bytes = self.arena.state(index);
        if let Some(trims) = &self.trims {
            trims.read(bytes, state);
        } else {
            state.clear();
            state.extend_from_slice(bytes);
        }
    }

    /// Asks for the state with this number.
    #[inline]
    pub(super) fn prefetch(&self, index: usize) {
        self.arena.prefetch(index);
    }

    /// Leaves out zeros from now on, if there are enough of them to see that this is worth it.
    /// When there is no memory for both, they stay as they are.
    pub(super) fn decide(&mut self) {
        if self.is_decided || self.len() < TRIAL {
            return;
        }
        self.is_decided = true;
        let states = || (0..self.arena.len()).map(|index| self.arena.state(index));
        if states().map(<[u8]>::len).sum::<usize>() < SHORT * self.len() {
            return;
        }
        let (mut trims, mut arena) = (ZeroElision::of(states()), Arena::new());
        for state in states() {
            let form = trims.write(state, &mut self.form);
            if !arena.has_room(form.len()) && !arena.reserve(form.len()) {
                return;
            }
            arena.push(form);
        }
        if arena.used() * 4 <= self.arena.used() * 3 {
            self.longest = self.arena.longest();
            self.arena = arena;
            self.trims = Some(Box::new(trims));
        }
    }

    /// The length of the longest state.
    pub(super) fn longest(&self) -> usize {
        if self.trims.is_some() { self.longest } else { self.arena.longest() }
    }

    /// How many states there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.arena.len()
    }

    /// Memory held, but for what is kept for a moment.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.trims.as_ref().map_or(0, |trims| trims.bytes())
    }
}
