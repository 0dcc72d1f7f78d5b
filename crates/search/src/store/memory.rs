//! Memory operations that safe Rust does not offer: vectors of zeros that are not touched,
//! prefetching, and comparison of several numbers by one instruction.
#![allow(unsafe_code, reason = "allocation of zeros, prefetch and vector instructions")]

/// A vector of `length` zeros, if there is memory for it. The system provides large allocations as
/// zeros, page by page at the first use; nothing is written here.
pub(crate) fn zeros(length: usize) -> Option<Vec<u64>> {
    let layout = std::alloc::Layout::array::<u64>(length).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the layout is not empty.
    let start = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<u64>();
    // SAFETY: the memory comes from the allocator that vectors use, with the layout of a vector of
    // this capacity, and all of it is initialised with zeros.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, length, length) })
}

/// Prefetches the cache line of an item. An index out of bounds has no effect.
#[inline]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    prefetch_at(items.as_ptr().wrapping_add(index).cast());
}

/// Prefetches the cache line at an address, which need not be valid.
#[inline(always)]
pub(crate) fn prefetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is allowed at any address, and has no effect on memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(address);
}

/// Bit set of the numbers that are equal to `to`.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn equal(these: &[u32; 8], to: u32) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128,
    };
    let start = these.as_ptr().cast::<__m128i>();
    // SAFETY: SSE2 is part of x86-64, and the numbers are two vectors.
    let bits = unsafe {
        let to = _mm_set1_epi32(to as i32);
        let low = _mm_cmpeq_epi32(_mm_loadu_si128(start), to);
        let high = _mm_cmpeq_epi32(_mm_loadu_si128(start.add(1)), to);
        _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128()))
    };
    bits as u32
}

/// Bit set of the numbers that are equal to `to`.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn equal(these: &[u32; 8], to: u32) -> u32 {
    let bits = these.iter().enumerate().map(|(at, &one)| u32::from(one == to) << at);
    bits.fold(0, |all, bit| all | bit)
}
