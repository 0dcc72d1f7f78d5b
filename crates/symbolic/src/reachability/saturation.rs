//! Saturation: the fixpoint of the operators of the lowest levels first, within each node; then
//! upwards. A node that an operator creates below its first level is saturated at once, so that the
//! nodes above are built from final ones.
//!
//! Source: Ciardo, Lüttgen, Siminiceanu, "Saturation: an efficient iteration strategy for symbolic
//! state-space generation", TACAS 2001; with relations that are learned during the search as in
//! Ciardo, Marmorstein, Siminiceanu, "Saturation unbound", TACAS 2003.
//! All levels of a group are at or below its first one, so that the suffixes in a node suffice to
//! learn its relation. The closure of a union is the union of the closures: unions of saturated
//! nodes are saturated, and results depend on the node only, so that the operation cache keeps them
//! across all relations.

use crate::group::Group;
use crate::ldd::{EMPTY, Forest, NodeId, Position, Set, Support, SupportOperation, Tag, UNIT};
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The closure of a set under the free operators.
    pub(super) fn saturate(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let mut by_level = vec![Vec::new(); self.levels()];
        for (at, group) in self.groups.iter().enumerate() {
            if let Some(top) = group.top()
                && group.rule.is_free()
                && group.relation.has_effect()
            {
                by_level[top as usize].push(at);
            }
        }
        let end = by_level.iter().rposition(|groups| !groups.is_empty()).map_or(0, |at| at + 1);
        let supports: Vec<Support> =
            self.groups.iter().map(|group| group.relation.product.clone()).collect();
        let tag = *self.saturation_tag.get_or_insert_with(|| self.forest.fresh_tags());
        let mut saturation = Saturation {
            groups: &mut self.groups,
            supports: &supports,
            by_level: &by_level,
            end: end as u32,
            tag,
        };
        self.forest.run(|forest| saturation.saturate(forest, set.id(), 0))
    }
}

/// A run of saturation.
struct Saturation<'a> {
    groups: &'a mut [Group],
    /// The supports of the groups.
    supports: &'a [Support],
    /// The groups by the first level of their supports.
    by_level: &'a [Vec<usize>],
    /// No group begins at this level or below.
    end: u32,
    /// The tag of whole nodes; the next one is that of nodes whose suffixes are saturated.
    tag: Tag,
}

impl<'a> Saturation<'a> {
    /// The closure of a set of suffixes from a level on.
    fn saturate(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || set == UNIT || level >= self.end {
            return Ok(set);
        }
        if let Some(known) = forest.cache.get(self.tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        let base = forest.lists.len();
        let mut list = set;
        while list != EMPTY {
            let node = forest.node(list);
            list = node.right;
            let down = self.saturate(forest, node.down, level + 1)?;
            forest.lists.push((node.value, down));
        }
        let node = forest.chain(base, EMPTY)?;
        let result = self.saturate_here(forest, node, level)?;
        forest.cache.put(self.tag, [set, EMPTY, EMPTY], result);
        forest.cache.put(self.tag, [result, EMPTY, EMPTY], result);
        Ok(result)
    }

    /// The closure of a set of suffixes that are saturated from the next level on.
    fn saturate_here(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || level >= self.end {
            return Ok(set);
        }
        let here = &self.by_level[level as usize];
        if here.is_empty() {
            return Ok(set);
        }
        let tag = self.tag + 1;
        if let Some(known) = forest.cache.get(tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        // Garbage collection may happen in the loop, so it must know both sets.
        let hold = forest.held.len();
        forest.held.extend([set, set]);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for &group in here {
                forest.collect_if_due();
                let current = forest.held[hold];
                let at = Position::at(level);
                let relation = &mut self.groups[group].relation;
                relation.learn(forest, current, at)?;
                let pairs = relation.pairs();
                let fired = self.fire(forest, current, pairs, group, at)?;
                let new = forest.unite(current, fired)?;
                forest.held[hold] = new;
                is_changed |= new != current;
            }
        }
        let result = forest.held[hold];
        forest.held.truncate(hold);
        forest.cache.put(tag, [set, EMPTY, EMPTY], result);
        forest.cache.put(tag, [result, EMPTY, EMPTY], result);
        Ok(result)
    }

    /// The image of a saturated set under a group; below the first level of the group, closed under
    /// the groups that begin there.
    fn fire(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        relation: NodeId,
        group: usize,
        at: Position,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || relation == EMPTY {
            return Ok(EMPTY);
        }
        let support: &'a Support = &self.supports[group];
        if at.next == support.levels.len() {
            return Ok(set);
        }
        forest.tick()?;
        let tag = support.tag(SupportOperation::Fire);
        if let Some(known) = forest.cache.get(tag, [set, relation, EMPTY]) {
            return Ok(known);
        }
        let base = forest.lists.len();
        forest.each_product(set, relation, support, at, &mut |forest, set, relation, below| {
            self.fire(forest, set, relation, group, below)
        })?;
        let mut result = forest.chain(base, EMPTY)?;
        if at.next > 0 {
            result = self.saturate_here(forest, result, at.level)?;
        }
        forest.cache.put(tag, [set, relation, EMPTY], result);
        Ok(result)
    }
}
