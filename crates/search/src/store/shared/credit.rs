//! Credit: the insertions that a table has room for, which threads reserve in portions.
//!
//! So a table never gets more entries than it has room for, and no thread counts entries of others.

use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The greatest number of insertions that a thread reserves at once.
const MOST: usize = 1 << 10;
/// The least number, unless fewer are left.
const LEAST: usize = if cfg!(loom) { 1 } else { 16 };

/// Insertions that no thread has reserved yet.
#[derive(Debug)]
pub(crate) struct Credit {
    left: AtomicUsize,
    threads: usize,
    /// Whether the system has refused memory for a longer table.
    is_longest: AtomicBool,
}

impl Credit {
    /// Room for this many insertions of these threads.
    pub(crate) fn new(room: usize, threads: usize) -> Credit {
        Credit { left: AtomicUsize::new(room), threads, is_longest: AtomicBool::new(false) }
    }

    /// Reserves insertions for a thread: 0 if none are left.
    #[cold]
    pub(crate) fn reserve(&self) -> usize {
        let taken = |left: usize| left.min((left / (4 * self.threads)).clamp(LEAST, MOST));
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(taken(left).max(1))
        });
        left.map_or(0, taken)
    }

    /// Sets the room anew, when all threads have given back what they had reserved.
    pub(crate) fn renew(&self, room: usize) {
        self.left.store(room, Ordering::Relaxed);
    }

    /// Records that the system has refused memory for a longer table: it is not asked again.
    pub(crate) fn refuse_longer(&self) {
        self.is_longest.store(true, Ordering::Relaxed);
    }

    /// Whether the system may still have memory for a longer table.
    pub(crate) fn may_lengthen(&self) -> bool {
        !self.is_longest.load(Ordering::Relaxed)
    }
}
