//! Copies of sets from one forest to another.

use std::collections::HashMap;

use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT};
use super::set::Set;
use crate::limits::Limit;

impl Forest {
    /// The set of the same vectors as a set of another forest.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn copy_of(&mut self, source: &Forest, set: &Set) -> Result<Set, Limit> {
        self.run(|forest| {
            let mut copies = HashMap::from([(EMPTY, EMPTY), (UNIT, UNIT)]);
            forest.copy_from(source, set.id(), &mut copies)
        })
    }

    fn copy_from(
        &mut self,
        source: &Forest,
        set: NodeId,
        copies: &mut HashMap<NodeId, NodeId>,
    ) -> Result<NodeId, Limit> {
        if let Some(&copy) = copies.get(&set) {
            return Ok(copy);
        }
        self.tick()?;
        let base = self.lists.len();
        let mut list = set;
        while list != EMPTY {
            let node = source.node(list);
            list = node.right;
            let down = self.copy_from(source, node.down, copies)?;
            self.lists.push((node.value, down));
        }
        let copy = self.chain(base, EMPTY)?;
        copies.insert(set, copy);
        Ok(copy)
    }
}
