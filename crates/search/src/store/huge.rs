//! Huge pages, where the system gives them: the one place of `unsafe` in this crate.
//!
//! A store reads its memory at random. With pages of 4 KiB nearly every read has to
//! find out first where the page is; with pages of 2 MiB the processor remembers.
//! Asking for them changes nothing but the time.
#![allow(unsafe_code, reason = "the system is asked for huge pages through a C function")]

/// What a huge page holds on the machines we know; elsewhere the advice is moot.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// Tells the system that huge pages are welcome in all memory this vector holds.
#[cfg(target_os = "linux")]
pub(crate) fn welcome<T>(memory: &mut Vec<T>) {
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
pub(crate) fn welcome<T>(_: &mut Vec<T>) {}
