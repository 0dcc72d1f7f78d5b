//! A queue of facts by cost: the least cost first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Facts that cost less are in buckets, others in a heap.
const BUCKETS: u32 = 1 << 16;

/// Facts by cost.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    /// No bucket below this one has a fact, and none from `end` on.
    least: usize,
    end: usize,
    /// The number of facts in buckets.
    len: usize,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl BucketQueue {
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.buckets[self.least..self.end].iter_mut().for_each(Vec::clear);
        }
        self.heap.clear();
        (self.least, self.end, self.len) = (0, 0, 0);
    }

    #[inline]
    pub(super) fn push(&mut self, cost: u32, fact: u32) {
        if cost >= BUCKETS {
            self.heap.push(Reverse((cost, fact)));
            return;
        }
        let at = cost as usize;
        if at >= self.buckets.len() {
            self.buckets.resize(at + 1, Vec::new());
        }
        self.buckets[at].push(fact);
        self.least = if self.len == 0 { at } else { self.least.min(at) };
        self.end = self.end.max(at + 1);
        self.len += 1;
    }

    /// The next fact with its cost.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len == 0 {
            return self.heap.pop().map(|Reverse(entry)| entry);
        }
        loop {
            if let Some(fact) = self.buckets[self.least].pop() {
                self.len -= 1;
                return Some((self.least as u32, fact));
            }
            self.least += 1;
        }
    }
}

/// Lowers the cost of a fact, and queues it if it was higher.
#[inline]
pub(super) fn reach(costs: &mut [u32], queue: &mut BucketQueue, fact: u32, cost: u32) {
    if costs[fact as usize] > cost {
        costs[fact as usize] = cost;
        queue.push(cost, fact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_in_the_order_of_their_costs() {
        let mut queue = BucketQueue::default();
        let costs = [7, 100_000, 3, 70_000, 3, 65_535, 0];
        for _ in 0..2 {
            for (fact, &cost) in (0..).zip(&costs) {
                queue.push(cost, fact);
            }
            assert_eq!(queue.pop(), Some((0, 6)));
            queue.push(2, 9);
            let rest: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|one| one.0).collect();
            assert_eq!(rest, [2, 3, 3, 7, 65_535, 70_000, 100_000]);
            queue.push(5, 1);
            queue.clear();
            assert_eq!(queue.pop(), None);
        }
    }
}
