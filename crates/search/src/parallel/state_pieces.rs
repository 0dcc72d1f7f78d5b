//! Levels whose states are kept in full, since their set cannot give them back, and links by which
//! paths are found.
//!
//! A level is a list of pieces, each made by one thread. The states of a piece are freed when the
//! level after theirs is complete; links stay. A link takes four bytes: the position of the parent
//! in its piece, and the number of the transition. The pieces of the parents are kept once for each
//! run of states with parents in one piece. A path is restored by executing the transitions again.

use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_kernel::{Expander, Expansion, StatePath};

/// A piece has at most this many states, unless a single expansion has more successors.
const LARGEST: u32 = 128;
/// Bits of a link for the number of a transition; the others are for the position of the parent.
const TRANSITION_BITS: u32 = 20;
/// A piece never has more states: positions have to fit into links.
const MOST: u32 = 1 << (u32::BITS - TRANSITION_BITS);
/// Bytes of the length before each state.
const PREFIX: usize = size_of::<u32>();

/// The states of a piece, one after the other, and how they were reached.
#[derive(Debug, Default)]
pub(super) struct Piece {
    states: Vec<u8>,
    pub(super) links: Links,
}

/// How the states of a piece were reached.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The first state of each run, with the piece of its parents in the level before.
    runs: Vec<(u32, u32)>,
    links: Vec<u32>,
}

/// A state of a level: its piece, and its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) piece: u32,
    pub(super) at: u32,
}

impl Piece {
    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() + self.links.bytes() + size_of::<Piece>()
    }

    /// The state at an offset, with the offset of the next one. `None` at the end.
    #[inline]
    fn state_at(&self, offset: usize) -> Option<(&[u8], usize)> {
        let (length, rest) = self.states.get(offset..)?.split_first_chunk::<PREFIX>()?;
        let length = u32::from_le_bytes(*length) as usize;
        Some((&rest[..length], offset + PREFIX + length))
    }
}

impl Links {
    fn bytes(&self) -> usize {
        self.runs.capacity() * size_of::<(u32, u32)>() + self.links.capacity() * size_of::<u32>()
    }

    /// The parent of a state, and the number of the transition.
    fn parent(&self, at: u32) -> (Place, usize) {
        let run = self.runs.partition_point(|&(first, _)| first <= at) - 1;
        let link = self.links[at as usize];
        let place = Place { piece: self.runs[run].1, at: link >> TRANSITION_BITS };
        (place, (link & ((1 << TRANSITION_BITS) - 1)) as usize)
    }
}

/// The states that are expanded next. Each piece is taken once.
#[derive(Debug, Default)]
pub(super) struct StateLevel {
    pieces: Vec<Piece>,
    taken: AtomicUsize,
}

impl StateLevel {
    /// A level of these pieces, whose links are taken out.
    pub(super) fn new(mut pieces: Vec<Piece>) -> (StateLevel, Vec<Links>) {
        let links = pieces.iter_mut().map(|piece| std::mem::take(&mut piece.links)).collect();
        (StateLevel { pieces, taken: AtomicUsize::new(0) }, links)
    }

    /// Takes the next piece.
    #[inline]
    pub(super) fn take(&self) -> Option<Rest> {
        let piece = self.taken.fetch_add(1, Ordering::Relaxed);
        (piece < self.pieces.len()).then_some(Rest { piece, offset: 0, at: 0 })
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.pieces.iter().map(Piece::bytes).sum()
    }

    /// The next state of a piece, with its position.
    #[inline]
    pub(super) fn next(&self, rest: &mut Rest) -> Option<(&[u8], u32)> {
        let (state, end) = self.pieces[rest.piece].state_at(rest.offset)?;
        let at = rest.at;
        (rest.offset, rest.at) = (end, at + 1);
        Some((state, at))
    }
}

/// The states of a piece that are not expanded yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub(super) piece: usize,
    offset: usize,
    at: u32,
}

/// The new states of a thread: the pieces of the next level, the last of which grows.
#[derive(Debug, Default)]
pub(super) struct NewPieces {
    closed: Vec<Piece>,
    open: Piece,
    /// Memory of the pieces that were closed since it was asked for.
    bytes: usize,
}

impl NewPieces {
    /// Adds a new state, reached by a transition from a parent. Returns whether its link can be
    /// kept.
    #[inline]
    pub(super) fn add(&mut self, state: &[u8], parent: Place, transition: usize) -> bool {
        if transition >> TRANSITION_BITS != 0 {
            return false;
        }
        let Piece { states, links: Links { runs, links } } = &mut self.open;
        if runs.last().is_none_or(|&(_, piece)| piece != parent.piece) {
            runs.push((links.len() as u32, parent.piece));
        }
        links.push(parent.at << TRANSITION_BITS | transition as u32);
        states.extend_from_slice(&(state.len() as u32).to_le_bytes());
        states.extend_from_slice(state);
        if links.len() as u32 == MOST {
            self.close();
        }
        true
    }

    /// Closes the open piece if it is large. To be called between two expansions.
    #[inline]
    pub(super) fn close_if_large(&mut self) {
        if self.open.links.links.len() as u32 >= LARGEST {
            self.close();
        }
    }

    fn close(&mut self) {
        if !self.open.states.is_empty() {
            let mut piece = std::mem::take(&mut self.open);
            let (states, links) = (piece.states.capacity(), piece.links.links.capacity());
            piece.states.shrink_to_fit();
            piece.links.links.shrink_to_fit();
            piece.links.runs.shrink_to_fit();
            self.bytes += piece.bytes();
            self.closed.push(piece);
            self.open.states.reserve(states);
            self.open.links.links.reserve(links);
        }
    }

    /// Memory of the pieces that were closed since the last call.
    #[inline]
    pub(super) fn take_bytes(&mut self) -> usize {
        std::mem::take(&mut self.bytes)
    }

    /// Closes the open piece, and takes all pieces.
    pub(super) fn take(&mut self) -> Vec<Piece> {
        self.close();
        std::mem::take(&mut self.closed)
    }
}

/// The links of all levels but the first, which has the initial state only.
#[derive(Debug, Default)]
pub(super) struct LinkHistory {
    levels: Vec<Vec<Links>>,
    bytes: usize,
}

impl LinkHistory {
    /// Adds the links of the next level.
    pub(super) fn push(&mut self, links: Vec<Links>) {
        self.bytes += links.iter().map(|links| links.bytes() + size_of::<Links>()).sum::<usize>();
        self.levels.push(links);
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The path to a state of a level, restored from the initial state.
    pub(super) fn path_to(
        &self,
        depth: u32,
        mut place: Place,
        initial: &[u8],
        expander: &mut dyn Expander,
    ) -> StatePath {
        let mut transitions = Vec::new();
        for level in self.levels[..depth as usize].iter().rev() {
            let (parent, transition) = level[place.piece as usize].parent(place.at);
            transitions.push(transition);
            place = parent;
        }
        let mut path: StatePath = [initial].into_iter().collect();
        let mut expansion = Expansion::default();
        for &transition in transitions.iter().rev() {
            expander.expand_only(path.last().expect("it begins with a state"), &mut expansion);
            path.push(expansion.state(transition));
        }
        path
    }
}
