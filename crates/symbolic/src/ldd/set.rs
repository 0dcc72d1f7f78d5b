//! Handles of sets.

use std::sync::Arc;

use super::node::{EMPTY, NodeId};

/// A set of vectors of one length in a [`Forest`](crate::Forest). It keeps its nodes alive. Equal
/// sets of one forest are equal.
#[derive(Clone, Debug)]
pub struct Set(pub(super) Arc<NodeId>);

impl Set {
    /// Whether it has no vector.
    pub fn is_empty(&self) -> bool {
        *self.0 == EMPTY
    }

    #[inline]
    pub(crate) fn id(&self) -> NodeId {
        *self.0
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Set {}
