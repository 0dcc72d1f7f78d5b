//! The buckets of a table of slots: atomic words, eight in each cache line, filled from the first to
//! the last.
//!
//! The upper bits of all words of a bucket are compared at once, so that the time of a lookup does
//! not depend on the number of filled slots, and processors predict its branches.
#![allow(unsafe_code, reason = "untyped zeros are used as atomic words, vectors of which are read")]

use super::super::bucket::BUCKET;
use super::chunks::ID_BITS;
use crate::sync::atomic::AtomicU64;

#[cfg(loom)]
pub(super) use listed::Buckets;
#[cfg(not(loom))]
pub(super) use untyped::Buckets;

/// Slots of one bucket.
pub(super) type Slots = [AtomicU64; BUCKET];

/// The slots of a bucket, compared with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    /// Bit set of the slots with this key.
    pub(super) alike: u32,
    /// Bit set of the vacant slots.
    pub(super) vacant: u32,
}

/// The upper bits of a word: its key. A filled slot has a key that is not 0.
#[inline(always)]
fn key_of(word: u64) -> u32 {
    (word >> ID_BITS) as u32
}

/// Compares the slots of a bucket with the upper bits of a word. A slot that is filled meanwhile may be
/// told to be vacant. To read a word that is alike, a thread has to load it again.
#[cfg(all(target_arch = "x86_64", not(loom)))]
#[inline(always)]
pub(super) fn compare(slots: &Slots, word: u64) -> Comparison {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_movemask_epi8,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_ps,
        _mm_srli_epi32,
    };
    /// Takes the upper halves of four words.
    const UPPER_HALVES: i32 = 0b11_01_11_01;
    const SHIFT: i32 = (ID_BITS - u32::BITS) as i32;
    let (first, second, third, fourth): (__m128i, __m128i, __m128i, __m128i);
    // SAFETY: these are the 64 bytes of the bucket, which begins at a multiple of 16 bytes: the
    // memory is aligned to buckets. Other threads may write words meanwhile; a processor reads the
    // aligned words of a vector one by one or together, but none of them in parts.
    unsafe {
        asm!(
            "movdqa {first}, [{at}]",
            "movdqa {second}, [{at} + 16]",
            "movdqa {third}, [{at} + 32]",
            "movdqa {fourth}, [{at} + 48]",
            at = in(reg) slots.as_ptr(),
            first = out(xmm_reg) first,
            second = out(xmm_reg) second,
            third = out(xmm_reg) third,
            fourth = out(xmm_reg) fourth,
            options(readonly, nostack, preserves_flags),
        );
    }
    // SAFETY: SSE2 is part of x86-64.
    let bits = unsafe {
        let upper = |low, high| {
            let (low, high) = (_mm_castsi128_ps(low), _mm_castsi128_ps(high));
            let halves = _mm_castps_si128(_mm_shuffle_ps::<UPPER_HALVES>(low, high));
            _mm_srli_epi32::<SHIFT>(halves)
        };
        let (low, high) = (upper(first, second), upper(third, fourth));
        let equal = |to| _mm_packs_epi32(_mm_cmpeq_epi32(low, to), _mm_cmpeq_epi32(high, to));
        let (alike, vacant) =
            (equal(_mm_set1_epi32(key_of(word) as i32)), equal(_mm_setzero_si128()));
        _mm_movemask_epi8(_mm_packs_epi16(alike, vacant)) as u32
    };
    Comparison { alike: bits & u32::from(u8::MAX), vacant: bits >> BUCKET }
}

/// Compares the slots of a bucket with the upper bits of a word. A slot that is filled meanwhile may be
/// told to be vacant. To read a word that is alike, a thread has to load it again.
#[cfg(any(not(target_arch = "x86_64"), loom))]
#[inline(always)]
pub(super) fn compare(slots: &Slots, word: u64) -> Comparison {
    use crate::sync::atomic::Ordering;
    let keys = slots.each_ref().map(|slot| key_of(slot.load(Ordering::Relaxed)));
    let equal = |to: u32| {
        let bits = keys.iter().enumerate().map(|(at, &key)| u32::from(key == to) << at);
        bits.fold(0, |all, bit| all | bit)
    };
    Comparison { alike: equal(key_of(word)), vacant: equal(0) }
}

/// Buckets in memory of huge pages.
#[cfg(not(loom))]
mod untyped {
    use crate::store::bucket::Bucket;
    use crate::store::huge_page_buffer::HugePageBuffer;
    use crate::store::shared::buckets::Slots;

    /// Buckets that threads read and write at once.
    #[derive(Debug)]
    pub(in super::super) struct Buckets {
        /// The memory, which is read and written through [`all`](Buckets::all) only.
        memory: HugePageBuffer<Bucket>,
        length: usize,
    }

    impl Buckets {
        /// This many vacant buckets, if there is memory for them.
        pub(in super::super) fn vacant(length: usize) -> Option<Buckets> {
            Some(Buckets { memory: HugePageBuffer::zeros(length)?, length })
        }

        /// All buckets.
        #[inline(always)]
        pub(in super::super) fn all(&self) -> &[Slots] {
            // SAFETY: the memory has this many buckets, aligned as such; zeros are atomic words.
            // Nothing else refers to it while the buckets live.
            unsafe { std::slice::from_raw_parts(self.memory.start().cast(), self.length) }
        }

        /// The number of buckets.
        #[inline(always)]
        pub(in super::super) fn len(&self) -> usize {
            self.length
        }
    }
}

/// Buckets of words that loom watches.
#[cfg(loom)]
mod listed {
    use crate::store::shared::buckets::Slots;
    use crate::sync::atomic::AtomicU64;

    /// Buckets that threads read and write at once.
    #[derive(Debug)]
    pub(in super::super) struct Buckets(Vec<Slots>);

    impl Buckets {
        /// This many vacant buckets.
        pub(in super::super) fn vacant(length: usize) -> Option<Buckets> {
            let bucket = || std::array::from_fn(|_| AtomicU64::new(0));
            Some(Buckets((0..length).map(|_| bucket()).collect()))
        }

        /// All buckets.
        pub(in super::super) fn all(&self) -> &[Slots] {
            &self.0
        }

        /// The number of buckets.
        pub(in super::super) fn len(&self) -> usize {
            self.0.len()
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn slots_are_compared_by_their_upper_bits() {
        let buckets = Buckets::vacant(2).expect("there is memory");
        let slots = &buckets.all()[1];
        let key = |number: u64| number << ID_BITS;
        for at in 0..BUCKET {
            let compared = compare(slots, key(1));
            assert_eq!(compared.vacant, 0xff << at & 0xff);
            assert_eq!(compared.alike, 0b0100_1001 & !(0xff << at));
            // The first and the last bit of a key count, those of a record do not.
            let number = [1, 2, 1 << 21][at % 3];
            slots[at].store(key(number) | (at as u64 + 1) | 1 << 41, Ordering::Relaxed);
        }
        for (number, alike) in [(1, 0b0100_1001), (2, 0b1001_0010), (1 << 21, 0b0010_0100), (3, 0)]
        {
            assert_eq!(compare(slots, key(number) | 5), Comparison { alike, vacant: 0 });
        }
        assert_eq!(compare(&buckets.all()[0], key(1)), Comparison { alike: 0, vacant: 0xff });
    }
}
