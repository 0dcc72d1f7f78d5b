//! A buffer backed by huge pages where the system has them.
//!
//! A store reads its memory at random. With pages of 4 KiB, nearly every read misses the
//! translation lookaside buffer, and the first write to each page is a page fault. A page of 2 MiB
//! replaces 512 of them. It needs memory aligned to huge pages, which a `Vec` cannot request.
//! Without huge pages, only the alignment differs.
#![allow(unsafe_code, reason = "memory with an alignment of its own is allocated untyped")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use super::bucket::Bucket;

/// Bytes of a huge page on x86-64 and most other machines; elsewhere the advice has no effect.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// A type of which all zero bytes are a value.
pub(crate) trait Zeroable: Copy {}

impl Zeroable for u32 {}
impl Zeroable for u64 {}
impl Zeroable for Bucket {}

/// Items in a buffer of fixed capacity.
#[derive(Debug)]
pub(crate) struct HugePageBuffer<T: Copy> {
    /// Dangling if the capacity is 0.
    start: NonNull<T>,
    len: usize,
    capacity: usize,
}

// SAFETY: a buffer owns its items, as a vector does.
unsafe impl<T: Copy + Send> Send for HugePageBuffer<T> {}
// SAFETY: items are changed through an exclusive reference only.
unsafe impl<T: Copy + Sync> Sync for HugePageBuffer<T> {}

impl<T: Copy> HugePageBuffer<T> {
    /// An empty buffer without capacity.
    pub(crate) const fn new() -> HugePageBuffer<T> {
        HugePageBuffer { start: NonNull::dangling(), len: 0, capacity: 0 }
    }

    /// An empty buffer for `capacity` items, if there is memory for it.
    pub(crate) fn with_room(capacity: usize) -> Option<HugePageBuffer<T>> {
        HugePageBuffer::allocated_by(capacity, alloc)
    }

    /// The same, with memory from this function of the allocator if it is less than a huge page.
    fn allocated_by(
        capacity: usize,
        allocate: unsafe fn(Layout) -> *mut u8,
    ) -> Option<HugePageBuffer<T>> {
        let layout = Layout::array::<T>(capacity).ok()?;
        let start = match layout.size() {
            0 => return Some(HugePageBuffer { capacity, ..HugePageBuffer::new() }),
            // SAFETY: the layout is not empty.
            1..HUGE_PAGE => NonNull::new(unsafe { allocate(layout) })?,
            _ => large::take(layout)?,
        };
        Some(HugePageBuffer { start: start.cast(), len: 0, capacity })
    }

    /// The start of the memory. A writer through it must not use this buffer otherwise.
    #[inline]
    pub(crate) fn start(&self) -> *mut T {
        self.start.as_ptr()
    }

    /// The number of items that fit.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Appends items.
    ///
    /// # Panics
    ///
    /// If the capacity does not suffice.
    #[inline]
    pub(crate) fn extend(&mut self, items: &[T]) {
        assert!(items.len() <= self.capacity - self.len, "there is room for what is added");
        // SAFETY: the items fit after the present ones, and do not overlap them, since this buffer
        // is borrowed exclusively.
        unsafe {
            let end = self.start.as_ptr().add(self.len);
            end.copy_from_nonoverlapping(items.as_ptr(), items.len());
        }
        self.len += items.len();
    }

    /// Counts more items behind the present ones.
    ///
    /// # Safety
    ///
    /// They were written there, and fit.
    #[inline]
    pub(crate) unsafe fn count(&mut self, items: usize) {
        debug_assert!(items <= self.capacity - self.len);
        self.len += items;
    }

    /// Keeps the first `len` items.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// A copy with another capacity, if there is memory for it.
    pub(crate) fn grown(&self, capacity: usize) -> Option<HugePageBuffer<T>> {
        let mut grown = HugePageBuffer::with_room(capacity.max(self.len))?;
        grown.extend(self);
        Some(grown)
    }

    /// A buffer of `length` zeros, if there is memory for them.
    pub(crate) fn zeros(length: usize) -> Option<HugePageBuffer<T>>
    where
        T: Zeroable,
    {
        let mut block = HugePageBuffer::allocated_by(length, alloc_zeroed)?;
        // All items are zero, which is a value of the type.
        block.len = length;
        Some(block)
    }
}

impl HugePageBuffer<u8> {
    /// Appends bytes, mostly few: short ones are copied in blocks, without a call.
    ///
    /// # Panics
    ///
    /// If the capacity does not suffice.
    #[inline(always)]
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        const BLOCK: usize = 16;
        const SHORT: usize = 8 * BLOCK;
        if !(BLOCK..=SHORT).contains(&bytes.len()) {
            return self.extend(bytes);
        }
        assert!(bytes.len() <= self.capacity - self.len, "there is room for what is added");
        let last = bytes.len() - BLOCK;
        // SAFETY: each block lies inside of the bytes, and of the room for them after the present
        // ones; that does not overlap the bytes, since this buffer is borrowed exclusively.
        unsafe {
            let (from, to) = (bytes.as_ptr(), self.start.as_ptr().add(self.len));
            let mut at = 0;
            while at < last {
                to.add(at).copy_from_nonoverlapping(from.add(at), BLOCK);
                at += BLOCK;
            }
            to.add(last).copy_from_nonoverlapping(from.add(last), BLOCK);
        }
        self.len += bytes.len();
    }
}

