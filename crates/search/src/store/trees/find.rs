//! Lookup of a state that interns none of its nodes.

use beeline_kernel::StateId;

use super::super::pair_table::NoExtras;
use super::leaves::Leaves;
use super::words::{WORD, word};
use super::{Halves, Pair, Part, State, TreeStore, id_of, pair};

impl TreeStore {
    /// The id of a state, if it is stored. Subtrees that equal those of the opened state need no
    /// lookup.
    pub(super) fn find_folded(&self, state: &[u8]) -> Option<StateId> {
        let length = u32::try_from(state.len()).ok()?;
        let words = state.len().div_ceil(WORD);
        let leaves = Leaves::of(words);
        let root = match words {
            0 => 0,
            1 => pair(word(state, 0), 0),
            _ => {
                let opened = &self.opened;
                let is_like = state.len() == opened.length;
                let is_same = |at| is_like && word(state, at) == word(&opened.bytes, at);
                let changed = (0..words).filter(|&leaf| !is_same(leaves.word(leaf)));
                let changed: Vec<usize> = changed.collect();
                let halves = Part { first: 0, words, node: 0 }.split(leaves.left);
                self.find_children(halves, State { bytes: state, leaves }, &changed)?
            }
        };
        self.roots.find(self.roots.key(root, length), &self.lengths).map(id_of)
    }

    /// The pair of two halves, if their nodes are interned.
    fn find_children(&self, halves: Halves, state: State<'_>, changed: &[usize]) -> Option<Pair> {
        let (of_left, of_right) = halves.divide(changed);
        let left = self.find_part(halves.left, state, of_left)?;
        Some(pair(left, self.find_part(halves.right, state, of_right)?))
    }

    /// The number of a part in the pair above it, if its nodes are interned.
    fn find_part(&self, part: Part, state: State<'_>, changed: &[usize]) -> Option<u32> {
        if part.words == 1 {
            return Some(word(state.bytes, state.leaves.word(part.first)));
        }
        if changed.is_empty() {
            return Some(self.opened.nodes[part.own_node()]);
        }
        let pair = self.find_children(part.halves(), state, changed)?;
        self.inner.find(self.inner.key(pair, 0), &NoExtras)
    }
}
