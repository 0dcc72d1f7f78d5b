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

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u32(value as u32);
    }
}

/// A map from tuples.
pub(crate) type TupleMap<V> = HashMap<Box<[u32]>, V, BuildHasherDefault<TupleHasher>>;

/// The hash of a tuple.
fn hash(tuple: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = TupleHasher::default();
    tuple.for_each(|one| hasher.write_u32(one));
    hasher.finish()
}

/// No tuple, or no list.
const NONE: u32 = u32::MAX;

/// A hash table of numbers: what they stand for is elsewhere.
#[derive(Clone, Debug, Default)]
struct NumberTable {
    /// A power of two of them, at most half of them taken.
    slots: Vec<u32>,
    taken: usize,
}

impl NumberTable {
    /// The number with this hash for which `is_it` holds.
    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != NONE {
            if is_it(self.slots[at]) {
                return Some(self.slots[at]);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds a number that is not there; `hash_of` tells the hashes of others.
    fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if 2 * self.taken >= self.slots.len() {
            let larger = vec![NONE; (2 * self.slots.len()).max(16)];
            let old = std::mem::replace(&mut self.slots, larger);
            old.into_iter().filter(|&one| one != NONE).for_each(|one| self.put(hash_of(one), one));
        }
        self.put(hash, number);
        self.taken += 1;
    }

    fn put(&mut self, hash: u64, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != NONE {
            at = (at + 1) & mask;
        }
        self.slots[at] = number;
    }
}

/// The tuples by the values of some positions: a list for each key.
#[derive(Clone, Debug, Default)]
struct Index {
    /// The positions of the key.
    positions: Vec<usize>,
    table: NumberTable,
    /// By list: the first and the last tuple.
    ends: Vec<(u32, u32)>,
    /// By tuple: the next one of its list.
    next: Vec<u32>,
}

impl Index {
    fn key_of<'d>(&'d self, tuple: &'d [u32]) -> impl Iterator<Item = u32> + 'd {
        self.positions.iter().map(|&at| tuple[at])
    }

    /// Adds the next tuple.
    fn add(&mut self, id: u32, data: &[u32], arity: usize) {
        let tuple = |id: u32| &data[id as usize * arity..][..arity];
        let new = tuple(id);
        let key_hash = hash(self.key_of(new));
        let Index { positions, table, ends, next } = self;
        next.push(NONE);
        let same = |list: u32| {
            let first = tuple(ends[list as usize].0);
            positions.iter().all(|&at| first[at] == new[at])
        };
        if let Some(list) = table.find(key_hash, same) {
            let last = std::mem::replace(&mut ends[list as usize].1, id);
            next[last as usize] = id;
            return;
        }
        ends.push((id, id));
        table.insert(key_hash, ends.len() as u32 - 1, |list| {
            let first = tuple(ends[list as usize].0);
            hash(positions.iter().map(|&at| first[at]))
        });
    }
}

/// A set of tuples, in the order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Relation {
    pub(super) arity: usize,
    /// All tuples, one after the other.
    data: Vec<u32>,
    /// By tuple: when it was inserted, counted over all relations; 0 for facts known before.
    pub(super) times: Vec<u32>,
    table: NumberTable,
    indexes: Vec<Index>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Relation {
        Relation { arity, ..Relation::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    #[inline]
    pub(super) fn tuple(&self, id: u32) -> &[u32] {
        let from = id as usize * self.arity;
        &self.data[from..from + self.arity]
    }

    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.table.find(hash(tuple.iter().copied()), |id| self.tuple(id) == tuple)
    }

    /// Adds a tuple; `None` if it is known.
    pub(super) fn insert(&mut self, tuple: &[u32], time: u32) -> Option<u32> {
        let tuple_hash = hash(tuple.iter().copied());
        if self.table.find(tuple_hash, |id| self.tuple(id) == tuple).is_some() {
            return None;
        }
        let id = self.times.len() as u32;
        let Relation { arity, data, times, table, indexes } = self;
        let arity = *arity;
        table.insert(tuple_hash, id, |id| {
            hash(data[id as usize * arity..][..arity].iter().copied())
        });
        data.extend_from_slice(tuple);
        times.push(time);
        indexes.iter_mut().for_each(|index| index.add(id, data, arity));
        Some(id)
    }

    /// The index on these positions; it is built if there is none.
    pub(super) fn index_on(&mut self, positions: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| index.positions == positions) {
            return at;
        }
        let mut index = Index { positions: positions.to_vec(), ..Index::default() };
        (0..self.len() as u32).for_each(|id| index.add(id, &self.data, self.arity));
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The tuples with a key, in the order of insertion.
    #[inline]
    pub(super) fn with_key<'r>(
        &'r self,
        index: usize,
        key: &[u32],
    ) -> impl Iterator<Item = u32> + 'r {
        let index = &self.indexes[index];
        let list = index.table.find(hash(key.iter().copied()), |list| {
            let first = self.tuple(index.ends[list as usize].0);
            index.positions.iter().zip(key).all(|(&at, &value)| first[at] == value)
        });
        let first = list.map(|list| index.ends[list as usize].0);
        std::iter::successors(first, |&id| Some(index.next[id as usize]).filter(|&id| id != NONE))
    }

    /// Memory in bytes, roughly.
    pub(super) fn bytes(&self) -> usize {
        let each = self.arity * 8 + 16 + self.indexes.len() * 24;
        self.len() * each
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_list_tuples_in_order() {
        let mut relation = Relation::new(2);
        let last = relation.index_on(&[1]);
        for at in 0..100 {
            assert_eq!(relation.insert(&[at, at % 3], at), Some(at));
            assert_eq!(relation.insert(&[at, at % 3], at), None);
        }
        let first = relation.index_on(&[0]);
        assert_eq!(relation.find(&[7, 1]), Some(7));
        assert_eq!(relation.find(&[7, 2]), None);
        let all: Vec<u32> = relation.with_key(last, &[2]).collect();
        assert_eq!(all, (0..100).filter(|at| at % 3 == 2).collect::<Vec<u32>>());
        assert_eq!(relation.with_key(first, &[40]).collect::<Vec<u32>>(), [40]);
        assert_eq!(relation.with_key(last, &[3]).count(), 0);
        let all = relation.index_on(&[]);
        assert_eq!(relation.with_key(all, &[]).count(), 100);
    }
}
