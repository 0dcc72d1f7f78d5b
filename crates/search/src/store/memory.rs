//! Huge pages, zeros and reading ahead: the one place of `unsafe` in this crate.
//!
//! A store reads its memory at random. With pages of 4 KiB nearly every read has to
//! find out first where the page is; with pages of 2 MiB the processor remembers.
//! And what it is told in advance to read is there when it is wanted. Asking for
//! either changes nothing but the time.
#![allow(unsafe_code, reason = "the system and the processor are asked for favours")]

/// What a huge page holds on the machines we know; elsewhere the advice is moot.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// Tells the system that huge pages are welcome in all memory this vector holds.
#[cfg(target_os = "linux")]
pub(crate) fn welcome_huge_pages<T>(memory: &mut Vec<T>) {
    let start = memory.as_mut_ptr().addr();
    let end = start + memory.capacity() * size_of::<T>();
    let (first, behind) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
    if first < behind {
        let page = memory.as_mut_ptr().cast::<u8>().wrapping_add(first - start);
        // SAFETY: the pages lie within memory that the vector owns, and the advice
        // leaves what is in them as it is. A refusal is no harm.
        unsafe { libc::madvise(page.cast(), behind - first, libc::MADV_HUGEPAGE) };
    }
}

/// There is nobody to tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn welcome_huge_pages<T>(_: &mut Vec<T>) {}

/// So many zeros, if there is memory for them. The system gives large pieces of memory as
/// zeros, and only when they are first used, which nothing here does.
pub(crate) fn zeros(length: usize) -> Option<Vec<u64>> {
    let layout = std::alloc::Layout::array::<u64>(length).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the layout is not empty.
    let start = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<u64>();
    // SAFETY: the memory comes from the allocator of all vectors, with the layout of a
    // vector of this capacity, and all of it is zeros, which are numbers.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, length, length) })
}

/// Tells the processor that an item will be read soon. Where there is no such item,
/// nothing happens.
#[inline]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is allowed at any address, and changes no memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(items.get(index).is_some());
}
