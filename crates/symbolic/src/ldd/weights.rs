//! Weight tables: functions of the values at a few levels, and the division of a set by the sum of
//! such functions.
//!
//! Source: the relation H of values and states of [EMJ05], "Symbolic Search", §7. A sum of functions
//! of few levels is not written down as one relation: a dynamic program over the levels divides the
//! set, one list of parts per node, so that sets with many states and few nodes are divided quickly.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT, mix};
use super::set::Set;
use crate::limits::Limit;

/// A function of the values at some levels.
#[derive(Clone, Debug)]
pub struct WeightTable {
    levels: Vec<u32>,
    /// The vectors of values at the levels, each with its weight as the last value.
    rows: Set,
    /// The weight of all other vectors; without it, they are in no part.
    otherwise: Option<u64>,
}

impl WeightTable {
    /// Vectors of values at these levels, which ascend, by their weights. The sets are disjoint.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn new(
        forest: &mut Forest,
        levels: Vec<u32>,
        vectors: &[(u64, Set)],
        otherwise: Option<u64>,
    ) -> Result<WeightTable, Limit> {
        debug_assert!(levels.is_sorted_by(|a, b| a < b), "levels ascend");
        let mut rows = forest.empty();
        for (weight, set) in vectors {
            let more = forest.with_weight(set, *weight)?;
            rows = forest.union(&rows, &more)?;
        }
        Ok(WeightTable { levels, rows, otherwise })
    }

    /// Vectors of values at these levels, each with its weight as the last value.
    pub(crate) fn of_rows(levels: Vec<u32>, rows: Set) -> WeightTable {
        WeightTable { levels, rows, otherwise: None }
    }

    /// The levels.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// The table with other weights; vectors whose weight has none are left out.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn map(
        &self,
        forest: &mut Forest,
        weight: impl Fn(u64) -> Option<u64>,
    ) -> Result<WeightTable, Limit> {
        let depth = self.levels.len();
        let rows = forest.run(|forest| {
            let known = HashMap::new();
            Mapping { forest, weight: &weight, known }.of(self.rows.id(), depth)
        })?;
        Ok(WeightTable { levels: self.levels.clone(), rows, otherwise: self.otherwise })
    }

    /// A table over the levels of two tables, which have no level in common. Its weights are made of
    /// those of both; vectors without one are left out.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn product(
        forest: &mut Forest,
        tables: [&WeightTable; 2],
        weight: impl Fn(u64, u64) -> Option<u64>,
    ) -> Result<WeightTable, Limit> {
        let [a, b] = tables;
        let mut levels = [&a.levels[..], &b.levels].concat();
        levels.sort_unstable();
        debug_assert!(levels.is_sorted_by(|a, b| a < b), "levels differ");
        let rows = forest.run(|forest| {
            let known = HashMap::default();
            let mut product = Product { forest, tables, weight: &weight, known };
            product.of([a.rows.id(), b.rows.id()], [0, 0])
        })?;
        Ok(WeightTable { levels, rows, otherwise: None })
    }

    /// The weight of a table without levels.
    pub(crate) fn constant(&self, forest: &Forest) -> Option<u64> {
        debug_assert!(self.levels.is_empty());
        forest.first(&self.rows).map(|row| row[0] as u64)
    }

    fn spans(&self) -> (u32, u32) {
        (self.levels[0], *self.levels.last().expect("a table has a level"))
    }

    /// Whether levels of both tables are between each other.
    pub(crate) fn overlaps(&self, other: &WeightTable) -> bool {
        let ((a, b), (c, d)) = (self.spans(), other.spans());
        a <= d && c <= b
    }
}

/// A weight as a value; a larger one counts as the largest.
pub(crate) fn weight_value(weight: u64) -> i32 {
    i32::try_from(weight).unwrap_or(i32::MAX)
}

/// A table of which some levels were read: its number, the position of its next level, and the rows
/// that are left.
type OpenTable = (u32, u32, NodeId);

/// The parts of a node: by sum, the vectors.
type Parts = Rc<[(u64, NodeId)]>;

/// A hasher of numbers of nodes.
#[derive(Default)]
struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ number);
    }
}