/// Memory aligned to huge pages, full of zeros.
///
/// It comes from the system and not from the allocator, since only untouched memory can be backed
/// by a huge page.
#[cfg(target_os = "linux")]
mod large {
    use super::{HUGE_PAGE, Layout, NonNull};

    /// Memory of this layout, at least a huge page; `None` if the system has not enough.
    pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
        let size = layout.size().checked_next_multiple_of(HUGE_PAGE)?;
        let more = size.checked_add(HUGE_PAGE)?;
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: a new mapping at an address that the system chooses.
        let found = unsafe { libc::mmap(std::ptr::null_mut(), more, access, kind, -1, 0) };
        if found == libc::MAP_FAILED {
            return None;
        }
        let found = found.cast::<u8>();
        let before = found.addr().next_multiple_of(HUGE_PAGE) - found.addr();
        let start = found.wrapping_add(before);
        // Unmap the parts before and after the aligned one.
        give_back(found, before);
        give_back(start.wrapping_add(size), more - before - size);
        let whole = layout.size() / HUGE_PAGE * HUGE_PAGE;
        // SAFETY: the pages are mapped here, and the advice does not change their contents. A
        // refusal has no effect.
        unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
        NonNull::new(start)
    }

    /// Frees memory that was taken with this layout.
    pub(super) fn give(start: NonNull<u8>, layout: Layout) {
        give_back(start.as_ptr(), layout.size().next_multiple_of(HUGE_PAGE));
    }

    fn give_back(start: *mut u8, size: usize) {
        if size > 0 {
            // SAFETY: whole pages of a mapping made here, without references to them.
            unsafe { libc::munmap(start.cast(), size) };
        }
    }
}

/// The same by the allocator.
#[cfg(not(target_os = "linux"))]
mod large {
    use super::{HUGE_PAGE, Layout, NonNull};

    /// Memory of this layout, at least a huge page; `None` if the system has not enough.
    pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
        let layout = layout.align_to(HUGE_PAGE).ok()?;
        // SAFETY: the layout is not empty.
        NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
    }

    /// Frees memory that was taken with this layout.
    pub(super) fn give(start: NonNull<u8>, layout: Layout) {
        let layout = layout.align_to(HUGE_PAGE).expect("it was laid out before");
        // SAFETY: the memory was allocated with this layout.
        unsafe { std::alloc::dealloc(start.as_ptr(), layout) };
    }
}

impl<T: Copy> Deref for HugePageBuffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` items are initialised.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Copy> DerefMut for HugePageBuffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the first `len` items are initialised.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Copy> Clone for HugePageBuffer<T> {
    fn clone(&self) -> HugePageBuffer<T> {
        self.grown(self.capacity).unwrap_or_else(|| {
            let layout = Layout::array::<T>(self.capacity).expect("it was laid out before");
            handle_alloc_error(layout)
        })
    }
}

impl<T: Copy> Drop for HugePageBuffer<T> {
    fn drop(&mut self) {
        let layout = Layout::array::<T>(self.capacity).expect("it was laid out before");
        match layout.size() {
            0 => {}
            // SAFETY: the memory was allocated with this layout.
            1..HUGE_PAGE => unsafe { dealloc(self.start.as_ptr().cast(), layout) },
            _ => large::give(self.start.cast(), layout),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_it_is_given() {
        for capacity in [0, 1, 100, HUGE_PAGE / 4 - 1, HUGE_PAGE / 4, HUGE_PAGE] {
            let mut block = HugePageBuffer::with_room(capacity).expect("there is memory");
            let items: Vec<u32> = (0..capacity as u32).collect();
            for part in items.chunks(70_001) {
                block.extend(part);
            }
            assert_eq!((block.capacity(), &block[..]), (capacity, &items[..]));
            let mut other = block.clone();
            other.truncate(capacity / 2);
            assert_eq!(other[..], items[..capacity / 2]);
            let grown = other.grown(2 * capacity).expect("there is memory");
            assert_eq!((grown.capacity(), &grown[..]), (2 * capacity, &items[..capacity / 2]));
        }
    }

    #[test]
    fn zeros_are_zero_and_can_be_changed() {
        for length in [0, 7, HUGE_PAGE / 8, HUGE_PAGE / 2 + 1] {
            let mut block: HugePageBuffer<u64> =
                HugePageBuffer::zeros(length).expect("there is memory");
            assert_eq!(block.len(), length);
            assert!(block.iter().all(|&zero| zero == 0));
            if let Some(last) = block.last_mut() {
                *last = 5;
            }
            assert_eq!(block.iter().sum::<u64>(), if length == 0 { 0 } else { 5 });
        }
    }

    #[test]
    fn large_blocks_begin_where_a_huge_page_does() {
        let block: HugePageBuffer<u8> =
            HugePageBuffer::with_room(HUGE_PAGE).expect("there is memory");
        assert_eq!(block.start.addr().get() % HUGE_PAGE, 0);
    }

    #[test]
    fn too_much_memory_is_not_there() {
        assert!(HugePageBuffer::<u64>::with_room(usize::MAX / 8).is_none());
        assert!(HugePageBuffer::<u64>::zeros(usize::MAX / 64).is_none());
    }

    #[test]
    #[should_panic(expected = "there is room for what is added")]
    fn nothing_is_written_where_there_is_no_room() {
        HugePageBuffer::with_room(3).expect("there is memory").extend(&[0_u8; 4]);
    }
}
