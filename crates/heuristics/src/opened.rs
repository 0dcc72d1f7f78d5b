//! The state that a heuristic looks at, opened in the place of the last one.

use beeline_engine::interpreter::{Machine, Now};

use crate::difference::Piece;
use crate::words::WORD;

/// A machine and the state that it looks at.
#[derive(Clone)]
pub(crate) struct Opened<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: Now,
    /// By byte of the state: all bits where it belongs to the tag of a record, else none.
    tags: Vec<u8>,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>) -> Self {
        Opened { machine, now: machine.nothing_opened(), tags: Vec::new() }
    }

    /// Opens a state. Whether its records are what and where the last one's were.
    pub(crate) fn open(&mut self, state: &[u8]) -> bool {
        let has_tags = self.has_tags(state);
        self.open_with(state, has_tags);
        has_tags
    }

    /// Opens a state of which that is known.
    pub(crate) fn open_with(&mut self, state: &[u8], has_tags: bool) {
        if has_tags {
            self.now.replace_bytes(state);
            return;
        }
        self.machine.reopen(&mut self.now, state);
        self.tags.clear();
        self.tags.resize(state.len(), 0);
        let layout = self.machine.layout();
        let channels = self.now.channel_records().iter().map(|channel| channel.at);
        for at in self.now.process_records().iter().copied().chain(channels) {
            self.tags[layout.tag(at)].fill(u8::MAX);
        }
    }

    /// Whether a state has the records of the last one: what and where they were.
    pub(crate) fn has_tags(&self, state: &[u8]) -> bool {
        let known = &self.now.bytes[..];
        if known.len() != state.len() || state.is_empty() {
            return false;
        }
        let word = |word: &[u8; WORD]| u64::from_ne_bytes(*word);
        let differ = |one, two, tag| (word(one) ^ word(two)) & word(tag);
        let last = [known, state, &self.tags].map(|bytes| bytes.last_chunk::<WORD>());
        let [Some(one), Some(two), Some(tag)] = last else { return known == state };
        // The last word may have some bytes of the one before.
        let (tags, state) = (self.tags.as_chunks().0, state.as_chunks().0);
        let words = known.as_chunks().0.iter().zip(state).zip(tags);
        let other = words.fold(0, |other, ((one, two), tag)| other | differ(one, two, tag));
        other | differ(one, two, tag) == 0
    }

    /// Takes over what is different in a state whose records are known to be where the
    /// opened one's are. Given the opened one again, this takes it back.
    pub(crate) fn take_over(&mut self, state: &[u8], changes: &[Piece]) {
        for change in changes {
            let range = change.range();
            self.now.bytes[range.clone()].copy_from_slice(&state[range]);
        }
    }
}
