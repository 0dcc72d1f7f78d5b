//! The bucket-based open list: a bucket for each rank, the best rank first.
//!
//! Ranks are small integers, so inserting a state and removing the best one each take a constant
//! number of operations, however many states are open. A state whose rank improves is inserted
//! again; its old entry stays, and the search recognises it by its outdated rank.
//!
//! Source: [ELL00] §3.1 (buckets of doubly linked lists; ours are stacks or queues of
//! numbers, which are a quarter of the size and never unlinked).

use std::collections::VecDeque;

use beeline_kernel::{SplitMix64, StateId};

use super::buckets::BucketArray;
use super::{Candidate, OpenEntry, OpenList, QueueOrder, Rank};

/// States of one rank.
type Bucket = VecDeque<StateId>;

/// An emptied bucket keeps room for this many states; the rest is freed.
const KEPT: usize = 64;

/// The buckets, one for each `f`, or for each `f` and tie.
#[derive(Clone, Debug)]
enum BucketLevels {
    Single(BucketArray<Bucket>),
    Double(BucketArray<BucketArray<Bucket>>),
}

/// Empty arrays of more bytes than this are freed, except for the last [`SPARE`]: there is one
/// array for each `f`, and one that is filled again is filled soon.
const LARGE: usize = 1024;
const SPARE: usize = 16;

/// Frees the memory of an empty array, and returns its bytes.
fn give_back(array: &mut BucketArray<Bucket>) -> usize {
    let buckets = array.near().iter().map(VecDeque::capacity).sum::<usize>();
    let bytes = array.bytes() + buckets * size_of::<StateId>();
    *array = BucketArray::default();
    bytes
}

/// The open states, by rank.
#[derive(Clone, Debug)]
pub struct BucketOpenList {
    buckets: BucketLevels,
    queue_order: QueueOrder,
    len: usize,
    /// Memory inside the outer buckets.
    inner_bytes: usize,
    /// The large arrays that became empty last.
    spare: VecDeque<u64>,
}

impl BucketOpenList {
    /// An empty list. `has_ties` if ranks have a tie part.
    pub fn new(queue_order: QueueOrder, has_ties: bool) -> BucketOpenList {
        let buckets = if has_ties {
            BucketLevels::Double(BucketArray::default())
        } else {
            BucketLevels::Single(BucketArray::default())
        };
        BucketOpenList { buckets, queue_order, len: 0, inner_bytes: 0, spare: VecDeque::new() }
    }

    /// Inserts a state.
    #[inline]
    pub fn push(&mut self, rank: Rank, id: StateId) {
        self.len += 1;
        match &mut self.buckets {
            BucketLevels::Single(array) => put(array.fill(rank.f), id, &mut self.inner_bytes),
            BucketLevels::Double(outer) => {
                let array = outer.fill(rank.f);
                let before = array.bytes();
                put(array.fill(u64::from(rank.tie)), id, &mut self.inner_bytes);
                self.inner_bytes += array.bytes();
                self.inner_bytes -= before;
            }
        }
    }

    /// Removes the best state, with the rank it was inserted with.
    #[inline]
    pub fn pop(&mut self) -> Option<(Rank, StateId)> {
        let (queue_order, bytes) = (self.queue_order, &mut self.inner_bytes);
        let popped = match &mut self.buckets {
            BucketLevels::Single(array) => {
                let (f, id) = take(array, queue_order, bytes)?;
                (Rank { f, tie: 0 }, id)
            }
            BucketLevels::Double(outer) => {
                let (f, array) = outer.first()?;
                let before = array.bytes();
                let (tie, id) = take(array, queue_order, bytes).expect("a filled one is not empty");
                *bytes = *bytes + array.bytes() - before;
                if array.first_number().is_none() {
                    if BucketArray::<Bucket>::is_far(f) {
                        *bytes -= give_back(array);
                    } else if array.bytes() > LARGE && !self.spare.contains(&f) {
                        self.spare.push_back(f);
                    }
                    outer.emptied(f);
                    if self.spare.len() > SPARE
                        && let Some(oldest) = self.spare.pop_front()
                        && let Some(array) = outer.near_mut(oldest)
                        && array.first_number().is_none()
                    {
                        *bytes -= give_back(array);
                    }
                }
                (Rank { f, tie: tie as u32 }, id)
            }
        };
        self.len -= 1;
        Some(popped)
    }

    /// The state that would be removed next, if that is cheap to determine.
    #[inline]
    pub fn peek(&self) -> Option<StateId> {
        let BucketLevels::Single(array) = &self.buckets else { return None };
        let bucket = array.nearest()?;
        match self.queue_order {
            QueueOrder::Lifo => bucket.back().copied(),
            QueueOrder::Fifo => bucket.front().copied(),
        }
    }

    /// The least `f`, outdated entries included.
    #[inline]
    pub fn least(&self) -> Option<u64> {
        match &self.buckets {
            BucketLevels::Single(array) => array.first_number(),
            BucketLevels::Double(outer) => outer.first_number(),
        }
    }

    /// Memory held.
    #[inline]
    pub fn bytes(&self) -> usize {
        let outer = match &self.buckets {
            BucketLevels::Single(array) => array.bytes(),
            BucketLevels::Double(outer) => outer.bytes(),
        };
        outer + self.inner_bytes
    }
}

impl OpenList for BucketOpenList {
    #[inline]
    fn push(&mut self, id: StateId, candidate: &impl Candidate) {
        BucketOpenList::push(self, candidate.rank(0), id);
    }

