//! Between sets and their vectors: construction, membership, the first vector, enumeration.

use super::forest::Forest;
use super::node::{EMPTY, NodeId, UNIT};
use super::set::Set;
use crate::limits::Limit;

impl Forest {
    /// The set of one vector.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn singleton(&mut self, vector: &[i32]) -> Result<Set, Limit> {
        self.run(|forest| forest.chain_down(vector))
    }

    /// The set of these vectors, which have one length.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn from_vectors<'v>(
        &mut self,
        vectors: impl IntoIterator<Item = &'v [i32]>,
    ) -> Result<Set, Limit> {
        let mut rows: Vec<&[i32]> = vectors.into_iter().collect();
        rows.sort_unstable();
        rows.dedup();
        self.run(|forest| forest.rows_from(&rows, 0))
    }

    /// Whether a vector is in a set.
    pub fn contains(&self, set: &Set, vector: &[i32]) -> bool {
        let mut list = set.id();
        for &value in vector {
            while list != EMPTY && self.node(list).value < value {
                list = self.node(list).right;
            }
            if list == EMPTY || self.node(list).value != value {
                return false;
            }
            list = self.node(list).down;
        }
        list == UNIT
    }

    /// The smallest vector in lexicographic order.
    pub fn first(&self, set: &Set) -> Option<Vec<i32>> {
        Cursor::new(set.id()).next(self).map(<[i32]>::to_vec)
    }

    /// The vectors in lexicographic order.
    pub fn vectors<'f>(&'f self, set: &Set) -> impl Iterator<Item = Vec<i32>> + use<'f> {
        let mut cursor = Cursor::new(set.id());
        std::iter::from_fn(move || cursor.next(self).map(<[i32]>::to_vec))
    }

    pub(crate) fn chain_down(&mut self, vector: &[i32]) -> Result<NodeId, Limit> {
        vector.iter().rev().try_fold(UNIT, |down, &value| self.make(value, down, EMPTY))
    }

    /// The set of the suffixes of these rows, which ascend strictly and agree up to `column`.
    pub(crate) fn rows_from(&mut self, rows: &[&[i32]], column: usize) -> Result<NodeId, Limit> {
        let Some(first) = rows.first() else { return Ok(EMPTY) };
        if rows.len() == 1 {
            return self.chain_down(&first[column..]);
        }
        self.tick()?;
        let base = self.lists.len();
        let mut rest = rows;
        while let Some(row) = rest.first() {
            let value = row[column];
            let same = rest.partition_point(|other| other[column] <= value);
            let down = self.rows_from(&rest[..same], column + 1)?;
            self.lists.push((value, down));
            rest = &rest[same..];
        }
        self.chain(base, EMPTY)
    }
}

/// Enumerates the vectors of a set in lexicographic order. It borrows the forest only while it
/// moves, so that operations may run between two vectors as long as the set is alive.
pub(crate) struct Cursor {
    /// The list elements on the path to the next vector; empty at the end and before the start.
    path: Vec<NodeId>,
    values: Vec<i32>,
    /// The set, until the first vector was read.
    start: Option<NodeId>,
}

impl Cursor {
    pub(crate) fn new(set: NodeId) -> Cursor {
        Cursor { path: Vec::new(), values: Vec::new(), start: Some(set) }
    }

    pub(crate) fn next(&mut self, forest: &Forest) -> Option<&[i32]> {
        let mut list = match self.start.take() {
            Some(EMPTY) => return None,
            Some(set) => set,
            None => loop {
                let last = self.path.pop()?;
                self.values.pop();
                let right = forest.node(last).right;
                if right != EMPTY {
                    break right;
                }
            },
        };
        while list != UNIT {
            self.path.push(list);
            self.values.push(forest.node(list).value);
            list = forest.node(list).down;
        }
        Some(&self.values)
    }
}
