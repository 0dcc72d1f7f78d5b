//! Difference between a state and its successor, in records and global variables. A step changes
//! one or two records of a thousand; comparing bytes is faster than recomputing all terms.

use std::ops::Range;

use beeline_engine::frame::RecordKind;
use beeline_engine::interpreter::{DecodedState, Machine};

use crate::incremental::words::{WORD, word_at};

/// A changed part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Global variables as bits; see [`global_bit`].
    Globals(u64),
    /// This process.
    Process(usize),
    /// This channel.
    Channel(usize),
}

/// The bit of a global variable. Variables may share a bit.
pub(crate) fn global_bit(global: usize) -> u64 {
    1 << (global % 64)
}

/// A record or a global variable, with its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    start: usize,
    end: usize,
    pub(crate) changed: Changed,
}

impl Segment {
    /// Its bytes.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Bytes per comparison; differing blocks are compared by words.
const BLOCK: usize = 64;

/// Compares states with a reference state.
#[derive(Clone)]
pub(crate) struct StateDiff {
    parent: Vec<u8>,
    /// Contiguous segments in byte order; the first is the header.
    pieces: Vec<Segment>,
    /// By byte: its segment.
    owners: Vec<u32>,
    /// Mask of the bits that are record tags.
    tags: Vec<u8>,
    changes: Vec<Segment>,
}

impl StateDiff {
    pub(crate) fn new() -> Self {
        StateDiff {
            parent: Vec::new(),
            pieces: Vec::new(),
            owners: Vec::new(),
            tags: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Sets the reference state.
    pub(crate) fn remember(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        let same = self.parent.len() == now.bytes.len() && self.has_same_tags(&now.bytes);
        self.parent.clear();
        self.parent.extend_from_slice(&now.bytes);
        if !same {
            self.find_pieces(machine, now);
        }
    }

    /// Whether a state of the same length has the tags of the reference state.
    fn has_same_tags(&self, state: &[u8]) -> bool {
        let bytes = state.iter().zip(&self.parent).zip(&self.tags);
        // Branch-free, so that the compiler vectorises it.
        bytes.fold(0, |other, ((ours, theirs), tag)| other | (ours ^ theirs) & tag) == 0
    }

    fn find_pieces(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        let layout = machine.layout();
        self.tags = layout.tags(&now.bytes);
        self.pieces.clear();
        let ends = layout.globals.iter().skip(1).copied().chain([layout.variables]);
        let mut start = 0;
        let mut add = |end: usize, changed: Changed| {
            self.pieces.push(Segment { start, end, changed });
            start = end;
        };
        add(layout.frame.header, Changed::Globals(0));
        for (global, end) in ends.enumerate().take(layout.globals.len()) {
            add(end, Changed::Globals(global_bit(global)));
        }
        let (mut processes, mut channels) = (0, 0);
        for (at, record) in layout.records(&now.bytes) {
            let changed = match record {
                RecordKind::Process(_) => {
                    processes += 1;
                    Changed::Process(processes - 1)
                }
                RecordKind::Channel(_) => {
                    channels += 1;
                    Changed::Channel(channels - 1)
                }
            };
            // A record ends where the next one begins; a record without a tag begins right after
            // the previous one.
            let (start, end) = (layout.own_tag(at, record).start, now.bytes.len());
            if let Some(last) = self.pieces.last_mut() {
                last.end = start;
            }
            self.pieces.push(Segment { start, end, changed });
        }
        self.owners.clear();
        for (number, piece) in self.pieces.iter().enumerate() {
            self.owners.resize(piece.end, number as u32);
        }
    }

    /// The reference state.
    pub(crate) fn known(&self) -> &[u8] {
        &self.parent
    }

    /// The segments that differ in the last compared state, in order.
    pub(crate) fn changes(&self) -> &[Segment] {
        &self.changes
    }

    /// Makes the last compared state, which has the same layout, the reference state.
    pub(crate) fn follow(&mut self, state: &[u8]) {
        for change in &self.changes {
            self.parent[change.range()].copy_from_slice(&state[change.range()]);
        }
    }

    /// Finds the segments that differ. Returns `false` if the layout differs; then any segment may.
    #[inline]
    pub(crate) fn compare(&mut self, state: &[u8]) -> bool {
        self.find_changes(state).is_some()
    }

    #[inline]
    fn find_changes(&mut self, state: &[u8]) -> Option<()> {
        self.changes.clear();
        if state.len() != self.parent.len() {
            return None;
        }
        let (blocks, rest) = state.as_chunks::<BLOCK>();
        // Bytes before this are compared.
        let mut settled = 0;
        for (number, ours) in blocks.iter().enumerate() {
            let start = number * BLOCK;
            if is_same(ours, &self.parent.as_chunks().0[number]) {
                continue;
            }
            for (at, word) in ours.as_chunks::<WORD>().0.iter().enumerate() {
                settled = self.compare_word(start + at * WORD, *word, settled)?;
            }
        }
        let start = blocks.len() * BLOCK;
        let (words, last) = rest.as_chunks::<WORD>();
        for (at, word) in words.iter().enumerate() {
            settled = self.compare_word(start + at * WORD, *word, settled)?;
        }
        let mut word = [0; WORD];
        word[..last.len()].copy_from_slice(last);
        self.compare_word(state.len() - last.len(), word, settled)?;
        Some(())
    }

    /// Adds the segments that differ in a word. Returns the end of the compared bytes.
    #[inline]
    fn compare_word(
        &mut self,
        start: usize,
        word: [u8; WORD],
        mut settled: usize,
    ) -> Option<usize> {
        let mut difference = u64::from_le_bytes(word) ^ word_at(&self.parent, start);
        if difference == 0 {
            return Some(settled);
        }
        if difference & word_at(&self.tags, start) != 0 {
            return None;
        }
        while difference != 0 {
            let byte = start + difference.trailing_zeros() as usize / 8;
            if byte >= settled {
                let piece = self.pieces[self.owners[byte] as usize];
                settled = piece.end;
                self.changes.push(piece);
            }
            if settled >= start + WORD {
                break;
            }
            difference &= u64::MAX << (8 * (settled - start));
        }
        Some(settled)
    }
}

/// Whether two blocks are equal. Branch-free, so that the compiler vectorises it.
#[inline]
fn is_same(one: &[u8; BLOCK], two: &[u8; BLOCK]) -> bool {
    let word = |word: &[u8; WORD]| u64::from_ne_bytes(*word);
    let words = one.as_chunks::<WORD>().0.iter().zip(two.as_chunks::<WORD>().0);
    words.fold(0, |difference, (one, two)| difference | (word(one) ^ word(two))) == 0
}