    #[inline]
    fn pop(&mut self, _: &mut SplitMix64, _: impl Fn(StateId) -> bool) -> Option<OpenEntry> {
        let (rank, id) = BucketOpenList::pop(self)?;
        Some(OpenEntry { id, rank: Some(rank) })
    }

    #[inline]
    fn peek(&self) -> Option<StateId> {
        BucketOpenList::peek(self)
    }

    #[inline]
    fn least_f(&self) -> Option<u64> {
        self.least()
    }

    fn boost_preferred(&mut self, _: u32) {}

    #[inline]
    fn bytes(&self) -> usize {
        BucketOpenList::bytes(self)
    }
}

/// Appends a state to a bucket, and counts the memory.
#[inline]
fn put(bucket: &mut Bucket, id: StateId, bytes: &mut usize) {
    let before = bucket.capacity();
    bucket.push_back(id);
    *bytes += (bucket.capacity() - before) * size_of::<StateId>();
}

/// Removes a state from the first bucket of an array.
#[inline]
fn take(
    array: &mut BucketArray<Bucket>,
    queue_order: QueueOrder,
    bytes: &mut usize,
) -> Option<(u64, StateId)> {
    let (number, bucket) = array.first()?;
    let id = match queue_order {
        QueueOrder::Lifo => bucket.pop_back(),
        QueueOrder::Fifo => bucket.pop_front(),
    }
    .expect("a filled one is not empty");
    if bucket.is_empty() {
        let before = bucket.capacity();
        // A bucket outside the array is removed.
        bucket.shrink_to(if BucketArray::<Bucket>::is_far(number) { 0 } else { KEPT });
        *bytes -= (before - bucket.capacity()) * size_of::<StateId>();
        array.emptied(number);
    }
    Some((number, id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use beeline_kernel::SplitMix64;
    use beeline_test_size::portion;

    use super::*;

    fn id(index: usize) -> StateId {
        StateId::new(index).unwrap()
    }

    /// Compares with a sorted map from rank and time of insertion to states.
    fn check(queue_order: QueueOrder, has_ties: bool, ranks: &[u64]) {
        let mut rng = SplitMix64::new(9);
        let mut open = BucketOpenList::new(queue_order, has_ties);
        let mut model = BTreeMap::new();
        for number in 0..portion(20_000_i64) {
            if rng.below(5) < 3 {
                let f = ranks[rng.below(ranks.len())];
                let tie = if has_ties { rng.below(4) as u32 * 100_000 } else { 0 };
                let rank = Rank { f, tie };
                open.push(rank, id(number as usize));
                let place = if queue_order == QueueOrder::Lifo { -number } else { number };
                model.insert((rank, place), id(number as usize));
            } else {
                let expected = model.pop_first().map(|((rank, _), id)| (rank, id));
                assert_eq!(open.pop(), expected);
            }
            assert_eq!(open.len, model.len());
            assert_eq!(open.least(), model.keys().next().map(|(rank, _)| rank.f));
        }
        while let Some(((rank, _), id)) = model.pop_first() {
            assert_eq!(open.pop(), Some((rank, id)));
        }
        assert_eq!(open.pop(), None);
    }

    #[test]
    fn the_best_comes_first_and_ties_go_by_arrival() {
        let spread: Vec<u64> = (0..50).map(|n| n * n * n * n).collect();
        let far = [0, 7, 1 << 18, (1 << 18) - 1, 1 << 40, u64::MAX];
        for queue_order in [QueueOrder::Lifo, QueueOrder::Fifo] {
            for has_ties in [false, true] {
                check(queue_order, has_ties, &[1, 2, 3]);
                check(queue_order, has_ties, &spread);
                check(queue_order, has_ties, &far);
            }
        }
    }

    #[test]
    fn memory_is_counted_and_given_back() {
        for has_ties in [false, true] {
            let mut open = BucketOpenList::new(QueueOrder::Lifo, has_ties);
            let rank = |n: usize| Rank { f: (n % 10) as u64, tie: (n % 3) as u32 };
            let rank = |n| Rank { tie: if has_ties { rank(n).tie } else { 0 }, ..rank(n) };
            (0..100_000).for_each(|n| open.push(rank(n), id(n)));
            assert!((400_000..2_000_000).contains(&open.bytes()), "{}", open.bytes());
            while open.pop().is_some() {}
            assert!(open.bytes() < 50_000, "{}", open.bytes());
        }
    }

    /// The work for a state must not depend on the number of open states: the height of the bit
    /// tree is fixed, and a bucket moves its states only when its capacity doubles.
    #[test]
    fn ten_million_states_take_as_few_moves_each_as_ten_thousand() {
        let moves = |states: usize| {
            let (mut open, mut moved) = (BucketOpenList::new(QueueOrder::Fifo, false), 0);
            for n in 0..states {
                let before = open.inner_bytes;
                open.push(Rank { f: (n % 1000) as u64 * 200, tie: 0 }, id(n));
                // A bucket that grows moves all its states.
                moved += if open.inner_bytes > before { states / 1000 } else { 0 };
            }
            let mut last = 0;
            while let Some((rank, _)) = open.pop() {
                assert!(rank.f >= last);
                last = rank.f;
            }
            moved / states
        };
        assert!(moves(10_000) <= 32);
        assert!(moves(10_000_000) <= 32);
    }
}
