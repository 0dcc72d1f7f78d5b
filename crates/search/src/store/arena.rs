//! The bytes of all states, one after the other, in chunks that never move.
//!
//! A state lies in one chunk. Its place is one number, chunk and offset; its end
//! is where the next state begins or, for the last state of a chunk, where the
//! chunk ends: so a state of any length costs eight bytes beside its own.

use super::pages::Pages;

/// What a chunk holds. A longer state gets a chunk of its own.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 20;
/// What the first chunk starts with.
const FIRST: usize = 1 << 10;

/// States of varying length, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    chunks: Vec<Vec<u8>>,
    starts: Pages<u64>,
    chunk_bytes: usize,
}

impl Arena {
    /// An empty arena.
    pub(crate) fn new() -> Arena {
        Arena { chunks: Vec::new(), starts: Pages::new(), chunk_bytes: 0 }
    }

    /// How much memory it will take to [`push`](Arena::push) a state of this length.
    pub(crate) fn growth(&self, length: usize) -> usize {
        self.starts.growth() + self.chunk_growth(length)
    }

    fn chunk_growth(&self, length: usize) -> usize {
        match self.chunks.last() {
            Some(last) if fits(last, length) => {
                let needed = last.len() + length;
                if needed <= last.capacity() {
                    0
                } else {
                    needed.max(2 * last.capacity()).min(CHUNK) - last.capacity()
                }
            }
            Some(_) => length.max(CHUNK),
            None => length.max(FIRST),
        }
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u8]) {
        let growth = self.chunk_growth(state.len());
        match self.chunks.last_mut() {
            Some(last) if fits(last, state.len()) => {
                let spare = last.capacity() - last.len();
                last.reserve_exact(spare + growth);
            }
            _ => self.chunks.push(Vec::with_capacity(growth)),
        }
        self.chunk_bytes += growth;
        let at = self.chunks.len() - 1;
        self.starts.push(((at as u64) << CHUNK_BITS) | self.chunks[at].len() as u64);
        self.chunks[at].extend_from_slice(state);
    }

    /// The state with this number.
    #[inline]
    pub(crate) fn state(&self, index: usize) -> &[u8] {
        let (chunk, start) = place(self.starts.at(index));
        let bytes = &self.chunks[chunk];
        if index + 1 < self.starts.len() {
            let (next_chunk, end) = place(self.starts.at(index + 1));
            if next_chunk == chunk {
                return &bytes[start..end];
            }
        }
        &bytes[start..]
    }

    /// Where a state begins: a number to read ahead, with no other meaning.
    #[inline]
    pub(crate) fn start(&self, index: usize) -> u64 {
        self.starts.at(index)
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.chunk_bytes + self.starts.bytes()
    }
}

/// Whether a chunk has room for a state. A full chunk has no room even for an
/// empty state, whose offset would not be one.
fn fits(chunk: &[u8], length: usize) -> bool {
    chunk.len() < CHUNK && chunk.len() + length <= CHUNK
}

fn place(start: u64) -> (usize, usize) {
    ((start >> CHUNK_BITS) as usize, start as usize & (CHUNK - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: &[usize]) {
        let mut arena = Arena::new();
        for (n, &length) in lengths.iter().enumerate() {
            let (before, growth) = (arena.bytes(), arena.growth(length));
            arena.push(&vec![n as u8; length]);
            assert_eq!(arena.bytes(), before + growth);
        }
        assert_eq!(arena.len(), lengths.len());
        for (n, &length) in lengths.iter().enumerate() {
            assert_eq!(arena.state(n), vec![n as u8; length], "state {n} of {lengths:?}");
        }
        let held: usize = arena.chunks.iter().map(Vec::capacity).sum();
        assert_eq!(arena.chunk_bytes, held);
    }

    #[test]
    fn keeps_states_of_any_length() {
        check(&[]);
        check(&[0]);
        check(&[0, 0, 3, 0, 1, 200, 0]);
        check(&[3000; 1500]);
    }

    #[test]
    fn an_empty_state_behind_a_full_chunk_is_empty() {
        check(&[CHUNK, 0, 5]);
        check(&[CHUNK - 1, 1, 0, 0, CHUNK - 1, 2]);
    }

    #[test]
    fn a_state_longer_than_a_chunk_gets_its_own() {
        check(&[2 * CHUNK + 7, 1, 3 * CHUNK, 0, 0]);
        check(&[10, CHUNK + 1, 10]);
    }
}
