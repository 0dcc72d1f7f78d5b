//! A set of pairs of numbers, itself numbered: the nodes of a forest.
//!
//! Each pair takes eight bytes, and between five and eight in a table.

use super::bucket_table::Lookup;
use super::chunked_vec::ChunkedVec;
use super::compact_table::CompactTable;

/// A pair: two numbers of 32 bits, the left one in the upper half.
pub(crate) type Pair = u64;

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interned {
    /// It was not known, and has this number now.
    New(u32),
    /// It was known by this number.
    Old(u32),
    /// It is not known, and there is no room for it.
    Full,
}

/// Different pairs, numbered from 0 in the order of their coming.
#[derive(Clone, Debug)]
pub(crate) struct PairTable {
    pairs: ChunkedVec<Pair>,
    table: CompactTable,
    hash: fn(Pair, u64) -> u64,
}

impl PairTable {
    /// No pairs.
    pub(crate) fn new(hash: fn(Pair, u64) -> u64) -> PairTable {
        PairTable { pairs: ChunkedVec::new(), table: CompactTable::new(), hash }
    }

    /// The hash of a pair, and of whatever else tells it from equal pairs.
    #[inline]
    pub(crate) fn hash(&self, pair: Pair, extra: u64) -> u64 {
        (self.hash)(pair, extra)
    }

    /// Asks for the place of the table that a look for this hash begins with.
    #[inline]
    pub(crate) fn prefetch_slot(&self, hash: u64) {
        self.table.prefetch(self.table.home(hash));
    }

    /// Asks for the pair that an entry like this hash stands for.
    #[inline]
    pub(crate) fn prefetch_candidate(&self, hash: u64) {
        if let Lookup::Present(number) = self.table.find(hash, |_| true) {
            self.pairs.prefetch(number);
        }
    }

    /// The number of a pair about the rest of which `same` agrees, if it is there.
    #[inline]
    pub(crate) fn find(&self, pair: Pair, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        match self.look(pair, hash, same) {
            Lookup::Present(number) => Some(number as u32),
            Lookup::Vacant(_) => None,
        }
    }

    #[inline]
    fn look(&self, pair: Pair, hash: u64, same: impl Fn(u32) -> bool) -> Lookup {
        self.table.find(hash, |number| self.pairs.at(number) == pair && same(number as u32))
    }

    /// Adds a pair, unless it is there already and `same` agrees about the rest of it. May take
    /// `room` bytes of memory; `None` adds nothing. `extra` says what was hashed beside a pair,
    /// for when the table is built anew.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        pair: Pair,
        hash: u64,
        room: Option<usize>,
        same: impl Fn(u32) -> bool,
        extra: impl Fn(u32) -> u64,
    ) -> Interned {
        match self.look(pair, hash, same) {
            Lookup::Present(number) => Interned::Old(number as u32),
            Lookup::Vacant(place) => match room {
                Some(room) => self.add(pair, hash, place, room, extra),
                None => Interned::Full,
            },
        }
    }

    fn add(
        &mut self,
        pair: Pair,
        hash: u64,
        mut place: usize,
        mut room: usize,
        extra: impl Fn(u32) -> u64,
    ) -> Interned {
        // An entry holds the number plus one, so the largest cannot be used.
        let Some(next) = u32::try_from(self.len() + 1).ok() else { return Interned::Full };
        if self.table.room() == 0 {
            let growth = self.table.growth();
            let fits = self.pairs.growth().saturating_add(growth) <= room;
            if fits && self.grow(&extra) {
                room -= growth;
                if let Lookup::Vacant(free) = self.table.find(hash, |_| false) {
                    place = free;
                }
            } else if self.table.last_room() == 0 {
                return Interned::Full;
            }
        }
        if self.pairs.growth() > room {
            return Interned::Full;
        }
        self.pairs.push(pair);
        self.table.put(place, hash);
        Interned::New(next - 1)
    }

    /// Says whether the table is a longer one.
    fn grow(&mut self, extra: impl Fn(u32) -> u64) -> bool {
        let (pairs, hash) = (&self.pairs, self.hash);
        self.table.grow((0..pairs.len()).map(|at| hash(pairs.at(at), extra(at as u32))))
    }

    /// The pair of this number.
    #[inline]
    pub(crate) fn pair(&self, number: u32) -> Pair {
        self.pairs.at(number as usize)
    }

    /// How many pairs there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.table_bytes() + self.pairs.bytes()
    }

    /// The part of it that the hash table holds.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}
