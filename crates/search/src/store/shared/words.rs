//! Atomic words in one buffer, zero at first.
#![allow(unsafe_code, reason = "untyped zeros are used as atomic words")]

use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use super::super::huge_page_buffer::HugePageBuffer;
use super::super::memory;

/// Words that threads read and write at once.
#[derive(Debug)]
pub(crate) struct AtomicWords(Words);

#[derive(Debug)]
enum Words {
    /// In huge pages. The memory is read and written through atomic words only.
    Huge(HugePageBuffer<u64>),
    /// In pages of the usual size.
    Usual(Vec<AtomicU64>),
}

impl AtomicWords {
    /// Zeros in huge pages, for a table that will be filled, if there is memory for them.
    pub(crate) fn zeros(length: usize) -> Option<AtomicWords> {
        Some(AtomicWords(Words::Huge(HugePageBuffer::zeros(length)?)))
    }

    /// Zeros of which few may be used: then they take little memory.
    pub(crate) fn sparse_zeros(length: usize) -> Option<AtomicWords> {
        let mut zeros = ManuallyDrop::new(memory::zeros(length)?);
        let (start, length, capacity) = (zeros.as_mut_ptr(), zeros.len(), zeros.capacity());
        // SAFETY: atomic words have the size and the alignment of words, and the vector is not used
        // otherwise.
        let words = unsafe { Vec::from_raw_parts(start.cast(), length, capacity) };
        Some(AtomicWords(Words::Usual(words)))
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[AtomicU64]>(self)
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        match &self.0 {
            // SAFETY: the memory has this many words, and atomic words have the size and the
            // alignment of words. Nothing else refers to it while this value lives.
            Words::Huge(memory) => unsafe {
                std::slice::from_raw_parts(memory.start().cast(), memory.capacity())
            },
            Words::Usual(words) => words,
        }
    }
}
