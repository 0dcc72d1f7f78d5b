//! A set of pairs of numbers, itself numbered: the nodes of a forest.
//!
//! Each pair takes eight bytes, and between four and eight in a table of 32-bit
//! entries, `[tag | number + 1]`, zero where free. The numbers get as many bits as
//! the table has places; the tag, which is what remains, keeps most looks at other
//! pairs away. The table is probed linearly and grows by half.

use std::hint::black_box;

use super::memory;
use super::pages::Pages;

/// Entries of the first table.
const FIRST: usize = 1 << 6;
/// The longest table: all numbers, and some places to spare, have to fit.
const LONGEST: usize = 1 << 32;

/// A pair: two numbers of 32 bits, the left one in the upper half.
pub(crate) type Pair = u64;

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbered {
    /// It was not known, and has this number now.
    New(u32),
    /// It was known by this number.
    Old(u32),
    /// It is not known, and there is no room for it.
    Full,
}

/// Different pairs, numbered from 0 in the order of their coming.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    pairs: Pages<Pair>,
    table: Vec<u32>,
    /// How many bits of an entry are a number.
    bits: u32,
    hash: fn(Pair, u64) -> u64,
}

impl Pairs {
    /// No pairs.
    pub(crate) fn new(hash: fn(Pair, u64) -> u64) -> Pairs {
        Pairs { pairs: Pages::new(), table: vec![0; FIRST], bits: bits_for(FIRST), hash }
    }

    /// The hash of a pair, and of whatever else tells it from equal pairs.
    #[inline]
    pub(crate) fn hash(&self, pair: Pair, extra: u64) -> u64 {
        (self.hash)(pair, extra)
    }

    /// Reads the place of the table that a look for this hash begins with.
    #[inline]
    pub(crate) fn look_ahead(&self, hash: u64) -> u32 {
        self.table[self.home(hash)]
    }

    /// Reads the pair that an entry with the tag of this hash stands for.
    #[inline]
    pub(crate) fn look_behind(&self, hash: u64) {
        let entry = self.table[self.home(hash)];
        if entry != 0 && self.tag(u64::from(entry)) == self.tag(hash) {
            black_box(self.pairs.at(self.number(entry) as usize));
        }
    }

    /// The number of a pair about the rest of which `same` agrees, if it is there.
    #[inline]
    pub(crate) fn find(&self, pair: Pair, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let (_, entry) = self.look(pair, hash, same);
        (entry != 0).then(|| self.number(entry))
    }

    /// The place of a pair and the entry there: zero where it is not there, but belongs.
    #[inline]
    fn look(&self, pair: Pair, hash: u64, same: impl Fn(u32) -> bool) -> (usize, u32) {
        let tag = self.tag(hash);
        let mut slot = self.home(hash);
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                return (slot, 0);
            }
            if self.tag(u64::from(entry)) == tag {
                let number = self.number(entry);
                if self.pairs.at(number as usize) == pair && same(number) {
                    return (slot, entry);
                }
            }
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
    }

    /// Adds a pair, unless it is there already and `same` agrees about the rest of
    /// it. May take `room` bytes of memory; `None` adds nothing. `extra` says what was hashed beside a
    /// pair, for when the table is built anew.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        pair: Pair,
        hash: u64,
        room: Option<usize>,
        same: impl Fn(u32) -> bool,
        extra: impl Fn(u32) -> u64,
    ) -> Numbered {
        let (slot, entry) = self.look(pair, hash, same);
        if entry != 0 {
            return Numbered::Old(self.number(entry));
        }
        match room {
            Some(room) => self.add(pair, hash, slot, room, extra),
            None => Numbered::Full,
        }
    }

    fn add(
        &mut self,
        pair: Pair,
        hash: u64,
        mut slot: usize,
        mut room: usize,
        extra: impl Fn(u32) -> u64,
    ) -> Numbered {
        // The entry holds the number plus one, so the largest cannot be used.
        let Some(next) = u32::try_from(self.len() + 1).ok() else { return Numbered::Full };
        if self.len() >= self.table.len() / 5 * 4 {
            let longer = (self.table.len() + self.table.len() / 2).min(LONGEST);
            let growth = (longer - self.table.len()) * size_of::<u32>();
            if self.pairs.growth().saturating_add(growth) <= room && self.grow(longer, &extra) {
                room -= growth;
                slot = self.free_slot(hash);
            } else if self.len() >= self.table.len() / 16 * 15 {
                return Numbered::Full;
            }
        }
        if self.pairs.growth() > room {
            return Numbered::Full;
        }
        self.pairs.push(pair);
        self.table[slot] = self.entry(hash, next);
        Numbered::New(next - 1)
    }

    /// Builds a longer table from the pairs, the old one being given back first.
    /// Says whether there was memory for it; if not, the table is as before.
    fn grow(&mut self, longer: usize, extra: impl Fn(u32) -> u64) -> bool {
        if longer == self.table.len() {
            return false;
        }
        let old = std::mem::take(&mut self.table).len();
        let mut table = Vec::new();
        let grown = table.try_reserve_exact(longer).is_ok();
        memory::welcome_huge_pages(&mut table);
        table.resize(if grown { longer } else { old }, 0);
        self.bits = bits_for(table.len());
        self.table = table;
        for number in 0..self.len() as u32 {
            let hash = (self.hash)(self.pairs.at(number as usize), extra(number));
            let slot = self.free_slot(hash);
            self.table[slot] = self.entry(hash, number + 1);
        }
        grown
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
        self.table.len() * size_of::<u32>()
    }

    /// Where a look for this hash begins: its upper half, scaled to the table.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.table.len() as u128) >> 64) as usize
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mut slot = self.home(hash);
        while self.table[slot] != 0 {
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
        slot
    }

    /// What identifies a hash or, in the same bits, an entry: lower bits of the hash,
    /// which have nothing to do with the place.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32).checked_shr(self.bits).unwrap_or(0)
    }

    #[inline]
    fn entry(&self, hash: u64, next: u32) -> u32 {
        self.tag(hash).checked_shl(self.bits).unwrap_or(0) | next
    }

    #[inline]
    fn number(&self, entry: u32) -> u32 {
        (entry & (u64::MAX >> (64 - self.bits)) as u32) - 1
    }
}

/// How many bits hold the number of any entry of a table this long.
fn bits_for(length: usize) -> u32 {
    (usize::BITS - length.leading_zeros()).min(32)
}
