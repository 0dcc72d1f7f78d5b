//! Bit-state hashing by several threads: the array of [`Bitstate`](super::Bitstate), of atomic
//! words.
//!
//! A thread sets the bits of a state one by one, and takes the state for new if it has set any of
//! them. Two threads may both take one state for new, which is then expanded twice; no state is
//! omitted that one thread alone would not omit. Each thread estimates its omissions by the number
//! of set bits that it knows of.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::bitstate::{hashes, place_in};
use super::multilinear::Multilinear;
use crate::store::memory;
use crate::store::shared::words::AtomicWords;
use crate::store::shared_set::{Room, SetInsertion, SharedSet};

/// A thread publishes its counts after this many new states.
const OFTEN: usize = 64;

/// A lossy set of states for several threads, each some bits of an array.
#[derive(Debug)]
pub(crate) struct SharedBitstate {
    seed: u64,
    words: Arc<AtomicWords>,
    bits: u32,
    /// The number of bits that are set, and of states that were new, as far as threads told.
    set: AtomicU64,
    len: AtomicUsize,
    /// The expected number of omitted states, as far as threads told.
    overlooked: Mutex<f64>,
}

/// Hash functions and counts of a thread.
pub(crate) struct BitstateWriter {
    hash: Multilinear<2>,
    set: u64,
    len: usize,
    overlooked: f64,
    /// The ratio of omitted states to new ones, by the bits that were set at the last look.
    ratio: f64,
}

impl SharedBitstate {
    /// An array of `bytes` bytes, at least a word, with `bits` bits for each state, at least one.
    /// `None` if there is no memory for it.
    pub(crate) fn new(seed: u64, bytes: usize, bits: u32) -> Option<SharedBitstate> {
        let words = AtomicWords::sparse_zeros((bytes / size_of::<u64>()).max(1))?;
        Some(SharedBitstate {
            seed,
            words: Arc::new(words),
            bits: bits.max(1),
            set: AtomicU64::new(0),
            len: AtomicUsize::new(0),
            overlooked: Mutex::new(0.0),
        })
    }

    fn tell(&self, writer: &mut BitstateWriter) {
        let (set, len) = (std::mem::take(&mut writer.set), std::mem::take(&mut writer.len));
        let set = self.set.fetch_add(set, Ordering::Relaxed) + set;
        self.len.fetch_add(len, Ordering::Relaxed);
        let filling = set as f64 / (self.words.len() as f64 * f64::from(u64::BITS));
        let q = filling.powi(self.bits as i32);
        writer.ratio = q / (1.0 - q);
        let mut overlooked = self.overlooked.lock().unwrap_or_else(PoisonError::into_inner);
        *overlooked += std::mem::take(&mut writer.overlooked);
    }
}

impl SharedSet for SharedBitstate {
    const IS_EXACT: bool = false;

    type Table = AtomicWords;
    type Writer = BitstateWriter;
    type Fingerprint = [u64; 2];

    fn table(&self) -> Arc<AtomicWords> {
        Arc::clone(&self.words)
    }

    fn writer(&self) -> BitstateWriter {
        let hash = Multilinear::new(self.seed);
        BitstateWriter { hash, set: 0, len: 0, overlooked: 0.0, ratio: 0.0 }
    }

    #[inline]
    fn fingerprint(
        &self,
        words: &AtomicWords,
        writer: &mut BitstateWriter,
        state: &[u8],
    ) -> [u64; 2] {
        let fingerprint = writer.hash.hash(state);
        for hash in hashes(fingerprint, self.bits) {
            memory::prefetch(words, place_in(words.len(), hash).0);
        }
        fingerprint
    }

    #[inline]
    fn insert(
        &self,
        words: &AtomicWords,
        writer: &mut BitstateWriter,
        fingerprint: [u64; 2],
        _: &[u8],
    ) -> SetInsertion {
        let mut added = 0;
        for hash in hashes(fingerprint, self.bits) {
            let (word, bit) = place_in(words.len(), hash);
            // Most bits of visited states are set: reading does not take the line from others.
            let is_new = words[word].load(Ordering::Relaxed) & bit == 0
                && words[word].fetch_or(bit, Ordering::Relaxed) & bit == 0;
            added += u64::from(is_new);
        }
        if added == 0 {
            return SetInsertion::Old;
        }
        writer.overlooked += writer.ratio;
        writer.set += added;
        writer.len += 1;
        if writer.len >= OFTEN {
            self.tell(writer);
        }
        SetInsertion::New
    }

    fn release(&self, writer: &mut BitstateWriter) {
        self.tell(writer);
    }

    /// The array is never full.
    fn make_room(&self, _: usize) -> Room {
        Room::LastSlots
    }

    fn refill(&self) {}

    fn bytes(&self) -> usize {
        self.words.bytes()
    }

    fn table_bytes(&self) -> usize {
        0
    }

    fn omitted(&self) -> Option<(usize, f64)> {
        let overlooked = *self.overlooked.lock().unwrap_or_else(PoisonError::into_inner);
        Some((self.len.load(Ordering::Relaxed), overlooked))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Each of four threads inserts its numbers; returns how many were new.
    fn inserted(set: &SharedBitstate, numbers: impl Fn(u32) -> Vec<u32>) -> u64 {
        thread::scope(|scope| {
            let insert = |numbers: Vec<u32>| {
                let (table, mut writer) = (set.table(), set.writer());
                let mut new = 0;
                for n in numbers {
                    let state = n.to_le_bytes();
                    let fingerprint = set.fingerprint(&table, &mut writer, &state);
                    let inserted = set.insert(&table, &mut writer, fingerprint, &state);
                    new += u64::from(inserted == SetInsertion::New);
                }
                set.release(&mut writer);
                new
            };
            let threads: Vec<_> = (0..4)
                .map(|thread| {
                    let numbers = numbers(thread);
                    scope.spawn(move || insert(numbers))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        })
    }

    /// Each of four threads inserts all numbers.
    fn inserted_by_all(set: &SharedBitstate, states: u32) -> u64 {
        inserted(set, |thread| {
            let from = thread * states / 7;
            (from..states).chain(0..from).collect()
        })
    }

    #[test]
    fn every_state_is_new_once_and_in_rare_cases_twice() {
        const STATES: u32 = 50_000;
        let set = SharedBitstate::new(1, 64 << 20, 3).expect("there is memory");
        let new = inserted_by_all(&set, STATES);
        // Threads that insert one state at the same time may each find it new: how often depends on
        // the scheduler.
        assert!((u64::from(STATES)..u64::from(STATES + STATES / 4)).contains(&new), "{new}");
        let (known, omitted) = set.omitted().expect("it may omit states");
        assert!(known as u64 == new && omitted < 0.01, "{known} {omitted}");
        assert_eq!(set.set.load(Ordering::Relaxed), set_bits(&set));
        assert_eq!(inserted_by_all(&set, STATES), 0);
    }

    fn set_bits(set: &SharedBitstate) -> u64 {
        set.words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    #[test]
    fn the_estimate_is_close_to_the_truth() {
        const STATES: u32 = 100_000;
        for bytes in [30_000, 100_000] {
            let set = SharedBitstate::new(3, bytes, 3).expect("there is memory");
            // Each state is inserted once: two threads at a time may both find it new.
            let shares = |thread| (thread..STATES).step_by(4).collect();
            let omitted = f64::from(STATES) - inserted(&set, shares) as f64;
            let expected = set.omitted().expect("it may omit states").1;
            assert!((omitted - expected).abs() < 0.15 * omitted + 100.0, "{omitted} {expected}");
        }
    }
}
