//! A queue of facts by cost: the least cost first.

/// Costs beyond this one share a bucket.
const LAST: u32 = 1 << 20;

/// Facts by cost.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    least: usize,
    len: usize,
}

impl BucketQueue {
    pub(super) fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.least = 0;
        self.len = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, cost: u32, fact: u32) {
        let at = cost.min(LAST) as usize;
        if at >= self.buckets.len() {
            self.buckets.resize(at + 1, Vec::new());
        }
        self.buckets[at].push(fact);
        self.least = self.least.min(at);
        self.len += 1;
    }

    /// The next fact with its cost.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len == 0 {
            return None;
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
