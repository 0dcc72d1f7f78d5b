//! States as trees that share what they have in common.
//!
//! A state is a sequence of 32-bit words, the last one filled up with zeros. It is
//! folded into halves, and each half again, until there are pairs of words; every
//! different pair gets a number, which stands for it in the pair above. The pair at
//! the root, eight bytes, is all that is kept of a state for itself, beside its
//! length. A successor that differs from its parent in few words differs in few
//! pairs, and only these are looked up.
//!
//! Source: Laarman, van de Pol, Weber, "Parallel recursive state compression for
//! free", SPIN 2011: the tree, and the incremental lookup. Deviation: roots have a
//! table of their own and are numbered in the order of storing, since breadth-first
//! search uses the store as its queue; one thread.
//!
//! Promises: nothing is lost. Trees of states of one length have one shape, and the
//! length is part of what is compared; so equal roots mean equal states.

mod find;
mod leaves;
mod words;

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::lengths::Lengths;
use super::pair_table::{Interned, Pair, PairTable};
use super::{Inserted, ProbeBatch, StateStore, StoreLimits};
use leaves::Leaves;
use words::{WORD, differences, word};

/// A set of states, numbered in the order of storing, that keeps common parts once.
#[derive(Clone, Debug)]
pub(crate) struct TreeStore {
    /// The inner nodes of all trees.
    inner: PairTable,
    /// The root of each state.
    roots: PairTable,
    lengths: Lengths,
    limits: StoreLimits,
    opened: Opened,
    /// The leaves that are not as in the opened state. Kept for its memory.
    changed: Vec<usize>,
    /// Of the states that are being inserted. Kept for its memory.
    folded: Vec<Folded>,
}

/// The state that was opened last, with its tree.
#[derive(Clone, Debug, Default)]
struct Opened {
    /// Whole words.
    bytes: Vec<u8>,
    length: usize,
    /// The numbers of its inner nodes: those of the left half, those of the right
    /// half, then the node itself. The place of the root is not used.
    nodes: Vec<u32>,
}

/// A root that is about to be stored.
#[derive(Clone, Copy, Debug)]
struct Folded {
    pair: Pair,
    length: u32,
    hash: u64,
}

/// There is no room for an inner node.
struct Full;

impl StateStore for TreeStore {
    fn new(limits: StoreLimits) -> TreeStore {
        TreeStore::with_hash(limits, mix)
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        match self.fold(state) {
            Ok(folded) => self.insert_folded(folded),
            Err(Full) => Inserted::Full,
        }
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        self.find_folded(state)
    }

    fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        _: &ProbeBatch,
        mut tell: impl FnMut(Inserted),
    ) {
        let mut batch = std::mem::take(&mut self.folded);
        batch.clear();
        batch.extend(range.clone().map_while(|at| {
            let folded = self.fold(successors.state(at)).ok()?;
            self.roots.prefetch_slot(folded.hash);
            Some(folded)
        }));
        batch.iter().for_each(|folded| self.roots.prefetch_candidate(folded.hash));
        // Where folding came to its end, there is no room.
        let results = batch.iter().map(Some).chain([None]);
        for (folded, _) in results.zip(range) {
            let inserted = folded.map_or(Inserted::Full, |&folded| self.insert_folded(folded));
            tell(inserted);
            if inserted == Inserted::Full {
                break;
            }
        }
        self.folded = batch;
    }

    fn open(&mut self, id: StateId) -> &[u8] {
        let mut opened = std::mem::take(&mut self.opened);
        let length = self.lengths.at(id.index()) as usize;
        let words = length.div_ceil(WORD);
        if length != opened.length {
            opened.length = length;
            opened.bytes.clear();
            opened.bytes.resize(words * WORD, 0);
            opened.nodes.clear();
            // The largest number is that of no node.
            opened.nodes.resize(words.saturating_sub(1), u32::MAX);
        }
        self.unfold_root(self.roots.pair(id.index() as u32), words, &mut opened);
        self.opened = opened;
        &self.opened.bytes[..length]
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        let length = self.lengths.at(id.index()) as usize;
        let words = length.div_ceil(WORD);
        let nodes = vec![u32::MAX; words.saturating_sub(1)];
        let mut tree = Opened { bytes: vec![0; words * WORD], length, nodes };
        self.unfold_root(self.roots.pair(id.index() as u32), words, &mut tree);
        tree.bytes.truncate(length);
        *state = tree.bytes;
    }

    #[inline]
    fn len(&self) -> usize {
        self.roots.len()
    }

    fn longest(&self) -> usize {
        self.lengths.longest()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.inner.bytes() + self.roots.bytes() + self.lengths.bytes()
    }

    fn table_bytes(&self) -> usize {
        self.inner.table_bytes() + self.roots.table_bytes()
    }
}

impl TreeStore {
    /// Grows up to another ceiling from now on.
    pub(crate) fn set_limits(&mut self, limits: StoreLimits) {
        self.limits = limits;
    }

    fn with_hash(limits: StoreLimits, hash: fn(Pair, u64) -> u64) -> TreeStore {
        TreeStore {
            inner: PairTable::new(hash),
            roots: PairTable::new(hash),
            lengths: Lengths::new(),
            limits,
            opened: Opened::default(),
            changed: Vec::new(),
            folded: Vec::new(),
        }
    }

    #[inline]
    fn room(&self) -> usize {
        self.limits.bytes.saturating_sub(self.bytes())
    }

