//! Saturation: the fixpoint of the operators of the lowest levels first, within each node; then
//! upwards. A node that an operator creates below its first level is saturated at once, so that the
//! nodes above are built from final ones.
//!
//! Source: Ciardo, Lüttgen, Siminiceanu, "Saturation: an efficient iteration strategy for symbolic
//! state-space generation", TACAS 2001; with relations that are learned during the search as in
//! Ciardo, Marmorstein, Siminiceanu, "Saturation unbound", TACAS 2003.
//! All levels of a relation are at or below its first one, so that the suffixes in a node suffice to
//! learn it. The closure of a union is the union of the closures: unions of saturated
//! nodes are saturated, and results depend on the node only, so that the operation cache keeps them
//! across all relations.

use crate::ldd::{
    EMPTY, Forest, LevelAccess, NodeId, Position, Set, Support, SupportOperation, Tag, UNIT,
};
use crate::limits::SymbolicError;
use crate::relation::Relation;
use crate::system::SymbolicSystem;

impl SymbolicSystem<'_> {
    /// The closure of a set under the free operators.
    pub(super) fn saturate(&mut self, set: &Set) -> Result<Set, SymbolicError> {
        let levels = self.levels();
        let tag = *self.saturation_tag.get_or_insert_with(|| self.forest.fresh_tags());
        let (forest, relations) = self.free_relations();
        let mut by_level = vec![Vec::new(); levels];
        for (at, relation) in relations.iter().enumerate() {
            by_level[relation.top() as usize].push(at);
        }
        let end = by_level.iter().rposition(|all| !all.is_empty()).map_or(0, |at| at + 1);
        let supports: Vec<Support> =
            relations.iter().map(|relation| relation.product.clone()).collect();
        let mut saturation = Saturation {
            relations,
            supports: &supports,
            by_level: &by_level,
            end: end as u32,
            tag,
            is_changed: Vec::new(),
        };
        forest.run(|forest| {
            saturation.is_changed.clear();
            saturation.saturate(forest, set.id(), 0)
        })
    }
}

/// A run of saturation.
struct Saturation<'a> {
    relations: Vec<&'a mut Relation>,
    /// Their supports.
    supports: &'a [Support],
    /// The relations by their first levels.
    by_level: &'a [Vec<usize>],
    /// No relation begins at this level or below.
    end: u32,
    /// The tag of whole nodes; the next one is that of nodes whose suffixes are saturated.
    tag: Tag,
    /// For the lists that are being saturated: whether relations must be applied to an entry. Nested
    /// calls share it.
    is_changed: Vec<bool>,
}

/// A list that is being saturated: entries of [`Forest::lists`] from `base` on, with their flags in
/// [`Saturation::is_changed`] from `flags` on.
#[derive(Clone, Copy)]
struct OpenList {
    base: usize,
    flags: usize,
    level: u32,
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
        if set == EMPTY || level >= self.end || self.by_level[level as usize].is_empty() {
            return Ok(set);
        }
        let tag = self.tag + 1;
        if let Some(known) = forest.cache.get(tag, [set, EMPTY, EMPTY]) {
            return Ok(known);
        }
        // Garbage may be collected in between, so the forest must know the sets that are in use.
        forest.held.push(set);
        let open = OpenList { base: forest.lists.len(), flags: self.is_changed.len(), level };
        let mut list = set;
        while list != EMPTY {
            let node = forest.node(list);
            forest.lists.push((node.value, node.down));
            self.is_changed.push(true);
            list = node.right;
        }
        while let Some(first) = self.is_changed[open.flags..].iter().position(|&flag| flag) {
            // From the first changed entry on, as most operators lead to greater values.
            let mut entry = first;
            while open.base + entry < forest.lists.len() {
                if std::mem::take(&mut self.is_changed[open.flags + entry]) {
                    entry = self.fire_entry(forest, open, entry)?;
                }
                entry += 1;
            }
        }
        self.is_changed.truncate(open.flags);
        let result = forest.chain(open.base, EMPTY)?;
        forest.held.pop();
        forest.cache.put(tag, [set, EMPTY, EMPTY], result);
        forest.cache.put(tag, [result, EMPTY, EMPTY], result);
        Ok(result)
    }

    /// Applies the relations that begin at the level of a list to one of its entries; returns the
    /// position of the entry afterwards.
    fn fire_entry(
        &mut self,
        forest: &mut Forest,
        open: OpenList,
        mut entry: usize,
    ) -> Result<usize, SymbolicError> {
        let by_level: &'a [Vec<usize>] = self.by_level;
        for &index in &by_level[open.level as usize] {
            forest.collect_if_due();
            let (value, down) = forest.lists[open.base + entry];
            let single = forest.make(value, down, EMPTY)?;
            // The entry may change while it is in use.
            forest.held.push(single);
            let relation = &mut *self.relations[index];
            relation.learn(forest, single, Position::at(open.level))?;
            let access = self.supports[index].levels[0].access;
            let mut pairs = relation.pairs();
            if access != LevelAccess::Write {
                pairs = forest.find_entry(pairs, value);
            }
            let below = Position::at(open.level).behind();
            if access == LevelAccess::Read && pairs != EMPTY {
                let related = forest.node(pairs).down;
                let new = self.fire(forest, down, related, index, below)?;
                entry = self.add(forest, open, (value, new), entry)?;
            } else if pairs != EMPTY {
                let mut list =
                    if access == LevelAccess::Both { forest.node(pairs).down } else { pairs };
                while list != EMPTY {
                    let node = forest.node(list);
                    list = node.right;
                    let new = self.fire(forest, down, node.down, index, below)?;
                    entry = self.add(forest, open, (node.value, new), entry)?;
                }
            }
            forest.held.pop();
        }
        Ok(entry)
    }

    /// Adds suffixes to the entry of a value; returns the position of entry `entry` afterwards.
    fn add(
        &mut self,
        forest: &mut Forest,
        open: OpenList,
        (value, suffixes): (i32, NodeId),
        entry: usize,
    ) -> Result<usize, SymbolicError> {
        if suffixes == EMPTY {
            return Ok(entry);
        }
        match forest.lists[open.base..].binary_search_by_key(&value, |entry| entry.0) {
            Ok(at) => {
                let old = forest.lists[open.base + at].1;
                let new = forest.unite(old, suffixes)?;
                forest.lists[open.base + at].1 = new;
                self.is_changed[open.flags + at] |= new != old;
                Ok(entry)
            }
            Err(at) => {
                forest.lists.insert(open.base + at, (value, suffixes));
                self.is_changed.insert(open.flags + at, true);
                Ok(if at <= entry { entry + 1 } else { entry })
            }
        }
    }

    /// The image of a saturated set below the first level of a relation; closed under the relations
    /// that begin there.
    fn fire(
        &mut self,
        forest: &mut Forest,
        set: NodeId,
        relation: NodeId,
        index: usize,
        at: Position,
    ) -> Result<NodeId, SymbolicError> {
        if set == EMPTY || relation == EMPTY {
            return Ok(EMPTY);
        }
        let support: &'a Support = &self.supports[index];
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
            self.fire(forest, set, relation, index, below)
        })?;
        let node = forest.chain(base, EMPTY)?;
        let result = self.saturate_here(forest, node, at.level)?;
        forest.cache.put(tag, [set, relation, EMPTY], result);
        Ok(result)
    }
}
