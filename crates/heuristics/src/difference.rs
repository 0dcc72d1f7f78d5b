//! What is different between a state and its successor. Of a thousand records a step
//! changes one or two, and comparing bytes is faster than asking them all again.

use beeline_engine::interpreter::{Machine, Now};

use crate::opened::Shape;

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

/// A record, or a global variable, and where it ends.
#[derive(Clone, Copy)]
struct Piece {
    end: usize,
    changed: Changed,
}

/// Bytes that are compared at once.
const BLOCK: usize = 32;

/// Compares states with the one that was remembered.
#[derive(Clone)]
pub(crate) struct Difference {
    shape: Shape,
    parent: Vec<u8>,
    /// In order of their bytes, without gaps; the first is the header.
    pieces: Vec<Piece>,
    /// Where each block of bytes begins among the pieces.
    blocks: Vec<usize>,
    /// Where the tags of records are, and how many bytes each has.
    tags: Vec<usize>,
    tag_size: usize,
    changes: Vec<Changed>,
}

impl Difference {
    pub(crate) fn new(machine: &Machine<'_>, shape: Shape) -> Self {
        Difference {
            shape,
            parent: Vec::new(),
            pieces: Vec::new(),
            blocks: Vec::new(),
            tags: Vec::new(),
            tag_size: machine.layout().frame.tag_size,
            changes: Vec::new(),
        }
    }

    /// Remembers the state that others are compared with.
    pub(crate) fn remember(&mut self, machine: &Machine<'_>, now: &Now) {
        let tag = |bytes: &[u8], at: usize| {
            bytes[at..at + self.tag_size] == self.parent[at..at + self.tag_size]
        };
        let same =
            self.parent.len() == now.bytes.len() && self.tags.iter().all(|&at| tag(&now.bytes, at));
        self.parent.clear();
        self.parent.extend_from_slice(&now.bytes);
        if !same {
            self.find_pieces(machine, now);
        }
    }

    fn find_pieces(&mut self, machine: &Machine<'_>, now: &Now) {
        let layout = machine.layout();
        self.tags.clear();
        self.pieces.clear();
        let ends = layout.globals.iter().skip(1).copied().chain([layout.fixed]);
        let header = Changed::Globals(0);
        self.pieces.push(Piece { end: layout.frame.header, changed: header });
        for (global, end) in ends.enumerate().take(layout.globals.len()) {
            self.pieces.push(Piece { end, changed: Changed::Globals(global_bit(global)) });
        }
        let (mut processes, mut channels) = (
            now.process_records().iter().copied().enumerate().peekable(),
            now.channel_records().iter().copied().enumerate().peekable(),
        );
        loop {
            let process = processes.peek().map_or(usize::MAX, |&(_, at)| at);
            let channel = channels.peek().map_or(usize::MAX, |&(_, at)| at);
            let next = if process < channel {
                processes.next().map(|(pid, at)| (at, Changed::Process(pid)))
            } else {
                channels.next().map(|(number, at)| (at, Changed::Channel(number)))
            };
            let Some((at, changed)) = next else { break };
            self.tags.push(at);
            // A record ends where the next one begins.
            if let Some(last) = self.pieces.last_mut() {
                last.end = at;
            }
            self.pieces.push(Piece { end: now.bytes.len(), changed });
        }
        self.blocks.clear();
        let mut piece = 0;
        for start in (0..now.bytes.len()).step_by(BLOCK) {
            while self.pieces[piece].end <= start {
                piece += 1;
            }
            self.blocks.push(piece);
        }
    }

    /// What changed; `None` when the records are others, and everything may have.
    pub(crate) fn compare(&mut self, state: &[u8]) -> Option<&[Changed]> {
        let state = self.shape.system(state);
        let parent = &self.parent;
        if state.len() != parent.len() {
            return None;
        }
        self.changes.clear();
        let mut next = 0;
        let ((ours, our_rest), (theirs, their_rest)) =
            (state.as_chunks::<BLOCK>(), parent.as_chunks::<BLOCK>());
        let whole = ours.iter().zip(theirs).map(|(ours, theirs)| ours != theirs);
        let rest = (our_rest != their_rest).then_some(true);
        for (block, differs) in whole.chain(rest).enumerate() {
            if !differs {
                continue;
            }
            next = next.max(self.blocks[block]);
            let end = state.len().min((block + 1) * BLOCK);
            while next < self.pieces.len() {
                let start = if next == 0 { 0 } else { self.pieces[next - 1].end };
                if start >= end {
                    break;
                }
                let Piece { end, changed } = self.pieces[next];
                next += 1;
                if state[start..end] == parent[start..end] {
                    continue;
                }
                if !matches!(changed, Changed::Globals(_)) {
                    let tag = start..start + self.tag_size;
                    if state[tag.clone()] != parent[tag] {
                        return None;
                    }
                }
                self.changes.push(changed);
            }
        }
        Some(&self.changes)
    }
}