    /// The root of a state, with all nodes below it stored.
    fn fold(&mut self, state: &[u8]) -> Result<Folded, Full> {
        let length = u32::try_from(state.len()).map_err(|_| Full)?;
        let words = state.len().div_ceil(WORD);
        let leaves = Leaves::of(words);
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        if state.len() == self.opened.length {
            differences(state, &self.opened.bytes, &mut changed);
            if leaves.are_shuffled() {
                changed.iter_mut().for_each(|at| *at = leaves.leaf(*at));
                changed.sort_unstable();
            }
        } else {
            changed.extend(0..words);
        }
        let pair = match words {
            0 => Ok(0),
            1 => Ok(pair(word(state, 0), 0)),
            _ => {
                let halves = Part { first: 0, words, node: 0 }.split(leaves.left);
                self.children(halves, State { bytes: state, leaves }, &changed)
            }
        };
        self.changed = changed;
        let pair = pair?;
        Ok(Folded { pair, length, hash: self.roots.hash(pair, u64::from(length)) })
    }

    /// Two halves of a part, as a pair.
    fn children(
        &mut self,
        (left, right): (Part, Part),
        state: State<'_>,
        changed: &[usize],
    ) -> Result<Pair, Full> {
        let middle = changed.iter().position(|&leaf| leaf >= right.first);
        let (of_left, of_right) = changed.split_at(middle.unwrap_or(changed.len()));
        Ok(pair(self.part(left, state, of_left)?, self.part(right, state, of_right)?))
    }

    /// What stands for a part of a state in the pair above it.
    fn part(&mut self, part: Part, state: State<'_>, changed: &[usize]) -> Result<u32, Full> {
        if part.words == 1 {
            return Ok(word(state.bytes, state.leaves.word(part.first)));
        }
        if changed.is_empty() {
            return Ok(self.opened.nodes[part.own_node()]);
        }
        let pair = self.children(part.halves(), state, changed)?;
        let (hash, room) = (self.inner.hash(pair, 0), self.room());
        match self.inner.insert(pair, hash, Some(room), |_| true, |_| 0) {
            Interned::Full => Err(Full),
            Interned::New(number) | Interned::Old(number) => Ok(number),
        }
    }

    fn insert_folded(&mut self, folded: Folded) -> Inserted {
        let Folded { pair, length, hash } = folded;
        let room = self.room().saturating_sub(self.lengths.growth());
        let room = if self.len() < self.limits.states { Some(room) } else { None };
        let lengths = &self.lengths;
        let same = |number: u32| lengths.at(number as usize) == length;
        let extra = |number: u32| u64::from(lengths.at(number as usize));
        let id = |number: u32| StateId::new(number as usize).expect("it has 32 bits");
        match self.roots.insert(pair, hash, room, same, extra) {
            Interned::New(number) => {
                self.lengths.push(length);
                Inserted::New(id(number))
            }
            Interned::Old(number) => Inserted::Old(id(number)),
            Interned::Full => Inserted::Full,
        }
    }

    fn unfold_root(&self, root: Pair, words: usize, tree: &mut Opened) {
        match words {
            0 => {}
            1 => tree.bytes.copy_from_slice(&left(root).to_le_bytes()),
            _ => {
                let leaves = Leaves::of(words);
                let halves = Part { first: 0, words, node: 0 }.split(leaves.left);
                self.unfold_pair(root, halves, leaves, tree);
            }
        }
    }

    fn unfold_pair(&self, pair: Pair, halves: (Part, Part), leaves: Leaves, tree: &mut Opened) {
        for (half, number) in [(halves.0, left(pair)), (halves.1, pair as u32)] {
            if half.words == 1 {
                let at = leaves.word(half.first);
                tree.bytes[at * WORD..][..WORD].copy_from_slice(&number.to_le_bytes());
            } else if tree.nodes[half.own_node()] != number {
                // Where the number is what it was, so are all words below.
                tree.nodes[half.own_node()] = number;
                self.unfold_pair(self.inner.pair(number), half.halves(), leaves, tree);
            }
        }
    }
}

/// A state that is being folded.
#[derive(Clone, Copy)]
struct State<'s> {
    bytes: &'s [u8],
    leaves: Leaves,
}

/// Some leaves of a tree, one word each, and where the numbers of their nodes begin.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    words: usize,
    node: usize,
}

impl Part {
    /// The halves of a part of at least two words.
    #[inline]
    fn halves(self) -> (Part, Part) {
        self.split(self.words - self.words / 2)
    }

    /// Two parts, so many words in the left one, some in each.
    #[inline]
    fn split(self, left: usize) -> (Part, Part) {
        let Part { first, words, node } = self;
        let right = Part { first: first + left, words: words - left, node: node + left - 1 };
        (Part { first, words: left, node }, right)
    }

    /// The node above all others: each pair makes one of two, so there is one less
    /// than there are words.
    #[inline]
    fn own_node(self) -> usize {
        self.node + self.words - 2
    }
}

#[inline]
fn pair(left: u32, right: u32) -> Pair {
    (Pair::from(left) << 32) | Pair::from(right)
}

#[inline]
fn left(pair: Pair) -> u32 {
    (pair >> 32) as u32
}

/// Multiplies and folds, twice: every bit of the pair counts for every bit.
#[inline]
fn mix(pair: Pair, extra: u64) -> u64 {
    let fold = |x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        (product >> 64) as u64 ^ product as u64
    };
    let once = fold(pair ^ 0x9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f ^ (extra << 1));
    fold(once ^ 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3)
}

#[cfg(test)]
mod tests;
