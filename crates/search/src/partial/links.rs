//! Links of expanded states, without the states: the parent's expansion, and the position among its
//! successors. Eight bytes each; the states are restored by executing the transitions again.
//!
//! Source: [ELL00] §3.3, where the executed transition and a link to the predecessor remain.

use beeline_kernel::{Expander, Expansion, StateId, StatePath};

use crate::store::chunked_vec::ChunkedVec;

/// A link from an expanded state to its parent.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The number of the parent's expansion; the first one is its own parent.
    parent: StateId,
    /// The position among the successors of the parent.
    way: u32,
}

/// The links, one for each expansion.
#[derive(Clone, Debug)]
pub(super) struct Links(ChunkedVec<Link>);

impl Links {
    /// No links.
    pub(super) fn new() -> Links {
        Links(ChunkedVec::new())
    }

    /// Adds the next expansion. `None` when the numbers have run out.
    #[inline]
    pub(super) fn push(&mut self, parent: StateId, way: u32) -> Option<StateId> {
        let id = StateId::new(self.0.len())?;
        self.0.push(Link { parent, way });
        Some(id)
    }

    /// The states from the initial one to that of an expansion, both included.
    pub(super) fn path_to(
        &self,
        expansion: StateId,
        initial: &[u8],
        expander: &mut dyn Expander,
    ) -> StatePath {
        let mut ways = Vec::new();
        let mut at = expansion;
        while at.index() > 0 {
            let link = self.0.at(at.index());
            ways.push(link.way);
            at = link.parent;
        }
        let mut path: StatePath = [initial].into_iter().collect();
        let mut expansion = Expansion::default();
        for &way in ways.iter().rev() {
            expander.expand_only(path.last().expect("it begins with a state"), &mut expansion);
            path.push(expansion.state(way as usize));
        }
        path
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
