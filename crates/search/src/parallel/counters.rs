//! The counters of a worker, which other threads may read at any time.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::stats::Stats;

/// Published counters.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Counters {
    stored: AtomicU64,
    matched: AtomicU64,
    expanded: AtomicU64,
    generated: AtomicU64,
    errors: AtomicU64,
    atomic_steps: AtomicU64,
    slept: AtomicU64,
    longest: AtomicUsize,
}

impl Counters {
    /// Publishes the counters.
    #[inline]
    pub(super) fn publish(&self, stats: &Stats, longest: usize) {
        let set = |to: &AtomicU64, value| to.store(value, Ordering::Relaxed);
        set(&self.stored, stats.stored);
        set(&self.matched, stats.matched);
        set(&self.expanded, stats.expanded);
        set(&self.generated, stats.generated);
        set(&self.errors, stats.errors);
        set(&self.atomic_steps, stats.atomic_steps);
        set(&self.slept, stats.slept);
        self.longest.store(longest, Ordering::Relaxed);
    }

    /// The published counters.
    pub(super) fn read(&self) -> Stats {
        let get = |from: &AtomicU64| from.load(Ordering::Relaxed);
        Stats {
            stored: get(&self.stored),
            matched: get(&self.matched),
            expanded: get(&self.expanded),
            generated: get(&self.generated),
            errors: get(&self.errors),
            atomic_steps: get(&self.atomic_steps),
            slept: get(&self.slept),
            state_bytes: self.longest.load(Ordering::Relaxed) as u64,
            ..Stats::default()
        }
    }
}
