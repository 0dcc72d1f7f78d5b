//! The operation cache: results of operations on nodes. Direct-mapped, so an entry may replace
//! another one; it grows with the number of nodes, as a table that is too small makes operations
//! repeat whole subtrees.

use super::node::{EMPTY, NodeId, mix};

/// The smallest table.
const LEAST: usize = 1 << 10;

/// An operation together with its parameters that are not nodes; 0 is none.
pub(crate) type Tag = u32;

/// The operands and the result of an operation. Unused operands are [`EMPTY`].
#[derive(Clone, Copy, Debug)]
struct Entry {
    tag: Tag,
    operands: [NodeId; 3],
    result: NodeId,
}

const VACANT: Entry = Entry { tag: 0, operands: [EMPTY; 3], result: EMPTY };

/// Results of operations.
#[derive(Debug)]
pub(crate) struct OperationCache {
    entries: Vec<Entry>,
    /// Entries that were replaced since the table has this size.
    replaced: usize,
}

impl OperationCache {
    pub(crate) fn new() -> OperationCache {
        OperationCache { entries: vec![VACANT; LEAST], replaced: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    #[inline]
    pub(crate) fn get(&self, tag: Tag, operands: [NodeId; 3]) -> Option<NodeId> {
        let entry = &self.entries[self.slot(tag, operands)];
        (entry.tag == tag && entry.operands == operands).then_some(entry.result)
    }

    #[inline]
    pub(crate) fn put(&mut self, tag: Tag, operands: [NodeId; 3], result: NodeId) {
        let slot = self.slot(tag, operands);
        self.replaced += usize::from(self.entries[slot].tag != 0);
        self.entries[slot] = Entry { tag, operands, result };
    }

    /// Whether so many entries were replaced that a larger table would help.
    pub(crate) fn is_crowded(&self) -> bool {
        self.replaced > self.entries.len()
    }

    /// Doubles the table.
    pub(crate) fn grow(&mut self) {
        let old = std::mem::take(&mut self.entries);
        self.entries = vec![VACANT; old.len() * 2];
        for entry in old.into_iter().filter(|entry| entry.tag != 0) {
            self.put(entry.tag, entry.operands, entry.result);
        }
        self.replaced = 0;
    }

    /// Drops the entries that mention a node that is not alive.
    pub(crate) fn retain(&mut self, is_alive: impl Fn(NodeId) -> bool) {
        for entry in &mut self.entries {
            let [a, b, c] = entry.operands;
            if entry.tag != 0 && ![a, b, c, entry.result].into_iter().all(&is_alive) {
                *entry = VACANT;
            }
        }
    }

    #[inline]
    fn slot(&self, tag: Tag, [a, b, c]: [NodeId; 3]) -> usize {
        let first = (u64::from(a) << 32) | u64::from(b);
        let second = (u64::from(tag) << 32) | u64::from(c);
        let hash = mix(first ^ second.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (hash >> (64 - self.entries.len().trailing_zeros())) as usize
    }
}
