//! Interned pairs of numbers: each different pair has a number. The nodes of all trees.
//!
//! A pair takes eight bytes, and between five and eight in a table.

use super::chunked_vec::ChunkedVec;
use super::compact_table::CompactTable;
use super::hash_table::{HashTable, Lookup};

/// A pair: two numbers of 32 bits, the left one in the upper half.
pub(crate) type Pair = u64;

/// A pair with a number that distinguishes it from equal pairs, and the hash of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairKey {
    pub(crate) pair: Pair,
    pub(crate) extra: u32,
    pub(crate) hash: u64,
}

/// The extra numbers of all pairs of a table, which the table itself does not hold.
pub(crate) trait Extras {
    /// The extra number of a pair.
    fn extra(&self, number: usize) -> u32;
}

/// All extra numbers are 0: equal pairs are identical.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoExtras;

impl Extras for NoExtras {
    #[inline]
    fn extra(&self, _: usize) -> u32 {
        0
    }
}

/// The result of interning a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interned {
    /// It is new, and has this number now.
    New(u32),
    /// It had this number before.
    Old(u32),
    /// It is new, and there is no room for it.
    Full,
}

/// Different pairs, numbered from 0 in the order of insertion.
#[derive(Clone, Debug)]
pub(crate) struct PairTable {
    pairs: ChunkedVec<Pair>,
    table: CompactTable,
    hash: fn(Pair, u64) -> u64,
}

impl PairTable {
    /// An empty table.
    pub(crate) fn new(hash: fn(Pair, u64) -> u64) -> PairTable {
        PairTable { pairs: ChunkedVec::new(), table: CompactTable::new(), hash }
    }

    /// The key of a pair.
    #[inline]
    pub(crate) fn key(&self, pair: Pair, extra: u32) -> PairKey {
        PairKey { pair, extra, hash: (self.hash)(pair, u64::from(extra)) }
    }

    /// Prefetches the slot at which a lookup of this key starts.
    #[inline]
    pub(crate) fn prefetch_slot(&self, key: PairKey) {
        self.table.prefetch(self.table.home(key.hash));
    }

    /// Prefetches the first pair whose entry matches the hash of this key.
    #[inline]
    pub(crate) fn prefetch_candidate(&self, key: PairKey) {
        if let Lookup::Present(number) = self.table.find(key.hash, |_| true) {
            self.pairs.prefetch(number);
        }
    }

    /// The number of a pair, if it is in the table.
    #[inline]
    pub(crate) fn find(&self, key: PairKey, extras: &impl Extras) -> Option<u32> {
        match self.look_up(key, extras) {
            Lookup::Present(number) => Some(number as u32),
            Lookup::Vacant(_) => None,
        }
    }

    #[inline]
    fn look_up(&self, key: PairKey, extras: &impl Extras) -> Lookup {
        self.table.find(key.hash, |number| {
            self.pairs.at(number) == key.pair && extras.extra(number) == key.extra
        })
    }

    /// Adds a pair, unless it is in the table, using at most `room` bytes more. The caller adds the
    /// extra number of a new pair.
    #[inline]
    pub(crate) fn insert(&mut self, key: PairKey, room: usize, extras: &impl Extras) -> Interned {
        match self.look_up(key, extras) {
            Lookup::Present(number) => Interned::Old(number as u32),
            Lookup::Vacant(slot) => self.add(key, slot, room, extras),
        }
    }

    fn add(
        &mut self,
        key: PairKey,
        mut slot: usize,
        mut room: usize,
        extras: &impl Extras,
    ) -> Interned {
        // An entry holds the number plus one, so the largest cannot be used.
        let Some(next) = u32::try_from(self.len() + 1).ok() else { return Interned::Full };
        if self.table.room() == 0 {
            let growth = self.table.growth();
            if self.grow(room.saturating_sub(self.pairs.growth()), extras) {
                room -= growth;
                slot = self.table.vacant(key.hash);
            } else if self.table.last_room() == 0 {
                return Interned::Full;
            }
        }
        if self.pairs.growth() > room {
            return Interned::Full;
        }
        self.pairs.push(key.pair);
        self.table.put(slot, key.hash);
        Interned::New(next - 1)
    }

    /// Grows the table, using at most `room` bytes more. Returns whether that was possible.
    fn grow(&mut self, room: usize, extras: &impl Extras) -> bool {
        let (pairs, hash) = (&self.pairs, self.hash);
        let hashes = (0..pairs.len()).map(|at| hash(pairs.at(at), u64::from(extras.extra(at))));
        self.table.grow(room, hashes)
    }

    /// The pair of this number.
    #[inline]
    pub(crate) fn pair(&self, number: u32) -> Pair {
        self.pairs.at(number as usize)
    }

    /// The number of pairs.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.table_bytes() + self.pairs.bytes()
    }

    /// The part of it in the hash table.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}
