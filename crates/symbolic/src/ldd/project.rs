//! Projection of sets onto a support, and selection of the vectors by their projections.

use std::cmp::Ordering;

use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT};
use super::set::Set;
use super::support::{LevelAccess, Support, SupportLevel, SupportOperation};
use crate::limits::Limit;

impl Forest {
    /// The short vectors that a set has on a support: existential quantification of the other
    /// levels. Values that the support does not allow are left out.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn project(&mut self, set: &Set, support: &Support) -> Result<Set, Limit> {
        self.run(|forest| forest.project_from(set.id(), support, Position::START))
    }

    /// The vectors of a set whose short vector is in `short`.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn join(&mut self, set: &Set, short: &Set, support: &Support) -> Result<Set, Limit> {
        self.run(|forest| forest.join_from(set.id(), short.id(), support, Position::START))
    }

    /// The vectors of a set whose short vector is not in `short`.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn anti_join(&mut self, set: &Set, short: &Set, support: &Support) -> Result<Set, Limit> {
        self.run(|forest| forest.anti_join_from(set.id(), short.id(), support, Position::START))
    }

    /// The vectors of a set whose value at a level is one of these.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn select(&mut self, set: &Set, level: u32, values: &[i32]) -> Result<Set, Limit> {
        let support = Support::new(self, vec![SupportLevel::new(level, LevelAccess::Read)]);
        let short = self.from_vectors(values.iter().map(std::slice::from_ref))?;
        self.join(set, &short, &support)
    }

    pub(crate) fn project_from(
        &mut self,
        set: NodeId,
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        let Some(next) = support.levels.get(at.next) else { return Ok(UNIT) };
        self.tick()?;
        let tag = support.tag(SupportOperation::Project);
        if let Some(known) = self.cache.get(tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        let mut list = set;
        let result = if next.level == at.level {
            let base = self.lists.len();
            while list != EMPTY {
                let node = self.node(list);
                list = node.right;
                if next.allowed.as_ref().is_none_or(|all| all.binary_search(&node.value).is_ok()) {
                    let down = self.project_from(node.down, support, at.behind())?;
                    if down != EMPTY {
                        self.lists.push((node.value, down));
                    }
                }
            }
            self.chain(base, EMPTY)?
        } else {
            let mut all = EMPTY;
            while list != EMPTY {
                let node = self.node(list);
                list = node.right;
                let down = self.project_from(node.down, support, at.below())?;
                all = self.unite(all, down)?;
            }
            all
        };
        self.cache.put(tag, [set, EMPTY, EMPTY], result);
        Ok(result)
    }

    pub(crate) fn join_from(
        &mut self,
        set: NodeId,
        short: NodeId,
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        if set == EMPTY || short == EMPTY {
            return Ok(EMPTY);
        }
        let Some(next) = support.levels.get(at.next) else { return Ok(set) };
        self.tick()?;
        let tag = support.tag(SupportOperation::Join);
        if let Some(known) = self.cache.get(tag, [set, short, EMPTY]) {
            return Ok(known);
        }
        let base = self.lists.len();
        let (mut x, mut y) = (set, short);
        let is_here = next.level == at.level;
        while x != EMPTY && y != EMPTY {
            let p = self.node(x);
            let (order, down, deeper) = if is_here {
                let q = self.node(y);
                (p.value.cmp(&q.value), q.down, at.behind())
            } else {
                (Ordering::Equal, y, at.below())
            };
            if order == Ordering::Equal {
                let down = self.join_from(p.down, down, support, deeper)?;
                if down != EMPTY {
                    self.lists.push((p.value, down));
                }
            }
            if order != Ordering::Greater {
                x = self.pass(p.right);
            }
            if order != Ordering::Less && is_here {
                y = self.node(y).right;
            }
        }
        let result = self.chain(base, EMPTY)?;
        self.cache.put(tag, [set, short, EMPTY], result);
        Ok(result)
    }

    pub(crate) fn anti_join_from(
        &mut self,
        set: NodeId,
        short: NodeId,
        support: &Support,
        at: Position,
    ) -> Result<NodeId, Limit> {
        if set == EMPTY || short == EMPTY {
            return Ok(set);
        }
        let Some(next) = support.levels.get(at.next) else { return Ok(EMPTY) };
        self.tick()?;
        let tag = support.tag(SupportOperation::AntiJoin);
        if let Some(known) = self.cache.get(tag, [set, short, EMPTY]) {
            return Ok(known);
        }
        let base = self.lists.len();
        let (mut x, mut y) = (set, short);
        let is_here = next.level == at.level;
        while x != EMPTY && y != EMPTY {
            let p = self.node(x);
            if is_here {
                let q = self.node(y);
                if q.value < p.value {
                    y = self.pass(q.right);
                    continue;
                }
                let down = if q.value == p.value {
                    self.anti_join_from(p.down, q.down, support, at.behind())?
                } else {
                    p.down
                };
                if down != EMPTY {
                    self.lists.push((p.value, down));
                }
            } else {
                let down = self.anti_join_from(p.down, y, support, at.below())?;
                if down != EMPTY {
                    self.lists.push((p.value, down));
                }
            }
            x = p.right;
        }
        let result = self.chain(base, x)?;
        self.cache.put(tag, [set, short, EMPTY], result);
        Ok(result)
    }
}

/// A level of a set, and the next level of a support at or below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) level: u32,
    pub(crate) next: usize,
}

impl Position {
    /// The first level.
    pub(crate) const START: Position = Position { level: 0, next: 0 };

    /// A level above or at all levels of a support.
    pub(crate) fn at(level: u32) -> Position {
        Position { level, next: 0 }
    }

    /// One level below a level that is not in the support.
    #[inline]
    pub(crate) fn below(self) -> Position {
        Position { level: self.level + 1, next: self.next }
    }

    /// One level below a level of the support.
    #[inline]
    pub(crate) fn behind(self) -> Position {
        Position { level: self.level + 1, next: self.next + 1 }
    }
}