/// The result of a division.
#[derive(Clone, Debug)]
pub struct DividedSet {
    /// The parts, which ascend by their sums.
    pub parts: Vec<(u64, Set)>,
    /// Whether no vector is missing: each was in all tables.
    pub is_complete: bool,
}

impl Forest {
    /// Divides a set by the sums of some tables.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn divide(&mut self, set: &Set, tables: &[WeightTable]) -> Result<DividedSet, Limit> {
        let mut starts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (number, table) in (0..).zip(tables) {
            starts.entry(table.levels[0]).or_default().push(number);
        }
        let (parts, is_complete) = self.run_for(|forest| {
            let (starts, known) = (&starts, HashMap::default());
            let mut division = Division { forest, tables, starts, known, is_complete: true };
            let parts = division.parts(set.id(), 0, &[])?;
            Ok((parts, division.is_complete))
        })?;
        let parts = parts.iter().map(|&(sum, id)| (sum, self.root(id))).collect();
        Ok(DividedSet { parts, is_complete })
    }

    /// The vectors of a set with a weight as another last value.
    fn with_weight(&mut self, set: &Set, weight: u64) -> Result<Set, Limit> {
        self.run(|forest| {
            let end = forest.make(weight_value(weight), UNIT, EMPTY)?;
            let mut known = HashMap::from([(EMPTY, EMPTY), (UNIT, end)]);
            forest.mapped(set.id(), &mut known)
        })
    }

    /// The set with other terminals: `known` has them, and receives the results.
    pub(crate) fn mapped(
        &mut self,
        set: NodeId,
        known: &mut HashMap<NodeId, NodeId>,
    ) -> Result<NodeId, Limit> {
        if let Some(&result) = known.get(&set) {
            return Ok(result);
        }
        self.tick()?;
        let base = self.lists.len();
        let mut list = set;
        while list != EMPTY {
            let node = self.node(list);
            list = node.right;
            let down = self.mapped(node.down, known)?;
            if down != EMPTY {
                self.lists.push((node.value, down));
            }
        }
        let result = self.chain(base, EMPTY)?;
        known.insert(set, result);
        Ok(result)
    }
}

/// A running change of weights.
struct Mapping<'m> {
    forest: &'m mut Forest,
    weight: &'m dyn Fn(u64) -> Option<u64>,
    known: HashMap<NodeId, NodeId>,
}

impl Mapping<'_> {
    /// The rows of a node with `depth` levels above the weights.
    fn of(&mut self, rows: NodeId, depth: usize) -> Result<NodeId, Limit> {
        if rows == EMPTY {
            return Ok(EMPTY);
        }
        if depth == 0 {
            return weight_node(self.forest, (self.weight)(weight_of(self.forest, rows)));
        }
        if let Some(&known) = self.known.get(&rows) {
            return Ok(known);
        }
        self.forest.tick()?;
        let (mut list, base) = (rows, self.forest.lists.len());
        while list != EMPTY {
            let node = self.forest.node(list);
            list = node.right;
            let down = self.of(node.down, depth - 1)?;
            if down != EMPTY {
                self.forest.lists.push((node.value, down));
            }
        }
        let result = self.forest.chain(base, EMPTY)?;
        self.known.insert(rows, result);
        Ok(result)
    }
}

/// A running product of two tables.
struct Product<'m> {
    forest: &'m mut Forest,
    tables: [&'m WeightTable; 2],
    weight: &'m dyn Fn(u64, u64) -> Option<u64>,
    known: HashMap<[NodeId; 2], NodeId, BuildHasherDefault<NodeHasher>>,
}

