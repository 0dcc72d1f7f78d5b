//! The atoms of one predicate that hold in a state.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::task::ObjectId;

/// The arguments of an atom.
pub(super) type Tuple = Vec<ObjectId>;

/// A hash function for object numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ObjectHasher(u64);

impl Hasher for ObjectHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(31);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u32(value as u32);
    }
}

type Build = BuildHasherDefault<ObjectHasher>;

/// The atoms of one predicate, also by their first argument.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    all: HashSet<Tuple, Build>,
    by_first: HashMap<ObjectId, Vec<Tuple>, Build>,
}

impl Atoms {
    pub(super) fn has(&self, tuple: &[ObjectId]) -> bool {
        self.all.contains(tuple)
    }

    /// Adds an atom. Returns whether it is new.
    pub(super) fn insert(&mut self, tuple: Tuple) -> bool {
        if self.all.contains(&tuple) {
            return false;
        }
        if let Some(&first) = tuple.first() {
            self.by_first.entry(first).or_default().push(tuple.clone());
        }
        self.all.insert(tuple)
    }

    pub(super) fn remove(&mut self, tuple: &[ObjectId]) {
        if !self.all.remove(tuple) {
            return;
        }
        if let Some(list) = tuple.first().and_then(|first| self.by_first.get_mut(first)) {
            list.retain(|one| one != tuple);
        }
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.by_first.clear();
    }

    /// The number of atoms that may have this first argument.
    pub(super) fn count(&self, first: Option<ObjectId>) -> usize {
        match first {
            Some(first) => self.by_first.get(&first).map_or(0, Vec::len),
            None => self.all.len(),
        }
    }

    /// The atoms that may have this first argument.
    pub(super) fn with(&self, first: Option<ObjectId>) -> Box<dyn Iterator<Item = &Tuple> + '_> {
        match first {
            Some(first) => Box::new(self.by_first.get(&first).into_iter().flatten()),
            None => Box::new(self.all.iter()),
        }
    }
}
