//! Disjunctively partitioned transition relations: the image, the preimage and the disabled states
//! of many relations at once.
//!
//! Source: [EMJ05], "Symbolic Search", §3. Instead of one traversal of a set per relation, there is
//! one for all: it applies each relation in the nodes of the relation's first level, as all levels
//! above keep their values. So relations over few levels cost little, however many they are.

use std::ops::Range;

use crate::control::Rule;
use crate::ldd::{EMPTY, Forest, NodeId, Position, Set, Tag, UNIT};
use crate::limits::SymbolicError;
use crate::relation::Relation;

/// Relations of operators with the same control behaviour.
#[derive(Debug)]
pub(crate) struct Partition {
    /// The control behaviour.
    pub(crate) rule: Rule,
    /// In the order of their first levels.
    relations: Vec<Relation>,
    /// The tag of images; the next ones are those of preimages and of disabled states.
    tag: Tag,
}

impl Partition {
    pub(crate) fn new(forest: &mut Forest, rule: Rule, mut relations: Vec<Relation>) -> Partition {
        relations.sort_by_key(Relation::top);
        Partition { rule, relations, tag: forest.fresh_tags() }
    }

    pub(crate) fn relations(&self) -> &[Relation] {
        &self.relations
    }

    pub(crate) fn relations_mut(&mut self) -> &mut [Relation] {
        &mut self.relations
    }

    /// The states after one of the operators.
    pub(crate) fn image(&mut self, forest: &mut Forest, set: &Set) -> Result<Set, SymbolicError> {
        forest.run(|forest| self.image_from(forest, set.id(), 0))
    }

    /// The states of `within` from which one of the operators leads into a set.
    pub(crate) fn preimage(
        &mut self,
        forest: &mut Forest,
        set: &Set,
        within: &Set,
    ) -> Result<Set, SymbolicError> {
        forest.run(|forest| self.preimage_from(forest, set.id(), within.id(), 0))
    }

    /// The states of a set where none of the operators is applicable.
    pub(crate) fn disabled(
        &mut self,
        forest: &mut Forest,
        set: &Set,
    ) -> Result<Set, SymbolicError> {
        forest.run(|forest| self.disabled_from(forest, set.id(), 0))
    }

    /// The relations that begin at a level.
    fn at_level(&self, level: u32) -> Range<usize> {
        let first = self.relations.partition_point(|relation| relation.top() < level);
        let more = self.relations[first..].partition_point(|relation| relation.top() == level);
        first..first + more
    }

    /// Whether no relation begins at this level or below.
    fn is_below(&self, level: u32) -> bool {
        self.relations.last().is_none_or(|relation| relation.top() < level)
    }

    fn image_from(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || self.is_below(level) {
            return Ok(EMPTY);
        }
        forest.tick()?;
        if let Some(known) = forest.cache.get(self.tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        let base = forest.lists.len();
        let mut list = set;
        while list != EMPTY {
            let node = forest.node(list);
            list = node.right;
            let down = self.image_from(forest, node.down, level + 1)?;
            if down != EMPTY {
                forest.lists.push((node.value, down));
            }
        }
        // Garbage may be collected in between, so the forest must know the set.
        let hold = forest.held.len();
        let below = forest.chain(base, EMPTY)?;
        forest.held.push(below);
        for at in self.at_level(level) {
            forest.collect_if_due();
            let relation = &mut self.relations[at];
            relation.learn(forest, set, Position::at(level))?;
            let (pairs, support) = (relation.pairs(), &relation.product);
            let after = forest.image_from(set, pairs, support, Position::at(level))?;
            forest.held[hold] = forest.unite(forest.held[hold], after)?;
        }
        let result = forest.held[hold];
        forest.held.truncate(hold);
        forest.cache.put(self.tag, [set, EMPTY, EMPTY], result);
        Ok(result)
    }

    fn preimage_from(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        within: NodeId,
        level: u32,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || within == EMPTY || self.is_below(level) {
            return Ok(EMPTY);
        }
        forest.tick()?;
        let tag = self.tag + 1;
        if let Some(known) = forest.cache.get(tag, [set, within, EMPTY]) {
            return Ok(known);
        }
        let base = forest.lists.len();
        let (mut x, mut y) = (set, within);
        while x != EMPTY && y != EMPTY {
            let (p, q) = (forest.node(x), forest.node(y));
            if p.value == q.value {
                let down = self.preimage_from(forest, p.down, q.down, level + 1)?;
                if down != EMPTY {
                    forest.lists.push((p.value, down));
                }
            }
            if p.value <= q.value {
                x = p.right;
            }
            if q.value <= p.value {
                y = q.right;
            }
        }
        let hold = forest.held.len();
        let below = forest.chain(base, EMPTY)?;
        forest.held.push(below);
        for at in self.at_level(level) {
            forest.collect_if_due();
            let relation = &mut self.relations[at];
            relation.learn(forest, within, Position::at(level))?;
            let operands = [set, relation.pairs(), within];
            let before = forest.preimage_from(operands, &relation.product, Position::at(level))?;
            forest.held[hold] = forest.unite(forest.held[hold], before)?;
        }
        let result = forest.held[hold];
        forest.held.truncate(hold);
        forest.cache.put(tag, [set, within, EMPTY], result);
        Ok(result)
    }

    fn disabled_from(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || self.is_below(level) {
            return Ok(set);
        }
        forest.tick()?;
        let tag = self.tag + 2;
        if let Some(known) = forest.cache.get(tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        let mut rest = set;
        if set != UNIT {
            let base = forest.lists.len();
            let mut list = set;
            while list != EMPTY {
                let node = forest.node(list);
                list = node.right;
                let down = self.disabled_from(forest, node.down, level + 1)?;
                if down != EMPTY {
                    forest.lists.push((node.value, down));
                }
            }
            rest = forest.chain(base, EMPTY)?;
        }
        for at in self.at_level(level) {
            let relation = &mut self.relations[at];
            relation.learn(forest, rest, Position::at(level))?;
            let (enabled, support) = (relation.enabled(), &relation.reads);
            rest = forest.anti_join_from(rest, enabled, support, Position::at(level))?;
        }
        forest.cache.put(tag, [set, EMPTY, EMPTY], rest);
        Ok(rest)
    }
}
