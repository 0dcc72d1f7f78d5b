//! Nodes of list decision diagrams.
//!
//! A node is an element of a sorted list: `value`, the set of the suffixes behind this value
//! (`down`), and the rest of the list (`right`), whose values are greater. The level of a node is
//! not stored: all vectors of a set have the same length, so the distance to [`UNIT`] tells it.

/// The number of a node.
pub(crate) type NodeId = u32;

/// The empty set.
pub(crate) const EMPTY: NodeId = 0;

/// The set that contains the empty vector only.
pub(crate) const UNIT: NodeId = 1;

/// Marks a node in the list of free nodes; `right` is the next free node.
const FREE: NodeId = NodeId::MAX;

/// A node: 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) value: i32,
    pub(crate) down: NodeId,
    pub(crate) right: NodeId,
}

impl Node {
    /// The content of the two terminals; no operation reads it.
    pub(crate) const TERMINAL: Node = Node { value: 0, down: EMPTY, right: EMPTY };

    /// A free node in front of another one; [`EMPTY`] ends the list.
    pub(crate) fn free(next: NodeId) -> Node {
        Node { value: 0, down: FREE, right: next }
    }

    /// Whether it is free.
    pub(crate) fn is_free(self) -> bool {
        self.down == FREE
    }

    /// A hash whose high bits are the best ones.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let links = (u64::from(self.down) << 32) | u64::from(self.right);
        let value = u64::from(self.value as u32);
        mix(links ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Multiplies and mixes the halves, so that all bits of the input reach the high bits.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x2545_f491_4f6c_dd1d) * 0x9fb2_1c65_1e98_df25;
    (product as u64) ^ (product >> 64) as u64
}
