//! An append-only sequence in pages of fixed size.
//!
//! A `Vec` doubles, and holds three times the memory in use while it moves. Pages neither move nor
//! double, so that a memory limit is exact to within a page. Only the first page starts small,
//! since most state spaces are small.

use super::memory;

/// Items per page: a power of two.
const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 16;

/// A growing sequence of small items.
#[derive(Clone, Debug)]
pub(crate) struct ChunkedVec<T> {
    /// All full, except for the last.
    pages: Vec<Vec<T>>,
    len: usize,
    bytes: usize,
}

impl<T: Copy> ChunkedVec<T> {
    /// An empty sequence.
    pub(crate) fn new() -> ChunkedVec<T> {
        ChunkedVec { pages: Vec::new(), len: 0, bytes: 0 }
    }

    /// The memory that the next [`push`](ChunkedVec::push) allocates.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        self.growth_by(1)
    }

    /// The memory that the next `items` pushes allocate.
    #[inline]
    pub(crate) fn growth_by(&self, items: usize) -> usize {
        (capacity(self.len + items) - capacity(self.len)) * size_of::<T>()
    }

    /// Adds an item at the end.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        match self.pages.last_mut() {
            Some(last) if last.len() < last.capacity() => {
                last.push(item);
                self.len += 1;
            }
            _ => self.push_growing(item),
        }
    }

    /// Adds what a function makes of each of these, in order.
    #[inline]
    pub(crate) fn extend<U>(&mut self, mut of: &[U], mut item: impl FnMut(&U) -> T) {
        while let Some((first, rest)) = of.split_first() {
            match self.pages.last_mut() {
                Some(last) if last.len() < last.capacity() => {
                    let (now, later) = of.split_at(of.len().min(last.capacity() - last.len()));
                    last.extend(now.iter().map(&mut item));
                    self.len += now.len();
                    of = later;
                }
                _ => {
                    self.push_growing(item(first));
                    of = rest;
                }
            }
        }
    }

    #[cold]
    fn push_growing(&mut self, item: T) {
        let growth = self.growth();
        if growth > 0 {
            let items = growth / size_of::<T>();
            match self.pages.last_mut() {
                Some(last) if last.len() < PAGE => last.reserve_exact(items),
                _ => self.pages.push(Vec::with_capacity(items)),
            }
            self.bytes += growth;
        }
        self.pages.last_mut().expect("a page was made when there was none").push(item);
        self.len += 1;
    }

    /// The item at this index.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> T {
        self.pages[index >> PAGE_BITS][index & (PAGE - 1)]
    }

    /// Replaces the item at this index.
    pub(crate) fn set(&mut self, index: usize, item: T) {
        self.pages[index >> PAGE_BITS][index & (PAGE - 1)] = item;
    }

    /// Prefetches an item. An index out of bounds has no effect.
    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        if let Some(page) = self.pages.get(index >> PAGE_BITS) {
            memory::prefetch(page, index & (PAGE - 1));
        }
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The capacity of a sequence of `items` items.
#[inline]
fn capacity(items: usize) -> usize {
    match items {
        0 => 0,
        1..=PAGE => items.next_power_of_two().max(16),
        _ => items.div_ceil(PAGE) * PAGE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_is_given_and_accounts_for_it() {
        let mut pages = ChunkedVec::new();
        for n in 0..3 * PAGE + 5 {
            assert_eq!(pages.len(), n);
            let before = pages.bytes();
            let growth = pages.growth();
            pages.push(n as u32);
            assert_eq!(pages.bytes(), before + growth);
        }
        assert!((0..pages.len()).all(|n| pages.at(n) == n as u32));
        pages.set(PAGE, 7);
        assert_eq!((pages.at(PAGE - 1), pages.at(PAGE)), (PAGE as u32 - 1, 7));
        assert_eq!(pages.bytes(), 4 * PAGE * size_of::<u32>());
        assert!(pages.pages.iter().all(|page| page.capacity() == PAGE));
    }

    #[test]
    fn many_items_are_added_as_one_by_one() {
        let (mut pages, mut single) = (ChunkedVec::new(), ChunkedVec::new());
        for length in [0, 1, 3, 100, PAGE - 50, 7, 2 * PAGE, 0, 5] {
            let items: Vec<usize> = (0..length).collect();
            pages.extend(&items, |&item| item as u32);
            items.iter().for_each(|&item| single.push(item as u32));
            assert_eq!((pages.len(), pages.bytes()), (single.len(), single.bytes()));
        }
        assert!((0..pages.len()).all(|n| pages.at(n) == single.at(n)));
    }

    #[test]
    fn starts_small() {
        let mut pages = ChunkedVec::new();
        pages.push(1_u64);
        assert_eq!(pages.bytes(), 128);
    }
}
