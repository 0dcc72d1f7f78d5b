//! Union, intersection and difference.
//!
//! All of them walk two sorted lists side by side and recur into equal values only, so the depth of
//! the recursion is the length of the vectors.

use std::cmp::Ordering;

use super::cache::Tag;
use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT};
use super::set::Set;
use crate::limits::Limit;

const UNION: Tag = 1;
const INTERSECTION: Tag = 2;
const DIFFERENCE: Tag = 3;

impl Forest {
    /// The vectors in one of two sets.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn union(&mut self, a: &Set, b: &Set) -> Result<Set, Limit> {
        self.run(|forest| forest.unite(a.id(), b.id()))
    }

    /// The vectors in both sets.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn intersection(&mut self, a: &Set, b: &Set) -> Result<Set, Limit> {
        self.run(|forest| forest.intersect(a.id(), b.id()))
    }

    /// The vectors in the first set that are not in the second one.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn difference(&mut self, a: &Set, b: &Set) -> Result<Set, Limit> {
        self.run(|forest| forest.subtract(a.id(), b.id()))
    }

    pub(crate) fn unite(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Limit> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        self.tick()?;
        let operands = [a.min(b), a.max(b), EMPTY];
        if let Some(known) = self.cache.get(UNION, operands) {
            return Ok(known);
        }
        let base = self.lists.len();
        let (mut x, mut y) = (a, b);
        let tail = loop {
            if x == y || y == EMPTY {
                break x;
            }
            if x == EMPTY {
                break y;
            }
            let (p, q) = (self.node(x), self.node(y));
            match p.value.cmp(&q.value) {
                Ordering::Less => {
                    self.lists.push((p.value, p.down));
                    x = p.right;
                }
                Ordering::Greater => {
                    self.lists.push((q.value, q.down));
                    y = q.right;
                }
                Ordering::Equal => {
                    let down = self.unite(p.down, q.down)?;
                    self.lists.push((p.value, down));
                    (x, y) = (p.right, q.right);
                }
            }
        };
        let result = self.chain(base, tail)?;
        self.cache.put(UNION, operands, result);
        Ok(result)
    }

    pub(crate) fn intersect(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Limit> {
        if a == b {
            return Ok(a);
        }
        if a == EMPTY || b == EMPTY {
            return Ok(EMPTY);
        }
        self.tick()?;
        let operands = [a.min(b), a.max(b), EMPTY];
        if let Some(known) = self.cache.get(INTERSECTION, operands) {
            return Ok(known);
        }
        let base = self.lists.len();
        let (mut x, mut y) = (a, b);
        let tail = loop {
            if x == y || x == EMPTY {
                break x;
            }
            if y == EMPTY {
                break EMPTY;
            }
            let (p, q) = (self.node(x), self.node(y));
            match p.value.cmp(&q.value) {
                Ordering::Less => x = self.pass(p.right),
                Ordering::Greater => y = self.pass(q.right),
                Ordering::Equal => {
                    let down = self.intersect(p.down, q.down)?;
                    if down != EMPTY {
                        self.lists.push((p.value, down));
                    }
                    (x, y) = (p.right, q.right);
                }
            }
        };
        let result = self.chain(base, tail)?;
        self.cache.put(INTERSECTION, operands, result);
        Ok(result)
    }

    pub(crate) fn subtract(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Limit> {
        if a == b || a == EMPTY {
            return Ok(EMPTY);
        }
        if b == EMPTY {
            return Ok(a);
        }
        debug_assert!(a != UNIT && b != UNIT, "vectors of different lengths");
        self.tick()?;
        let operands = [a, b, EMPTY];
        if let Some(known) = self.cache.get(DIFFERENCE, operands) {
            return Ok(known);
        }
        let base = self.lists.len();
        let (mut x, mut y) = (a, b);
        let tail = loop {
            if x == y || x == EMPTY {
                break EMPTY;
            }
            if y == EMPTY {
                break x;
            }
            let (p, q) = (self.node(x), self.node(y));
            match p.value.cmp(&q.value) {
                Ordering::Less => {
                    self.lists.push((p.value, p.down));
                    x = p.right;
                }
                Ordering::Greater => y = self.pass(q.right),
                Ordering::Equal => {
                    let down = self.subtract(p.down, q.down)?;
                    if down != EMPTY {
                        self.lists.push((p.value, down));
                    }
                    (x, y) = (p.right, q.right);
                }
            }
        };
        let result = self.chain(base, tail)?;
        self.cache.put(DIFFERENCE, operands, result);
        Ok(result)
    }

    /// The element of a list with a value, or [`EMPTY`].
    pub(crate) fn find_entry(&mut self, mut list: NodeId, value: i32) -> NodeId {
        while list != EMPTY && self.node(list).value < value {
            list = self.pass(self.node(list).right);
        }
        if list != EMPTY && self.node(list).value == value { list } else { EMPTY }
    }
}
