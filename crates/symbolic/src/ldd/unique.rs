//! The unique table: from the content of a node to its number, so that equal sets are equal
//! numbers. Open addressing with linear probing, at most half full.

use super::node::{EMPTY, Node, NodeId};

/// The smallest table.
const LEAST: usize = 1 << 10;

/// Numbers of nodes by the hash of their content; [`EMPTY`] marks a free slot.
#[derive(Debug)]
pub(crate) struct UniqueTable {
    slots: Vec<NodeId>,
    used: usize,
}

impl UniqueTable {
    pub(crate) fn new() -> UniqueTable {
        UniqueTable { slots: vec![EMPTY; LEAST], used: 0 }
    }

    /// The number of nodes in the table.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Whether another node needs a larger table first.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used * 2 >= self.slots.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<NodeId>()
    }

    /// The node of this content, or the slot for it.
    #[inline]
    pub(crate) fn find(&self, node: Node, nodes: &[Node]) -> Result<NodeId, usize> {
        let mut at = self.first(node);
        loop {
            let id = self.slots[at];
            if id == EMPTY {
                return Err(at);
            }
            if nodes[id as usize] == node {
                return Ok(id);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Fills a slot that [`UniqueTable::find`] gave for this node.
    #[inline]
    pub(crate) fn fill(&mut self, slot: usize, id: NodeId) {
        self.slots[slot] = id;
        self.used += 1;
    }

    /// Doubles the table.
    pub(crate) fn grow(&mut self, nodes: &[Node]) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![EMPTY; old.len() * 2];
        self.used = 0;
        for id in old.into_iter().filter(|&id| id != EMPTY) {
            self.insert_new(id, nodes);
        }
    }

    /// Removes all nodes.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.used = 0;
    }

    /// Inserts a node that is not in the table.
    pub(crate) fn insert_new(&mut self, id: NodeId, nodes: &[Node]) {
        let mut at = self.first(nodes[id as usize]);
        while self.slots[at] != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.fill(at, id);
    }

    #[inline]
    fn first(&self, node: Node) -> usize {
        (node.hash() >> (64 - self.slots.len().trailing_zeros())) as usize
    }
}
