//! Atomic words in a buffer of huge pages, zero at first.
#![allow(unsafe_code, reason = "untyped zeros are used as atomic words")]

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use super::super::huge_page_buffer::HugePageBuffer;

/// Words that threads read and write at once.
#[derive(Debug)]
pub(crate) struct AtomicWords {
    /// The memory, which is read and written through atomic words only.
    memory: HugePageBuffer<u64>,
    length: usize,
}

impl AtomicWords {
    /// Zeros, if there is memory for them.
    pub(crate) fn zeros(length: usize) -> Option<AtomicWords> {
        Some(AtomicWords { memory: HugePageBuffer::zeros(length)?, length })
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.length * size_of::<AtomicU64>()
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the memory has this many words, and atomic words have the size and the alignment
        // of words. Nothing else refers to it while this value lives.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast(), self.length) }
    }
}
