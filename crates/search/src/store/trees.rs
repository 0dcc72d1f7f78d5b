//! Tree compression: states as trees that share equal subtrees.
//!
//! A state is a sequence of 32-bit words, the last one padded with zeros. It is split into halves
//! recursively, down to pairs of words. Each different pair has a number, which stands for it in
//! the pair above. Only the root pair, eight bytes, and the length are kept for each state. A
//! successor that differs from its parent in few words differs in few pairs, and only these are
//! looked up.
//!
//! Source: [LPW11], the tree and the incremental lookup. Deviation: roots have a table of their
//! own and are numbered in the order of insertion, since breadth-first search uses the store as
//! its queue; one thread.
//!
//! Promises: the store is exact. Trees of states of one length have one shape, and the length is
//! compared, too; so equal roots mean equal states.

mod find;
mod leaves;
mod words;

use std::ops::Range;

use beeline_kernel::{StateId, Successors};

use super::lengths::Lengths;
use super::pair_table::{Interned, NoExtras, Pair, PairKey, PairTable};
use super::{Inserted, StateSet, StoreLimits};
use leaves::Leaves;
use words::{WORD, differences, word};

/// A set of states, numbered in the order of insertion, that stores equal subtrees once.
#[derive(Clone, Debug)]
pub(crate) struct TreeStore {
    /// The inner nodes of all trees.
    inner: PairTable,
    /// The root of each state.
    roots: PairTable,
    lengths: Lengths,
    limits: StoreLimits,
    opened: Opened,
    /// Buffer for the leaves in which a state differs from the opened one.
    changed: Vec<usize>,
    /// Buffer for the roots of a batch.
    roots_of_batch: Vec<PairKey>,
}

/// The state that was opened last, with its tree.
#[derive(Clone, Debug, Default)]
struct Opened {
    /// Whole words.
    bytes: Vec<u8>,
    length: usize,
    /// The numbers of its inner nodes in post-order. That of the root is not used.
    nodes: Vec<u32>,
}

/// There is no room for an inner node.
struct Full;

impl StateSet for TreeStore {
    fn new(limits: StoreLimits) -> TreeStore {
        TreeStore::with_hash(limits, mix)
    }

    fn insert(&mut self, state: &[u8]) -> Inserted {
        match self.fold(state) {
            Ok(root) => self.insert_root(root),
            Err(Full) => Inserted::Full,
        }
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        self.find_folded(state)
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
            // The largest number is used for no node.
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
    /// Inserts some of the successors in order, and reports the result of each. Ends with the first
    /// [`Inserted::Full`].
    pub(crate) fn insert_batch(
        &mut self,
        successors: &Successors,
        range: Range<usize>,
        mut tell: impl FnMut(Inserted),
    ) {
        let mut roots = std::mem::take(&mut self.roots_of_batch);
        roots.clear();
        roots.extend(range.clone().map_while(|at| {
            let root = self.fold(successors.state(at)).ok()?;
            self.roots.prefetch_slot(root);
            Some(root)
        }));
        roots.iter().for_each(|&root| self.roots.prefetch_candidate(root));
        // Without a root, there was no room for the nodes below it.
        let results = roots.iter().map(Some).chain([None]);
        for (root, _) in results.zip(range) {
            let inserted = root.map_or(Inserted::Full, |&root| self.insert_root(root));
            tell(inserted);
            if inserted == Inserted::Full {
                break;
            }
        }
        self.roots_of_batch = roots;
    }

    /// Changes the limits.
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
            roots_of_batch: Vec::new(),
        }
    }

    #[inline]
    fn room(&self) -> usize {
        self.limits.bytes.saturating_sub(self.bytes())
    }

    /// The root of a state, after all nodes below it are interned.
    fn fold(&mut self, state: &[u8]) -> Result<PairKey, Full> {
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
        Ok(self.roots.key(pair?, length))
    }

    /// The pair of two halves.
    fn children(
        &mut self,
        halves: Halves,
        state: State<'_>,
        changed: &[usize],
    ) -> Result<Pair, Full> {
        let (of_left, of_right) = halves.divide(changed);
        let left = self.part(halves.left, state, of_left)?;
        Ok(pair(left, self.part(halves.right, state, of_right)?))
    }

    /// The number of a part of a state in the pair above it.
    fn part(&mut self, part: Part, state: State<'_>, changed: &[usize]) -> Result<u32, Full> {
        if part.words == 1 {
            return Ok(word(state.bytes, state.leaves.word(part.first)));
        }
        if changed.is_empty() {
            return Ok(self.opened.nodes[part.own_node()]);
        }
        let pair = self.children(part.halves(), state, changed)?;
        let (key, room) = (self.inner.key(pair, 0), self.room());
        match self.inner.insert(key, room, &NoExtras) {
            Interned::Full => Err(Full),
            Interned::New(number) | Interned::Old(number) => Ok(number),
        }
    }

    fn insert_root(&mut self, root: PairKey) -> Inserted {
        if self.len() >= self.limits.states {
            let known = self.roots.find(root, &self.lengths);
            return known.map_or(Inserted::Full, |number| Inserted::Old(id_of(number)));
        }
        let room = self.room().saturating_sub(self.lengths.growth());
        match self.roots.insert(root, room, &self.lengths) {
            Interned::New(number) => {
                self.lengths.push(root.extra);
                Inserted::New(id_of(number))
            }
            Interned::Old(number) => Inserted::Old(id_of(number)),
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

    fn unfold_pair(&self, pair: Pair, halves: Halves, leaves: Leaves, tree: &mut Opened) {
        for (half, number) in [(halves.left, left(pair)), (halves.right, pair as u32)] {
            if half.words == 1 {
                let at = leaves.word(half.first);
                tree.bytes[at * WORD..][..WORD].copy_from_slice(&number.to_le_bytes());
            } else if tree.nodes[half.own_node()] != number {
                // An equal number means equal words below.
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

/// A subtree: consecutive leaves, one word each.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    words: usize,
    /// The index of its first node.
    node: usize,
}

/// The two halves of a part.
#[derive(Clone, Copy)]
struct Halves {
    left: Part,
    right: Part,
}

impl Part {
    /// The halves of a part of at least two words.
    #[inline]
    fn halves(self) -> Halves {
        self.split(self.words - self.words / 2)
    }

    /// Two parts that are not empty, `left` words in the left one.
    #[inline]
    fn split(self, left: usize) -> Halves {
        let Part { first, words, node } = self;
        let right = Part { first: first + left, words: words - left, node: node + left - 1 };
        Halves { left: Part { first, words: left, node }, right }
    }

    /// The root of the subtree: a tree of n words has n - 1 nodes, of which it is the last.
    #[inline]
    fn own_node(self) -> usize {
        self.node + self.words - 2
    }
}

impl Halves {
    /// Divides ordered leaves into those of the left and of the right half.
    #[inline]
    fn divide(self, leaves: &[usize]) -> (&[usize], &[usize]) {
        let middle = leaves.iter().position(|&leaf| leaf >= self.right.first);
        leaves.split_at(middle.unwrap_or(leaves.len()))
    }
}

#[inline]
fn id_of(number: u32) -> StateId {
    StateId::new(number as usize).expect("it has 32 bits")
}

#[inline]
fn pair(left: u32, right: u32) -> Pair {
    (Pair::from(left) << 32) | Pair::from(right)
}

#[inline]
fn left(pair: Pair) -> u32 {
    (pair >> 32) as u32
}

/// Multiplies and folds twice, so that every bit of the pair affects every bit of the hash.
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
