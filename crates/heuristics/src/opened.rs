//! The state that a heuristic looks at, opened in the place of the last one.

use beeline_engine::claim::Product;
use beeline_engine::interpreter::{Machine, Now};

use crate::difference::Piece;
use crate::goal::Goal;

/// The part of a state that belongs to the system: a claim's location stands behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    System,
    Product,
}

impl Shape {
    pub(crate) fn of(goal: &Goal) -> Shape {
        if let Goal::Claim(_) = goal { Shape::Product } else { Shape::System }
    }

    pub(crate) fn system(self, state: &[u8]) -> &[u8] {
        match self {
            Shape::System => state,
            Shape::Product => Product::split(state).0,
        }
    }
}

/// Bytes that are compared at once.
const WORD: usize = 8;

/// A machine and the state that it looks at.
#[derive(Clone)]
pub(crate) struct Opened<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: Now,
    shape: Shape,
    /// By byte of the state: all bits where it belongs to the tag of a record, else none.
    tags: Vec<u8>,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>, goal: &Goal) -> Self {
        let (now, shape) = (machine.nothing_opened(), Shape::of(goal));
        Opened { machine, now, shape, tags: Vec::new() }
    }

    /// Opens a state. Whether its records are what and where the last one's were.
    pub(crate) fn open(&mut self, state: &[u8]) -> bool {
        self.open_system(self.shape.system(state))
    }

    /// The same for the part that belongs to the system.
    pub(crate) fn open_system(&mut self, system: &[u8]) -> bool {
        if self.has_tags(system) {
            self.now.replace_bytes(system);
            return true;
        }
        self.machine.reopen(&mut self.now, system);
        self.tags.clear();
        self.tags.resize(system.len(), 0);
        let size = self.machine.layout().frame.tag_size;
        for &at in self.now.process_records().iter().chain(self.now.channel_records()) {
            self.tags[at..at + size].fill(u8::MAX);
        }
        false
    }

    /// Whether a state has the tags of the last one.
    fn has_tags(&self, system: &[u8]) -> bool {
        let known = &self.now.bytes[..];
        if known.len() != system.len() || system.is_empty() {
            return false;
        }
        let word = |word: &[u8; WORD]| u64::from_ne_bytes(*word);
        let differ = |one, two, tag| (word(one) ^ word(two)) & word(tag);
        let last = [known, system, &self.tags].map(|bytes| bytes.last_chunk::<WORD>());
        let [Some(one), Some(two), Some(tag)] = last else { return known == system };
        // The last word may have some bytes of the one before.
        let (tags, system) = (self.tags.as_chunks().0, system.as_chunks().0);
        let words = known.as_chunks().0.iter().zip(system).zip(tags);
        let other = words.fold(0, |other, ((one, two), tag)| other | differ(one, two, tag));
        other | differ(one, two, tag) == 0
    }

    /// Takes over what is different in a state whose records are known to be where the
    /// opened one's are. Given the opened one again, this takes it back.
    pub(crate) fn take_over(&mut self, state: &[u8], changes: &[Piece]) {
        let state = self.shape.system(state);
        for change in changes {
            let range = change.range();
            self.now.bytes[range.clone()].copy_from_slice(&state[range]);
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }
}
