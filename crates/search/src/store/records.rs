//! The records of hashed stores: the stored states, encoded, numbered from 0.

use beeline_kernel::Successors;

use super::arena::StateArena;
use super::probes::ProbeBatch;

/// The stored states, in the order of insertion. Equal states have equal encodings.
pub trait StateRecords {
    /// A state in the form in which it is stored and compared.
    type Encoding<'e>: Copy + AsRef<[u8]>;

    /// No records.
    fn new() -> Self;

    /// The encoding of a state, in the buffer if necessary, and its hash.
    fn encode<'e>(
        &self,
        state: &'e [u8],
        buffer: &'e mut EncodingBuffer,
    ) -> (Self::Encoding<'e>, u64);

    /// Starts a probe of each successor: hash, slot and, if encodings differ from states, the
    /// encoding. `slot` maps hashes to slots.
    fn probe_all(
        &self,
        successors: &Successors,
        batch: &mut ProbeBatch,
        slot: impl Fn(u64) -> usize,
    );

    /// The encoding of a successor that was probed. `None` if encodings have changed since.
    fn probed<'e>(
        &self,
        state: &'e [u8],
        at: usize,
        batch: &'e ProbeBatch,
    ) -> Option<Self::Encoding<'e>>;

    /// The arena, if the records are the states in full, so that those of one length can be read and
    /// written without encoding.
    fn states(&self) -> Option<&StateArena> {
        None
    }

    /// The same, for writing.
    fn states_mut(&mut self) -> Option<&mut StateArena> {
        None
    }

    /// Whether a record equals an encoding.
    fn is_match(&self, index: usize, encoding: Self::Encoding<'_>) -> bool;

    /// Prefetches a record.
    fn prefetch(&self, index: usize);

    /// Whether a [`push`](StateRecords::push) needs neither [`adapt`](StateRecords::adapt) nor
    /// [`reserve`](StateRecords::reserve) before it.
    fn has_room(&self, encoding: Self::Encoding<'_>) -> bool;

    /// Adapts the encoding to the states so far, using at most `room` bytes more, before an
    /// encoding is added. Returns whether all records and their hashes have changed. The bytes of
    /// the encoding are then those of the full state, which has to be encoded again.
    fn adapt(&mut self, encoding: Self::Encoding<'_>, room: usize) -> bool;

    /// An upper bound on the memory that [`push`](StateRecords::push) allocates.
    fn growth(&self, encoding: Self::Encoding<'_>) -> usize;

    /// Allocates memory for an encoding, at most `room` bytes, unless there is enough. Returns
    /// whether there is enough now.
    fn reserve(&mut self, encoding: Self::Encoding<'_>, room: usize) -> bool;

    /// Appends a record, for which memory is reserved.
    fn push(&mut self, encoding: Self::Encoding<'_>);

    /// A stored state, decoded if necessary.
    fn open(&mut self, index: usize) -> &[u8];

    /// Writes a stored state, replacing what is in `state`.
    fn load(&self, index: usize, state: &mut Vec<u8>);

    /// The hashes of all records.
    fn hashes(&self) -> impl Iterator<Item = u64>;

    /// The number of records.
    fn len(&self) -> usize;

    /// The length of the longest state.
    fn longest(&self) -> usize;

    /// Memory held, without buffers for reuse.
    fn bytes(&self) -> usize;
}

/// Bytes of a state that is encoded on the stack.
const SHORT: usize = 256;

/// Memory for one encoding: on the stack for short states.
#[derive(Debug)]
pub struct EncodingBuffer {
    short: [u8; SHORT],
    long: Vec<u8>,
}

impl EncodingBuffer {
    /// A buffer without heap memory.
    #[inline]
    pub(super) fn new() -> EncodingBuffer {
        EncodingBuffer { short: [0; SHORT], long: Vec::new() }
    }

    /// At least `length` bytes.
    #[inline]
    pub(super) fn of_length(&mut self, length: usize) -> &mut [u8] {
        if length <= SHORT {
            return &mut self.short;
        }
        self.long.resize(length, 0);
        &mut self.long
    }
}