impl Product<'_> {
    /// The rows of two nodes, given the positions of their next levels.
    fn of(&mut self, rows: [NodeId; 2], next: [usize; 2]) -> Result<NodeId, Limit> {
        if rows.contains(&EMPTY) {
            return Ok(EMPTY);
        }
        let level = |side: usize| self.tables[side].levels.get(next[side]).copied();
        let side = match (level(0), level(1)) {
            (None, None) => {
                let [a, b] = rows.map(|rows| weight_of(self.forest, rows));
                return weight_node(self.forest, (self.weight)(a, b));
            }
            (Some(a), Some(b)) => usize::from(b < a),
            (a, _) => usize::from(a.is_none()),
        };
        if let Some(&known) = self.known.get(&rows) {
            return Ok(known);
        }
        self.forest.tick()?;
        let (mut list, base) = (rows[side], self.forest.lists.len());
        let mut deeper = next;
        deeper[side] += 1;
        while list != EMPTY {
            let node = self.forest.node(list);
            list = node.right;
            let mut below = rows;
            below[side] = node.down;
            let down = self.of(below, deeper)?;
            if down != EMPTY {
                self.forest.lists.push((node.value, down));
            }
        }
        let result = self.forest.chain(base, EMPTY)?;
        self.known.insert(rows, result);
        Ok(result)
    }
}

/// The weight at the end of a row.
fn weight_of(forest: &Forest, end: NodeId) -> u64 {
    forest.node(end).value as u64
}

fn weight_node(forest: &mut Forest, weight: Option<u64>) -> Result<NodeId, Limit> {
    weight.map_or(Ok(EMPTY), |weight| forest.make(weight_value(weight), UNIT, EMPTY))
}

/// A running division.
struct Division<'d> {
    forest: &'d mut Forest,
    tables: &'d [WeightTable],
    /// The tables that begin at a level.
    starts: &'d BTreeMap<u32, Vec<u32>>,
    known: HashMap<(NodeId, Box<[OpenTable]>), Parts, BuildHasherDefault<NodeHasher>>,
    is_complete: bool,
}

impl Division<'_> {
    fn parts(&mut self, set: NodeId, level: u32, open: &[OpenTable]) -> Result<Parts, Limit> {
        if set == EMPTY {
            return Ok(Rc::new([]));
        }
        if open.is_empty() && self.starts.range(level..).next().is_none() {
            return Ok(Rc::new([(0, set)]));
        }
        self.forest.tick()?;
        if let Some(known) = self.known.get(&(set, Box::from(open)) as &(NodeId, Box<[OpenTable]>))
        {
            return Ok(Rc::clone(known));
        }
        let mut here = open.to_vec();
        if let Some(starting) = self.starts.get(&level) {
            here.extend(starting.iter().map(|&at| (at, 0, self.tables[at as usize].rows.id())));
        }
        let mut found: BTreeMap<u64, Vec<(i32, NodeId)>> = BTreeMap::new();
        let (mut list, mut below) = (set, Vec::new());
        while list != EMPTY {
            let node = self.forest.node(list);
            list = node.right;
            let Some(weight) = self.read(level, node.value, &here, &mut below) else {
                self.is_complete = false;
                continue;
            };
            for &(sum, part) in self.parts(node.down, level + 1, &below)?.iter() {
                found.entry(sum + weight).or_default().push((node.value, part));
            }
        }
        let mut parts = Vec::with_capacity(found.len());
        for (sum, entries) in found {
            let base = self.forest.lists.len();
            self.forest.lists.extend(entries);
            parts.push((sum, self.forest.chain(base, EMPTY)?));
        }
        let parts: Parts = parts.into();
        self.known.insert((set, Box::from(open)), Rc::clone(&parts));
        Ok(parts)
    }

    /// Reads a value in all tables: the sum of the weights that are decided, and in `below` the tables
    /// that are not. `None` if the value is in no part.
    fn read(
        &mut self,
        level: u32,
        value: i32,
        here: &[OpenTable],
        below: &mut Vec<OpenTable>,
    ) -> Option<u64> {
        below.clear();
        let mut sum = 0;
        for &(number, next, rows) in here {
            let table = &self.tables[number as usize];
            if table.levels[next as usize] != level {
                below.push((number, next, rows));
                continue;
            }
            let entry = self.forest.find_entry(rows, value);
            if entry == EMPTY {
                sum += table.otherwise?;
                continue;
            }
            let rest = self.forest.node(entry).down;
            if next as usize + 1 == table.levels.len() {
                sum += weight_of(self.forest, rest);
            } else {
                below.push((number, next + 1, rest));
            }
        }
        Some(sum)
    }
}
