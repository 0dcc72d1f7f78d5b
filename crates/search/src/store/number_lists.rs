//! Many lists in one sequence, of numbers that each come with a signature.
//!
//! A list of one item is that item. A longer one is a block of the sequence whose length is a
//! power of two; a list that outgrows its block moves to one of twice the length, and the old block
//! is used again. Design: ours; the blocks are those of a buddy system without merging.

use super::chunked_vec::ChunkedVec;

/// The end of a chain of free blocks.
const NONE: u64 = u64::MAX;

/// A number with its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The number.
    pub(super) number: u32,
    /// Its signature.
    pub(super) signature: u32,
}

impl Item {
    fn packed(self) -> u64 {
        u64::from(self.signature) << 32 | u64::from(self.number)
    }

    fn of(packed: u64) -> Item {
        Item { number: packed as u32, signature: (packed >> 32) as u32 }
    }
}

/// A list of items in [`NumberLists`].
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberList {
    /// The only item, or the start of the block.
    start: u64,
    len: u32,
    /// The block has two to the power of this many items.
    class: u8,
}

impl NumberList {
    /// No items.
    pub(super) const EMPTY: NumberList = NumberList { start: 0, len: 0, class: 0 };

    /// How many items there are.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }
}

/// The items of all lists.
#[derive(Clone, Debug)]
pub(super) struct NumberLists {
    items: ChunkedVec<u64>,
    /// By class: the first free block; its first item is the next one.
    free: [u64; u32::BITS as usize],
}

impl NumberLists {
    /// No lists.
    pub(super) fn new() -> NumberLists {
        NumberLists { items: ChunkedVec::new(), free: [NONE; u32::BITS as usize] }
    }

    /// An item of a list.
    #[inline]
    pub(super) fn at(&self, list: NumberList, at: usize) -> Item {
        Item::of(if list.class == 0 { list.start } else { self.items.at(list.start as usize + at) })
    }

    /// Exchanges two items of a list.
    pub(super) fn swap(&mut self, list: NumberList, one: usize, other: usize) {
        if one != other {
            let start = list.start as usize;
            let (a, b) = (self.at(list, one), self.at(list, other));
            self.items.set(start + one, b.packed());
            self.items.set(start + other, a.packed());
        }
    }

    /// Removes the last item of a list that has some.
    pub(super) fn pop(&mut self, list: &mut NumberList) {
        list.len -= 1;
    }

    /// Adds an item to a list.
    pub(super) fn push(&mut self, list: &mut NumberList, item: Item) {
        if list.class == 0 && list.len == 0 {
            (list.start, list.len) = (item.packed(), 1);
            return;
        }
        if list.len == 1 << list.class {
            let start = self.block(list.class + 1);
            for at in 0..list.len() {
                let item = self.at(*list, at);
                self.items.set(start as usize + at, item.packed());
            }
            if list.class > 0 {
                self.items.set(list.start as usize, self.free[list.class as usize]);
                self.free[list.class as usize] = list.start;
            }
            (list.start, list.class) = (start, list.class + 1);
        }
        self.items.set(list.start as usize + list.len(), item.packed());
        list.len += 1;
    }

    /// A block of a class.
    fn block(&mut self, class: u8) -> u64 {
        let start = self.free[class as usize];
        if start != NONE {
            self.free[class as usize] = self.items.at(start as usize);
            return start;
        }
        let start = self.items.len();
        (0..1_usize << class).for_each(|_| self.items.push(NONE));
        start as u64
    }

    /// An upper bound on the memory that adding an item to this list allocates.
    pub(super) fn growth(&self, list: NumberList) -> usize {
        if list.len < 1 << list.class { 0 } else { self.items.growth_by(2 << list.class) }
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.items.bytes()
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    #[test]
    fn lists_keep_their_numbers() {
        let mut rng = SplitMix64::new(3);
        let mut lists = NumberLists::new();
        let mut handles = vec![NumberList::EMPTY; 40];
        let mut wanted: Vec<Vec<Item>> = vec![Vec::new(); 40];
        for number in 0..20_000 {
            let most = rng.below(40) + 1;
            let which = rng.below(most);
            let (list, all) = (&mut handles[which], &mut wanted[which]);
            match rng.below(5) {
                0 if !all.is_empty() => {
                    let (one, last) = (rng.below(all.len()), all.len() - 1);
                    lists.swap(*list, one, last);
                    lists.pop(list);
                    all.swap_remove(one);
                }
                _ => {
                    let (before, growth) = (lists.bytes(), lists.growth(*list));
                    let item = Item { number, signature: number.wrapping_mul(77_777_777) };
                    lists.push(list, item);
                    assert!(lists.bytes() <= before + growth);
                    all.push(item);
                }
            }
        }
        for (list, all) in handles.iter().zip(&wanted) {
            let found: Vec<Item> = (0..list.len()).map(|at| lists.at(*list, at)).collect();
            assert_eq!(found, *all);
        }
        assert!(wanted.iter().any(|all| all.len() > 1_000));
    }
}
