//! Relations: sets of tuples of objects, with indexes on some of their positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash function for short tuples of small numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TupleHasher(u64);

impl Hasher for TupleHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u32(value as u32);
    }
}

/// A map from tuples.
pub(crate) type TupleMap<V> = HashMap<Box<[u32]>, V, BuildHasherDefault<TupleHasher>>;

/// The tuples of an index by the values of some positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// The positions of the key.
    pub(super) positions: Vec<usize>,
    pub(super) lists: TupleMap<Vec<u32>>,
}

/// A set of tuples, in the order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    pub(super) arity: usize,
    /// All tuples, one after the other.
    data: Vec<u32>,
    /// By tuple: when it was inserted, counted over all relations; 0 for facts known before.
    pub(super) times: Vec<u32>,
    ids: TupleMap<u32>,
    pub(super) indexes: Vec<Index>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Relation {
        Relation { arity, ..Relation::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    pub(super) fn tuple(&self, id: u32) -> &[u32] {
        let from = id as usize * self.arity;
        &self.data[from..from + self.arity]
    }

    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.ids.get(tuple).copied()
    }

    /// Adds a tuple; `None` if it is known.
    pub(super) fn insert(&mut self, tuple: &[u32], time: u32) -> Option<u32> {
        if self.ids.contains_key(tuple) {
            return None;
        }
        let id = self.times.len() as u32;
        self.ids.insert(tuple.into(), id);
        self.data.extend_from_slice(tuple);
        self.times.push(time);
        for index in &mut self.indexes {
            let key: Box<[u32]> = index.positions.iter().map(|&at| tuple[at]).collect();
            index.lists.entry(key).or_default().push(id);
        }
        Some(id)
    }

    /// The index on these positions; it is built if there is none.
    pub(super) fn index_on(&mut self, positions: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| index.positions == positions) {
            return at;
        }
        let mut index = Index { positions: positions.to_vec(), lists: TupleMap::default() };
        for id in 0..self.len() as u32 {
            let tuple = self.tuple(id);
            let key: Box<[u32]> = positions.iter().map(|&at| tuple[at]).collect();
            index.lists.entry(key).or_default().push(id);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// Memory in bytes, roughly.
    pub(super) fn bytes(&self) -> usize {
        let each = self.arity * 8 + 48 + self.indexes.len() * (self.arity * 4 + 24);
        self.len() * each
    }
}
