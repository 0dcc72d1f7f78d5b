//! The hash tables of hashed stores: maps from hashes to numbers.
//!
//! The numbers are those of the records, in the order of insertion. The table does not know the
//! records: the caller compares them.

/// Slots of a new table.
pub(super) const FIRST_LENGTH: usize = 64;

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The number was found.
    Present(usize),
    /// The number is absent; an insertion goes to this slot.
    Vacant(usize),
}

/// A map from hashes to numbers. Slots are counted from 0.
pub trait HashTable {
    /// Whether entries keep enough bits of a hash that a lookup without comparison almost never
    /// finds a number of another hash.
    const IS_SELECTIVE: bool;

    /// An empty table.
    fn new() -> Self;

    /// The slot at which a lookup of this hash starts.
    fn home(&self, hash: u64) -> usize;

    /// Looks for a number of this hash that `is_match` accepts, from a slot on. No entry before the
    /// slot may match.
    fn find_from(&self, slot: usize, hash: u64, is_match: impl Fn(usize) -> bool) -> Lookup;

    /// Looks for a number of this hash that `is_match` accepts.
    #[inline]
    fn find(&self, hash: u64, is_match: impl Fn(usize) -> bool) -> Lookup {
        self.find_from(self.home(hash), hash, is_match)
    }

    /// The slot for a hash of which no number matches.
    #[inline]
    fn vacant(&self, hash: u64) -> usize {
        match self.find(hash, |_| false) {
            Lookup::Vacant(slot) => slot,
            Lookup::Present(_) => unreachable!("no number matches"),
        }
    }

    /// Whether a slot is still vacant that a lookup found vacant, in a table that has not grown since.
    /// If it is, the lookup would find the same again: a number of an equal record that was added
    /// since would be in this slot.
    fn is_vacant(&self, slot: usize) -> bool;

    /// Prefetches a slot.
    fn prefetch(&self, slot: usize);

    /// Adds the next number at a vacant slot found for its hash.
    #[inline]
    fn put(&mut self, slot: usize, hash: u64) {
        let number = self.len();
        self.put_number(slot, hash, number);
        self.count(1);
    }

    /// Adds a number that is not counted yet.
    fn put_number(&mut self, slot: usize, hash: u64, number: usize);

    /// Counts the next numbers, which were added.
    fn count(&mut self, numbers: usize);

    /// The number of numbers.
    fn len(&self) -> usize;

    /// The number of insertions before the table should grow.
    fn room(&self) -> usize;

    /// The number of insertions that are possible if the table cannot grow.
    fn last_room(&self) -> usize;

    /// The number of slots.
    fn length(&self) -> usize;

    /// Grows, using at most `room` bytes more. `hashes` are those of all numbers, for a table that
    /// is built anew. Returns whether the memory sufficed; if not, the table is as before.
    fn grow(&mut self, room: usize, hashes: impl Iterator<Item = u64>) -> bool;

    /// Removes all numbers.
    fn clear(&mut self);

    /// Adds the numbers of these hashes to an empty table.
    fn fill(&mut self, hashes: impl Iterator<Item = u64>) {
        for hash in hashes {
            let slot = self.vacant(hash);
            self.put(slot, hash);
        }
    }

    /// Memory held.
    fn bytes(&self) -> usize;
}
