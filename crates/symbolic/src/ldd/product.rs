//! Relational products: the image and the preimage of a set under a relation over few levels.
//!
//! Source: [EMJ05], "Symbolic Search", §3 with disjunctive partitioning: one relation per group of
//! operators. A relation is a set of short vectors: per level of its support one or two values
//! ([`LevelAccess`]); levels outside of the support keep their values and are not in the relation.
//! Deviation: there are no primed variables, as new values stand in the position of old ones.

use std::cmp::Ordering;

use super::forest::Forest;
use super::node::{EMPTY, NodeId};
use super::project::Position;
use super::set::Set;
use super::support::{LevelAccess, Support, SupportOperation};
use crate::limits::Limit;

impl Forest {
    /// The vectors that a relation leads to from a set.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn image(&mut self, set: &Set, relation: &Set, support: &Support) -> Result<Set, Limit> {
        self.run(|forest| forest.image_from(set.id(), relation.id(), support, Position::START))
    }

    /// The vectors of `within` from which a relation leads into a set.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn preimage(
        &mut self,
        set: &Set,
        relation: &Set,
        support: &Support,
        within: &Set,
    ) -> Result<Set, Limit> {
        self.run(|forest| {
            let operands = [set.id(), relation.id(), within.id()];
            forest.preimage_from(operands, support, Position::START)
        })
    }

    pub(crate) fn image_from(
        &mut self,
        set: NodeId,
        relation: NodeId,
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        if set == EMPTY || relation == EMPTY {
            return Ok(EMPTY);
        }
        if at.next == support.levels.len() {
            return Ok(set);
        }
        self.tick()?;
        let tag = support.tag(SupportOperation::Image);
        if let Some(known) = self.cache.get(tag, [set, relation, EMPTY]) {
            return Ok(known);
        }
        let base = self.lists.len();
        self.each_product(set, relation, support, at, &mut |forest, set, relation, below| {
            forest.image_from(set, relation, support, below)
        })?;
        let result = self.chain(base, EMPTY)?;
        self.cache.put(tag, [set, relation, EMPTY], result);
        Ok(result)
    }

    /// Appends the list of the values that one level has after the relation, each with the product
    /// of the levels below, in ascending order.
    #[inline]
    pub(crate) fn each_product<E: From<Limit>>(
        &mut self,
        set: NodeId,
        relation: NodeId,
        support: &Support,
        at: Position,
        product: &mut impl FnMut(&mut Forest, NodeId, NodeId, Position) -> Result<NodeId, E>,
    ) -> Result<(), E> {
        let next = &support.levels[at.next];
        let (mut x, mut y) = (set, relation);
        if next.level != at.level {
            while x != EMPTY {
                let p = self.node(x);
                x = p.right;
                let down = product(self, p.down, relation, at.below())?;
                if down != EMPTY {
                    self.lists.push((p.value, down));
                }
            }
            return Ok(());
        }
        if next.access == LevelAccess::Write {
            // The old value does not matter, so all suffixes go one way.
            let mut all = EMPTY;
            while x != EMPTY {
                let p = self.node(x);
                x = p.right;
                all = self.unite(all, p.down)?;
            }
            self.lists.push((0, all));
            let kept = self.lists.len() - 1;
            while y != EMPTY {
                let q = self.node(y);
                y = q.right;
                let down = product(self, all, q.down, at.behind())?;
                if down != EMPTY {
                    self.lists.push((q.value, down));
                }
            }
            self.lists.remove(kept);
            return Ok(());
        }
        let base = self.lists.len();
        while x != EMPTY && y != EMPTY {
            let (p, q) = (self.node(x), self.node(y));
            match p.value.cmp(&q.value) {
                Ordering::Less => x = p.right,
                Ordering::Greater => y = q.right,
                Ordering::Equal if next.access == LevelAccess::Read => {
                    let down = product(self, p.down, q.down, at.behind())?;
                    if down != EMPTY {
                        self.lists.push((p.value, down));
                    }
                    (x, y) = (p.right, q.right);
                }
                Ordering::Equal => {
                    let mut new = q.down;
                    while new != EMPTY {
                        let written = self.node(new);
                        new = written.right;
                        let down = product(self, p.down, written.down, at.behind())?;
                        if down != EMPTY {
                            self.lists.push((written.value, down));
                        }
                    }
                    (x, y) = (p.right, q.right);
                }
            }
        }
        if next.access == LevelAccess::Both {
            self.normalise(base)?;
        }
        Ok(())
    }

    /// Sorts the list entries from `base` on and unites those of equal values.
    pub(crate) fn normalise(&mut self, base: usize) -> Result<(), Limit> {
        if self.lists[base..].is_sorted_by(|a, b| a.0 < b.0) {
            return Ok(());
        }
        self.lists[base..].sort_unstable();
        let end = self.lists.len();
        let mut kept = base;
        for at in base + 1..end {
            let (value, down) = self.lists[at];
            if self.lists[kept].0 == value {
                self.lists[kept].1 = self.unite(self.lists[kept].1, down)?;
            } else {
                kept += 1;
                self.lists[kept] = (value, down);
            }
        }
        self.lists.truncate(kept + 1);
        Ok(())
    }

    pub(crate) fn preimage_from(
        &mut self,
        [set, relation, within]: [NodeId; 3],
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        if set == EMPTY || relation == EMPTY || within == EMPTY {
            return Ok(EMPTY);
        }
        let Some(next) = support.levels.get(at.next) else { return self.intersect(set, within) };
        self.tick()?;
        let tag = support.tag(SupportOperation::Preimage);
        if let Some(known) = self.cache.get(tag, [set, relation, within]) {
            return Ok(known);
        }
        let base = self.lists.len();
        let access = (next.level == at.level).then_some(next.access);
        let (mut old, mut x, mut y) = (within, set, relation);
        while old != EMPTY {
            let p = self.node(old);
            old = p.right;
            let mut down = EMPTY;
            match access {
                None => {
                    if let Some(target) = self.seek(&mut x, p.value) {
                        let operands = [target, relation, p.down];
                        down = self.preimage_from(operands, support, at.below())?;
                    }
                }
                Some(LevelAccess::Read) => {
                    if let Some(related) = self.seek(&mut y, p.value)
                        && let Some(target) = self.seek(&mut x, p.value)
                    {
                        let operands = [target, related, p.down];
                        down = self.preimage_from(operands, support, at.behind())?;
                    }
                }
                Some(LevelAccess::Write) => {
                    down = self.matching([set, relation, p.down], support, at)?
                }
                Some(LevelAccess::Both) => {
                    if let Some(related) = self.seek(&mut y, p.value) {
                        down = self.matching([set, related, p.down], support, at)?;
                    }
                }
            }
            if down != EMPTY {
                self.lists.push((p.value, down));
            }
        }
        let result = self.chain(base, EMPTY)?;
        self.cache.put(tag, [set, relation, within], result);
        Ok(result)
    }

    /// The union of the preimages for the values that both the set and the new values of the
    /// relation have at this level.
    fn matching(
        &mut self,
        [set, relation, within]: [NodeId; 3],
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        let (mut x, mut y, mut all) = (set, relation, EMPTY);
        while x != EMPTY && y != EMPTY {
            let (p, q) = (self.node(x), self.node(y));
            match p.value.cmp(&q.value) {
                Ordering::Less => x = p.right,
                Ordering::Greater => y = q.right,
                Ordering::Equal => {
                    let operands = [p.down, q.down, within];
                    let down = self.preimage_from(operands, support, at.behind())?;
                    all = self.unite(all, down)?;
                    (x, y) = (p.right, q.right);
                }
            }
        }
        Ok(all)
    }

    /// Moves along a list to a value; the suffixes after it.
    fn seek(&mut self, list: &mut NodeId, value: i32) -> Option<NodeId> {
        while *list != EMPTY {
            let node = self.node(*list);
            match node.value.cmp(&value) {
                Ordering::Less => *list = self.pass(node.right),
                Ordering::Equal => return Some(node.down),
                Ordering::Greater => return None,
            }
        }
        None
    }
}
