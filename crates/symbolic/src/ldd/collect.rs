//! Garbage collection: mark and sweep.
//!
//! Roots are the sets that are in use, and the nodes that a running recursion registered in the
//! forest. Numbers of nodes do not change, so the operation cache keeps its living entries.

use super::forest::Forest;
use super::node::{EMPTY, Node, NodeId, UNIT};

impl Forest {
    /// Frees the nodes that no set uses.
    pub fn collect(&mut self) {
        self.peak = self.peak_nodes();
        let mut marks = Marks { words: vec![0; self.nodes.len().div_ceil(64)] };
        marks.set(EMPTY);
        marks.set(UNIT);
        self.roots.retain(|root| root.strong_count() > 0);
        let mut waiting: Vec<NodeId> = Vec::new();
        waiting.extend(self.roots.iter().filter_map(|root| root.upgrade()).map(|root| *root));
        waiting.extend(&self.held);
        waiting.extend(self.lists.iter().map(|&(_, down)| down));
        while let Some(mut id) = waiting.pop() {
            // Down first for one node after the other, so that the stack holds siblings only.
            while marks.set(id) {
                let node = self.node(id);
                waiting.push(node.right);
                id = node.down;
            }
        }
        self.sweep(&marks);
        self.cache.retain(|id| marks.has(id));
        self.collect_at = (self.unique.used() * 2).max(self.least_collect_at);
    }

    /// Frees nodes if their number has grown enough since the last time.
    #[inline]
    pub(crate) fn collect_if_due(&mut self) {
        if self.unique.used() >= self.collect_at {
            self.collect();
        }
    }

    fn sweep(&mut self, marks: &Marks) {
        self.unique.clear();
        self.free = EMPTY;
        // Backwards, so that the free list starts with the lowest numbers.
        for id in (UNIT + 1..self.nodes.len() as NodeId).rev() {
            if marks.has(id) {
                debug_assert!(!self.node(id).is_free());
                self.unique.insert_new(id, &self.nodes);
            } else {
                self.nodes[id as usize] = Node::free(self.free);
                self.free = id;
            }
        }
    }
}

/// One bit per node.
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// Marks a node; returns whether it was not marked before.
    fn set(&mut self, id: NodeId) -> bool {
        let word = &mut self.words[id as usize / 64];
        let bit = 1 << (id % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn has(&self, id: NodeId) -> bool {
        self.words[id as usize / 64] & (1 << (id % 64)) != 0
    }
}
