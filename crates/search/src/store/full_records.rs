//! Records of the exact store: states in full or, where that takes much less memory, [without the
//! bytes that are zero in all of them](super::zero_elision).
//!
//! The choice is made once, after enough states for a decision and while they are few enough that
//! rewriting them takes no time. Short states stay in full: they hold few zeros.

use std::marker::PhantomData;

use beeline_kernel::Successors;

use super::arena::StateArena;
use super::blocks::{blocks, with_blocks};
use super::equality::equal;
use super::hash::{FoldedMultiply, StateHash};
use super::probes::{Probe, ProbeBatch};
use super::records::{EncodingBuffer, StateRecords};
use super::zero_elision::{self, ZeroElision};

/// The choice is made when there are this many states.
const TRIAL: usize = 1 << 11;
/// States of fewer bytes on average stay in full.
const SHORT: usize = 64;
/// Decoded states that are kept: as many as a batch expands.
const OPENED: usize = 16;

/// States of varying length, compared byte by byte.
#[derive(Clone, Debug)]
pub struct FullRecords<H: StateHash = FoldedMultiply> {
    arena: StateArena,
    /// The elision of zeros, if it is used.
    elision: Option<Box<ZeroElision>>,
    is_decided: bool,
    /// The length of the longest state, if zeros are elided.
    longest: usize,
    /// The states decoded last: a batch opens each of its states twice.
    opened: [Opened; OPENED],
    /// Buffer for the elided form of a state.
    buffer: Vec<u8>,
    hash: PhantomData<H>,
}

/// A decoded state.
#[derive(Clone, Debug)]
struct Opened {
    index: usize,
    state: Vec<u8>,
}

impl<H: StateHash> StateRecords for FullRecords<H> {
    type Encoding<'e> = &'e [u8];

    fn new() -> Self {
        FullRecords {
            arena: StateArena::new(),
            elision: None,
            is_decided: false,
            longest: 0,
            opened: std::array::from_fn(|_| Opened { index: usize::MAX, state: Vec::new() }),
            buffer: Vec::new(),
            hash: PhantomData,
        }
    }

    #[inline]
    fn encode<'e>(&self, state: &'e [u8], _: &'e mut EncodingBuffer) -> (&'e [u8], u64) {
        (state, H::hash(state))
    }

    #[inline]
    fn probe_all(
        &self,
        successors: &Successors,
        batch: &mut ProbeBatch,
        slot: impl Fn(u64) -> usize,
    ) {
        batch.length = successors.common_length();
        batch.probes.clear();
        match blocks(batch.length) {
            Some(blocks) => with_blocks!(blocks, N => batch.probes.extend(
                successors.buffer().chunks_exact(batch.length).map(|state| {
                    let hash = H::hash_blocks::<N>(state);
                    Probe { hash, slot: slot(hash) as u32, candidate: 0 }
                })
            )),
            None => batch.probes.extend(successors.states().map(|state| {
                let hash = H::hash(state);
                Probe { hash, slot: slot(hash) as u32, candidate: 0 }
            })),
        }
    }

    #[inline]
    fn probed<'e>(&self, state: &'e [u8], _: usize, _: &'e ProbeBatch) -> Option<&'e [u8]> {
        Some(state)
    }

    #[inline(always)]
    fn states(&self) -> Option<&StateArena> {
        self.elision.is_none().then_some(&self.arena)
    }

    #[inline(always)]
    fn states_mut(&mut self) -> Option<&mut StateArena> {
        self.elision.is_none().then_some(&mut self.arena)
    }

    #[inline(always)]
    fn is_match(&self, index: usize, state: &[u8]) -> bool {
        match &self.elision {
            None => equal(self.arena.record(index), state),
            Some(elision) => self.is_elided_match(elision, index, state),
        }
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        self.arena.prefetch_record(index);
    }

    #[inline(always)]
    fn has_room(&self, state: &[u8]) -> bool {
        self.arena.has_room(self.most(state)) && self.arena.has_room_for_group()
    }

    /// Elides zeros from now on, if the first states show that it is worthwhile. Hashes are those
    /// of the full states, and do not change.
    fn adapt(&mut self, _: &[u8], _: usize) -> bool {
        if !self.is_decided && self.len() >= TRIAL {
            self.is_decided = true;
            self.elide_zeros();
        }
        false
    }

    fn growth(&self, state: &[u8]) -> usize {
        self.arena.growth(self.most(state))
    }

    fn reserve(&mut self, state: &[u8], room: usize) -> bool {
        self.has_room(state) || self.growth(state) <= room && self.arena.reserve(self.most(state))
    }

    #[inline(always)]
    fn push(&mut self, state: &[u8]) {
        if self.elision.is_none() {
            return self.arena.push(state, ());
        }
        self.push_elided(state);
    }

    #[inline(always)]
    fn open(&mut self, index: usize) -> &[u8] {
        if self.elision.is_none() {
            return self.arena.record(index);
        }
        self.open_elided(index)
    }

    fn load(&self, index: usize, state: &mut Vec<u8>) {
        let record = self.arena.record(index);
        if let Some(elision) = &self.elision {
            elision.read(record, state);
        } else {
            state.clear();
            state.extend_from_slice(record);
        }
    }

    fn hashes(&self) -> impl Iterator<Item = u64> {
        let mut state = Vec::new();
        (0..self.len()).map(move |index| {
            self.load(index, &mut state);
            H::hash(&state)
        })
    }

    #[inline]
    fn len(&self) -> usize {
        self.arena.len()
    }

    fn longest(&self) -> usize {
        if self.elision.is_some() { self.longest } else { self.arena.longest() }
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.arena.bytes() + self.elision.as_ref().map_or(0, |elision| elision.bytes())
    }
}

impl<H: StateHash> FullRecords<H> {
    /// The greatest number of bytes that a state takes.
    #[inline]
    fn most(&self, state: &[u8]) -> usize {
        let length = state.len();
        if self.elision.is_some() { zero_elision::most(length) } else { length }
    }

    #[inline(never)]
    fn push_elided(&mut self, state: &[u8]) {
        self.longest = self.longest.max(state.len());
        if let Some(elision) = &mut self.elision {
            self.arena.push(elision.write(state, &mut self.buffer), ());
        }
    }

    #[inline(never)]
    fn is_elided_match(&self, elision: &ZeroElision, index: usize, state: &[u8]) -> bool {
        elision.is_of(self.arena.record(index), state)
    }

    #[inline(never)]
    fn open_elided(&mut self, index: usize) -> &[u8] {
        let opened = &mut self.opened[index % OPENED];
        if opened.index != index
            && let Some(elision) = &self.elision
        {
            elision.read(self.arena.record(index), &mut opened.state);
            opened.index = index;
        }
        &opened.state
    }

    /// Rewrites all states without their zeros, if that saves a quarter of the memory. Leaves them
    /// unchanged if there is no memory for both.
    fn elide_zeros(&mut self) {
        let states = || (0..self.arena.len()).map(|index| self.arena.record(index));
        if states().map(<[u8]>::len).sum::<usize>() < SHORT * self.len() {
            return;
        }
        let (mut elision, mut arena) = (ZeroElision::of(states()), StateArena::new());
        for state in states() {
            let elided = elision.write(state, &mut self.buffer);
            let has_room = arena.has_room(elided.len()) && arena.has_room_for_group();
            if !has_room && !arena.reserve(elided.len()) {
                return;
            }
            arena.push(elided, ());
        }
        if arena.used() * 4 <= self.arena.used() * 3 {
            self.longest = self.arena.longest();
            self.arena = arena;
            self.elision = Some(Box::new(elision));
        }
    }
}
