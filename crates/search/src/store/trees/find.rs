//! Looking for a state without storing it, or any node of it.

use beeline_kernel::StateId;

use super::leaves::Leaves;
use super::words::{WORD, word};
use super::{Pair, Part, State, TreeStore, pair};

impl TreeStore {
    /// The id of a state, if it is stored. The nearer it is to the opened one, the sooner.
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
        let hash = self.roots.hash(root, u64::from(length));
        let same = |number: u32| self.lengths.at(number as usize) == length;
        let number = self.roots.find(root, hash, same)?;
        StateId::new(number as usize)
    }

    /// Two halves of a part, as a pair, if their nodes are known.
    fn find_children(
        &self,
        (left, right): (Part, Part),
        state: State<'_>,
        changed: &[usize],
    ) -> Option<Pair> {
        let middle = changed.iter().position(|&leaf| leaf >= right.first);
        let (of_left, of_right) = changed.split_at(middle.unwrap_or(changed.len()));
        Some(pair(self.find_part(left, state, of_left)?, self.find_part(right, state, of_right)?))
    }

    /// What stands for a part of a state in the pair above it, if its nodes are known.
    fn find_part(&self, part: Part, state: State<'_>, changed: &[usize]) -> Option<u32> {
        if part.words == 1 {
            return Some(word(state.bytes, state.leaves.word(part.first)));
        }
        if changed.is_empty() {
            return Some(self.opened.nodes[part.own_node()]);
        }
        let pair = self.find_children(part.halves(), state, changed)?;
        self.inner.find(pair, self.inner.hash(pair, 0), |_| true)
    }
}
