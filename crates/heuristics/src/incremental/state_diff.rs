//! What is different between a state and its successor. Of a thousand records a step
//! changes one or two, and comparing bytes is faster than asking them all again.

use std::ops::Range;

use beeline_engine::frame::RecordKind;
use beeline_engine::interpreter::{DecodedState, Machine};

use crate::incremental::words::{WORD, word_at};

/// Something that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Some of these global variables: see [`global_bit`].
    Globals(u64),
    /// This process.
    Process(usize),
    /// This channel.
    Channel(usize),
}

/// The bit that stands for a global variable. Variables may share one.
pub(crate) fn global_bit(global: usize) -> u64 {
    1 << (global % 64)
}

/// A record, or a global variable, and where it is.
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

/// Bytes that are compared at once; the difference is looked for in words.
const BLOCK: usize = 64;

/// Compares states with the one that was remembered.
#[derive(Clone)]
pub(crate) struct StateDiff {
    parent: Vec<u8>,
    /// In order of their bytes, without gaps; the first is the header.
    pieces: Vec<Segment>,
    /// By byte: the piece it belongs to.
    owners: Vec<u32>,
    /// Which bits belong to the tags of records.
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

    /// Remembers the state that others are compared with.
    pub(crate) fn remember(&mut self, machine: &Machine<'_>, now: &DecodedState) {
        let same = self.parent.len() == now.bytes.len() && self.has_same_tags(&now.bytes);
        self.parent.clear();
        self.parent.extend_from_slice(&now.bytes);
        if !same {
            self.find_pieces(machine, now);
        }
    }

    /// Whether a state that is as long has the tags of the one that was remembered.
    fn has_same_tags(&self, state: &[u8]) -> bool {
        let bytes = state.iter().zip(&self.parent).zip(&self.tags);
        // Without a branch for each byte, so that the compiler can look at many at once.
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
            // A record ends where the next one begins; one without a tag begins behind it.
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

    /// The state that others are compared with.
    pub(crate) fn known(&self) -> &[u8] {
        &self.parent
    }

    /// What changed in the state that was compared last, in order.
    pub(crate) fn changes(&self) -> &[Segment] {
        &self.changes
    }

    /// Remembers the state that was compared last, which has the same records.
    pub(crate) fn follow(&mut self, state: &[u8]) {
        for change in &self.changes {
            self.parent[change.range()].copy_from_slice(&state[change.range()]);
        }
    }

    /// Finds what changed. Not when the records are others, and everything may have: says
    /// whether they are the same.
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
        // Bytes before this are settled.
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

    /// Adds what changed in a word, and returns up to where all is settled now.
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

/// Whether two blocks are equal: without a branch for each word, so that the compiler can
/// look at many at once.
#[inline]
fn is_same(one: &[u8; BLOCK], two: &[u8; BLOCK]) -> bool {
    let word = |word: &[u8; WORD]| u64::from_ne_bytes(*word);
    let words = one.as_chunks::<WORD>().0.iter().zip(two.as_chunks::<WORD>().0);
    words.fold(0, |difference, (one, two)| difference | (word(one) ^ word(two))) == 0
}
