//! States of one length in blocks of sixteen bytes: hashed, compared and copied without a loop.
//!
//! The functions take the number of blocks as a constant, so that a few vector instructions remain.
//! The last block overlaps the one before it unless the length is a multiple of sixteen. A state of
//! one block has at least eight bytes, and its two words may overlap.
#![allow(unsafe_code, reason = "the length is checked once for many states")]

/// Bytes of a block.
const BLOCK: usize = 16;
/// Bytes of a word.
const WORD: usize = 8;

/// The number of blocks that stands for any number above [`MOST`].
pub(super) const ANY: usize = 0;
/// The greatest number of blocks with functions of its own.
const MOST: usize = 4;

/// The blocks of states of this length: 1 to 4, or [`ANY`]. `None` for states shorter than a word.
#[inline]
pub(super) fn blocks(length: usize) -> Option<usize> {
    match length.div_ceil(BLOCK) {
        _ if length < WORD => None,
        few @ ..=MOST => Some(few),
        _ => Some(ANY),
    }
}

/// Evaluates an expression with the number of blocks as a constant.
macro_rules! with_blocks {
    ($blocks:expr, $number:ident => $body:expr) => {
        with_blocks!($blocks, $number => $body, 1, 2, 3, 4)
    };
    ($blocks:expr, $number:ident => $body:expr, $($few:literal),*) => {
        match $blocks {
            $($few => {
                const $number: usize = $few;
                $body
            })*
            _ => {
                const $number: usize = $crate::store::blocks::ANY;
                $body
            }
        }
    };
}
pub(super) use with_blocks;

/// Whether a length belongs to this number of blocks.
#[inline(always)]
const fn belongs<const N: usize>(length: usize) -> bool {
    match N {
        ANY => length > MOST * BLOCK,
        1 => length >= WORD && length <= BLOCK,
        _ => length > (N - 1) * BLOCK && length <= N * BLOCK,
    }
}

/// Checks that a length belongs to this number of blocks, and so tells the compiler. In a loop over
/// states of one length, nothing of the check remains.
///
/// # Panics
///
/// If it does not.
#[inline(always)]
pub(super) fn check<const N: usize>(length: usize) {
    assert!(belongs::<N>(length), "a state has the number of blocks that its length determines");
}

/// Whether two states are equal.
///
/// # Safety
///
/// Both have `length` bytes, of `N` blocks.
#[inline(always)]
pub(super) unsafe fn equal<const N: usize>(a: *const u8, b: *const u8, length: usize) -> bool {
    // SAFETY: all blocks and words lie inside of the states.
    unsafe {
        std::hint::assert_unchecked(belongs::<N>(length));
        if N == 1 {
            let word = |state: *const u8, at| state.add(at).cast::<u64>().read_unaligned();
            let last = length - WORD;
            return (word(a, 0) ^ word(b, 0)) | (word(a, last) ^ word(b, last)) == 0;
        }
        let last = length - BLOCK;
        let mut are_equal = vector::equal(a.add(last), b.add(last));
        if N == ANY {
            let mut at = 0;
            while at < last && vector::all(are_equal) {
                are_equal = vector::equal(a.add(at), b.add(at));
                at += BLOCK;
            }
            return vector::all(are_equal);
        }
        for block in 0..N - 1 {
            let at = block * BLOCK;
            are_equal = vector::both(are_equal, vector::equal(a.add(at), b.add(at)));
        }
        vector::all(are_equal)
    }
}

/// Copies a state.
///
/// # Safety
///
/// It has `length` bytes, of `N` blocks; so has the target, which does not overlap it.
#[inline(always)]
pub(super) unsafe fn copy<const N: usize>(from: *const u8, to: *mut u8, length: usize) {
    // SAFETY: all blocks and words lie inside of the state.
    unsafe {
        std::hint::assert_unchecked(belongs::<N>(length));
        if N == 1 {
            let (first, last) = (from.cast::<[u8; WORD]>(), length - WORD);
            let (first, second) = (first.read(), from.add(last).cast::<[u8; WORD]>().read());
            to.cast::<[u8; WORD]>().write(first);
            to.add(last).cast::<[u8; WORD]>().write(second);
            return;
        }
        let block = |at: usize| {
            to.add(at).cast::<[u8; BLOCK]>().write(from.add(at).cast::<[u8; BLOCK]>().read());
        };
        let last = length - BLOCK;
        if N == ANY {
            (0..last).step_by(BLOCK).for_each(block);
        } else {
            (0..N - 1).for_each(|number| block(number * BLOCK));
        }
        block(last);
    }
}

/// Comparison of blocks by vector instructions.
#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8,
    };

    /// The bytes that are equal.
    ///
    /// # Safety
    ///
    /// Both are blocks.
    #[inline(always)]
    pub(super) unsafe fn equal(a: *const u8, b: *const u8) -> __m128i {
        // SAFETY: the caller promises that the blocks can be read; SSE2 is part of x86-64.
        unsafe { _mm_cmpeq_epi8(_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast())) }
    }

    #[inline(always)]
    pub(super) fn both(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_and_si128(a, b) }
    }

    /// Whether all bytes are equal.
    #[inline(always)]
    pub(super) fn all(equal: __m128i) -> bool {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_movemask_epi8(equal) == 0xffff }
    }
}

/// The same without them.
#[cfg(not(target_arch = "x86_64"))]
mod vector {
    /// Whether blocks are equal.
    ///
    /// # Safety
    ///
    /// Both are blocks.
    #[inline(always)]
    pub(super) unsafe fn equal(a: *const u8, b: *const u8) -> bool {
        // SAFETY: the caller promises that the blocks can be read.
        unsafe { a.cast::<u128>().read_unaligned() == b.cast::<u128>().read_unaligned() }
    }

    #[inline(always)]
    pub(super) fn both(a: bool, b: bool) -> bool {
        a & b
    }

    #[inline(always)]
    pub(super) fn all(equal: bool) -> bool {
        equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Check<'a>(&'a [u8]);

    impl Check<'_> {
        fn check<const N: usize>(&self) {
            let Check(state) = *self;
            let equal = |other: &[u8]| {
                // SAFETY: both have this length, and this number of blocks.
                unsafe { equal::<N>(state.as_ptr(), other.as_ptr(), state.len()) }
            };
            // The byte behind must stay.
            let mut copied = vec![0xee; state.len() + 1];
            // SAFETY: the same, and the copy does not overlap the state.
            unsafe { copy::<N>(state.as_ptr(), copied.as_mut_ptr(), state.len()) };
            assert_eq!((&copied[..state.len()], copied[state.len()]), (state, 0xee));
            assert!(equal(&copied));
            for at in 0..state.len() {
                copied[at] ^= 0x10;
                assert!(!equal(&copied), "{} {at}", state.len());
                copied[at] ^= 0x10;
            }
        }
    }

    #[test]
    fn states_are_compared_and_copied_whole() {
        for length in 0..150 {
            let state: Vec<u8> = (0..length as u8).collect();
            let check = Check(&state);
            match blocks(length) {
                None => assert!(length < WORD),
                Some(blocks) => with_blocks!(blocks, N => check.check::<N>()),
            }
        }
    }
}
