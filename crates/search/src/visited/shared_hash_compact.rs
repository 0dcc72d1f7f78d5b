//! Hash compaction by several threads: the table of [`HashCompact`](super::HashCompact), of atomic
//! words.
//!
//! A fingerprint is published by one compare-and-swap of a vacant slot. A slot that was filled is
//! never changed again, so of all insertions of one fingerprint exactly one is told that it is new.
//! When the table is full, all threads return it, and fill a longer one from it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::hash_compact::{fullest, home};
use super::multilinear::Multilinear;
use crate::store::shared::credit::Credit;
use crate::store::shared::words::AtomicWords;
use crate::store::shared_set::{Room, SetInsertion, SharedSet};
use crate::store::{StoreLimits, memory};

/// Entries of the first table.
const FIRST: usize = 1 << 12;
/// Entries of the old table that a thread adds to the new one at once.
const PIECE: usize = 1 << 14;

/// A lossy set of states for several threads, each a fingerprint of 64 bits.
#[derive(Debug)]
pub(crate) struct SharedHashCompact {
    seed: u64,
    /// Fingerprints, zero where vacant.
    entries: Mutex<Arc<AtomicWords>>,
    /// The table before, while the new one is filled.
    old: Mutex<Option<Arc<AtomicWords>>>,
    refilled: AtomicUsize,
    bytes: AtomicUsize,
    credit: Credit,
    len: AtomicUsize,
    limits: StoreLimits,
}

/// Hash function and credit of a thread.
pub(crate) struct HashCompactWriter {
    hash: Multilinear<1>,
    credit: usize,
    /// New fingerprints since the writer was released.
    len: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a fingerprint. Returns whether it was not in the table.
#[inline]
fn add(entries: &AtomicWords, fingerprint: u64) -> bool {
    let mut at = home(fingerprint, entries.len());
    loop {
        let entry = &entries[at];
        let mut found = entry.load(Ordering::Relaxed);
        if found == 0 {
            match entry.compare_exchange(0, fingerprint, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(other) => found = other,
            }
        }
        if found == fingerprint {
            return false;
        }
        at += 1;
        if at == entries.len() {
            at = 0;
        }
    }
}

/// Whether a fingerprint is in the table.
#[inline]
fn contains(entries: &AtomicWords, fingerprint: u64) -> bool {
    let mut at = home(fingerprint, entries.len());
    loop {
        match entries[at].load(Ordering::Relaxed) {
            0 => return false,
            found if found == fingerprint => return true,
            _ => at = if at + 1 == entries.len() { 0 } else { at + 1 },
        }
    }
}

impl SharedHashCompact {
    /// An empty set with these limits for this many threads. The seed determines the hash function.
    pub(crate) fn new(seed: u64, limits: StoreLimits, threads: usize) -> SharedHashCompact {
        let entries = AtomicWords::zeros(FIRST).expect("there is memory for a first table");
        SharedHashCompact {
            seed,
            bytes: AtomicUsize::new(entries.bytes()),
            entries: Mutex::new(Arc::new(entries)),
            old: Mutex::new(None),
            refilled: AtomicUsize::new(0),
            credit: Credit::new(fullest(FIRST).min(limits.states), threads),
            len: AtomicUsize::new(0),
            limits,
        }
    }
}

impl SharedSet for SharedHashCompact {
    const IS_EXACT: bool = false;

    type Table = AtomicWords;
    type Writer = HashCompactWriter;
    type Fingerprint = u64;

    fn table(&self) -> Arc<AtomicWords> {
        Arc::clone(&lock(&self.entries))
    }

    fn writer(&self) -> HashCompactWriter {
        HashCompactWriter { hash: Multilinear::new(self.seed), credit: 0, len: 0 }
    }

    #[inline]
    fn fingerprint(
        &self,
        entries: &AtomicWords,
        writer: &mut HashCompactWriter,
        state: &[u8],
    ) -> u64 {
        let [fingerprint] = writer.hash.hash(state);
        memory::prefetch(entries, home(fingerprint, entries.len()));
        // Zero marks a vacant slot.
        fingerprint.max(1)
    }

    #[inline]
    fn insert(
        &self,
        entries: &AtomicWords,
        writer: &mut HashCompactWriter,
        fingerprint: u64,
        _: &[u8],
    ) -> SetInsertion {
        if writer.credit == 0 {
            if contains(entries, fingerprint) {
                return SetInsertion::Old;
            }
            writer.credit = self.credit.reserve();
            if writer.credit == 0 {
                return SetInsertion::TableFull;
            }
        }
        if !add(entries, fingerprint) {
            return SetInsertion::Old;
        }
        writer.credit -= 1;
        writer.len += 1;
        SetInsertion::New
    }

    fn release(&self, writer: &mut HashCompactWriter) {
        writer.credit = 0;
        self.len.fetch_add(std::mem::take(&mut writer.len), Ordering::Relaxed);
    }

    fn make_room(&self, _: usize) -> Room {
        let stored = self.len.load(Ordering::Relaxed);
        let mut entries = lock(&self.entries);
        let length = entries.len();
        let left = |most: usize| most.min(self.limits.states).saturating_sub(stored);
        if left(fullest(length)) > length / 8 {
            // Other threads had reserved the rest.
            self.credit.renew(left(fullest(length)));
            return Room::LastSlots;
        }
        let room = self.limits.bytes.saturating_sub(entries.bytes()) / size_of::<u64>();
        let longer = (2 * length).min(room);
        // Growing by less than a quarter does not pay.
        if stored < self.limits.states
            && longer >= length / 4 * 5
            && let Some(table) = AtomicWords::zeros(longer)
        {
            self.bytes.store(entries.bytes() + table.bytes(), Ordering::Relaxed);
            *lock(&self.old) = Some(std::mem::replace(&mut entries, Arc::new(table)));
            self.refilled.store(0, Ordering::Relaxed);
            self.credit.renew(left(fullest(longer)));
            return Room::Refill;
        }
        self.credit.renew(left(length / 16 * 15));
        if left(length / 16 * 15) > 0 { Room::LastSlots } else { Room::Impossible }
    }

    fn refill(&self) {
        let Some(old) = lock(&self.old).clone() else { return };
        let entries = self.table();
        loop {
            let begin = self.refilled.fetch_add(PIECE, Ordering::Relaxed);
            if begin >= old.len() {
                return;
            }
            for entry in &old[begin..old.len().min(begin + PIECE)] {
                match entry.load(Ordering::Relaxed) {
                    0 => {}
                    fingerprint => {
                        add(&entries, fingerprint);
                    }
                }
            }
        }
    }

    fn end_refill(&self) {
        *lock(&self.old) = None;
        self.bytes.store(lock(&self.entries).bytes(), Ordering::Relaxed);
    }

    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn table_bytes(&self) -> usize {
        self.bytes()
    }

    fn omitted(&self) -> Option<(usize, f64)> {
        let len = self.len.load(Ordering::Relaxed);
        let pairs = len as f64 * len.saturating_sub(1) as f64 / 2.0;
        Some((len, pairs / 2_f64.powi(64)))
    }
}
