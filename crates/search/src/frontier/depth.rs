//! Depth-first: a stack of all successors that were not expanded when they were
//! generated, the first one on top. One that was expanded in the meantime is
//! dropped when it comes up, so that the order is that of the recursive search.
//!
//! The states are stored when they are generated, not when they come up: the
//! stack then holds ids, each way to a state is hashed once, and the counts are
//! those of any other order. What a recursive search calls visited is called
//! expanded here, one bit for each state.

use beeline_kernel::StateId;

use super::Turn;
use crate::rng::SplitMix64;
use crate::tree::Tree;

/// A way to a state that waits.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    id: StateId,
    parent: StateId,
    depth: u32,
}

/// The waiting states, and which ones have had their turn.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    waiting: Vec<Waiting>,
    expanded: Vec<u64>,
    limit: u32,
    rng: Option<SplitMix64>,
}

impl Stack {
    /// The initial state waits. With a seed, successors are shuffled.
    pub(super) fn new(initial: StateId, limit: u32, seed: Option<u64>) -> Stack {
        Stack {
            waiting: vec![Waiting { id: initial, parent: initial, depth: 0 }],
            expanded: Vec::new(),
            limit,
            rng: seed.map(SplitMix64::new),
        }
    }

    pub(super) fn pop(&mut self, tree: &mut Tree) -> Option<Turn> {
        loop {
            let Waiting { id, parent, depth } = self.waiting.pop()?;
            // There was another way to it, below a successor that came earlier.
            if self.is_expanded(id) {
                continue;
            }
            self.mark_expanded(id);
            // It may have been generated first by a state that is not on the
            // stack; the path that counts is the stack.
            tree.set(id, parent);
            return Some(Turn { id, depth });
        }
    }

    pub(super) fn push(&mut self, from: Turn, successors: &[StateId]) {
        // They stay stored and not expanded, unless there is a shorter way.
        if from.depth == self.limit {
            return;
        }
        let base = self.waiting.len();
        for &id in successors {
            if !self.is_expanded(id) {
                self.waiting.push(Waiting { id, parent: from.id, depth: from.depth + 1 });
            }
        }
        let pushed = &mut self.waiting[base..];
        match &mut self.rng {
            None => pushed.reverse(),
            Some(rng) => rng.shuffle(pushed),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<Waiting>() + self.expanded.capacity() * size_of::<u64>()
    }

    fn is_expanded(&self, id: StateId) -> bool {
        let (word, bit) = (id.index() / 64, id.index() % 64);
        self.expanded.get(word).is_some_and(|bits| bits >> bit & 1 == 1)
    }

    fn mark_expanded(&mut self, id: StateId) {
        let (word, bit) = (id.index() / 64, id.index() % 64);
        if word >= self.expanded.len() {
            self.expanded.resize(word + 1, 0);
        }
        self.expanded[word] |= 1 << bit;
    }
}
