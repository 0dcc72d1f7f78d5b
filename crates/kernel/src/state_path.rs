//! Paths of states, each encoded as its difference from the state before it.
//!
//! A depth-first search can find a path of millions of states. A step changes few bytes, so such a
//! path takes some bytes for each state, however long the states are. Each `SPACING`th state is
//! kept in full, so that any state can be read without reading all those before it.
//!
//! A state in full is its length and its bytes. A difference is a number of patches, and for each
//! the number of unchanged bytes before it, its length, and its bytes. If the length of the state
//! changes, it is `REPLACED`, the lengths of the common start and of the common end, and the bytes
//! between them. Numbers after the first one of a difference have seven bits in each byte.
//!
//! Promises: equal paths have equal encodings.

use std::fmt;

/// The distance between two states in full.
const SPACING: usize = 256;
/// The number of patches that stands for a state of another length, or with too many patches.
const REPLACED: u8 = u8::MAX;
/// A patch includes up to this many unchanged bytes: another patch takes as many.
const GAP: usize = 2;

/// The states of a path, in order.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct StatePath {
    /// The encoded states.
    encoded: Vec<u8>,
    /// The positions of the states in full.
    full: Vec<usize>,
    /// The number of states.
    len: usize,
    /// The last state.
    last: Vec<u8>,
}

impl StatePath {
    /// A path without states.
    pub fn new() -> StatePath {
        StatePath::default()
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of transitions between the states.
    pub fn transitions(&self) -> usize {
        self.len.saturating_sub(1)
    }

    /// The first state.
    pub fn first(&self) -> Option<&[u8]> {
        (self.len > 0).then(|| read_full(&self.encoded, &mut 0))
    }

    /// The last state.
    pub fn last(&self) -> Option<&[u8]> {
        (self.len > 0).then_some(&*self.last)
    }

    /// The state of this number, if there is one.
    pub fn get(&self, at: usize) -> Option<Vec<u8>> {
        let mut states = self.cursor_from(at);
        states.advance()?;
        Some(states.state)
    }

    /// Appends a state.
    pub fn push(&mut self, state: &[u8]) {
        if self.len.is_multiple_of(SPACING) {
            self.full.push(self.encoded.len());
            push_number(&mut self.encoded, state.len());
            self.encoded.extend_from_slice(state);
        } else {
            push_difference(&mut self.encoded, &self.last, state);
        }
        self.len += 1;
        self.last.clear();
        self.last.extend_from_slice(state);
    }

    /// Removes the last state, and returns it.
    pub fn pop(&mut self) -> Option<Vec<u8>> {
        let before = self.len.checked_sub(1)?;
        let last = std::mem::take(&mut self.last);
        self.truncate(before);
        Some(last)
    }

    /// Removes all states but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        let Some(last) = len.checked_sub(1) else {
            *self = StatePath::new();
            return;
        };
        if len < self.len {
            let mut kept = self.cursor_from(last);
            kept.advance();
            let (state, end) = (kept.state, kept.position);
            (self.len, self.last) = (len, state);
            self.encoded.truncate(end);
            self.full.truncate(len.div_ceil(SPACING));
        }
    }

    /// Appends the states of another path.
    pub fn append(&mut self, other: &StatePath) {
        let mut states = other.cursor();
        while let Some(state) = states.advance() {
            self.push(state);
        }
    }

    /// A part of the path: the states from number `from` on, without those from `to` on.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> StatePath {
        let mut part = StatePath::new();
        let mut states = self.cursor_from(from);
        for _ in from..to {
            let Some(state) = states.advance() else { break };
            part.push(state);
        }
        part
    }

    /// The path with each state replaced by a part of it.
    #[must_use]
    pub fn map(&self, part: impl Fn(&[u8]) -> &[u8]) -> StatePath {
        let mut mapped = StatePath::new();
        let mut states = self.cursor();
        while let Some(state) = states.advance() {
            mapped.push(part(state));
        }
        mapped
    }

    /// Reads the states in order, into one buffer.
    pub fn cursor(&self) -> StateCursor<'_> {
        self.cursor_from(0)
    }

    /// Reads the states from number `at` on.
    pub fn cursor_from(&self, at: usize) -> StateCursor<'_> {
        let block = at.min(self.len) / SPACING;
        let position = self.full.get(block).copied().unwrap_or(self.encoded.len());
        let mut cursor =
            StateCursor { path: self, at: block * SPACING, position, state: Vec::new() };
        while cursor.at < at && cursor.advance().is_some() {}
        cursor
    }

    /// Reads pairs of consecutive states.
    pub fn pairs(&self) -> StatePairs<'_> {
        let mut next = self.cursor();
        next.advance();
        StatePairs { next, from: Vec::new() }
    }

    /// The states, each in memory of its own.
    pub fn iter(&self) -> StatePathIter<'_> {
        StatePathIter(self.cursor())
    }

    /// Memory held.
    pub fn bytes(&self) -> usize {
        self.encoded.capacity() + self.full.capacity() * size_of::<usize>() + self.last.capacity()
    }
}

impl fmt::Debug for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<S: AsRef<[u8]>> Extend<S> for StatePath {
    fn extend<I: IntoIterator<Item = S>>(&mut self, states: I) {
        states.into_iter().for_each(|state| self.push(state.as_ref()));
    }
}

impl<S: AsRef<[u8]>> FromIterator<S> for StatePath {
    fn from_iter<I: IntoIterator<Item = S>>(states: I) -> StatePath {
        let mut path = StatePath::new();
        path.extend(states);
        path
    }
}

impl<'p> IntoIterator for &'p StatePath {
    type Item = Vec<u8>;
    type IntoIter = StatePathIter<'p>;

    fn into_iter(self) -> StatePathIter<'p> {
        self.iter()
    }
}

/// Reads the states of a path in order.
#[derive(Clone, Debug)]
pub struct StateCursor<'p> {
    path: &'p StatePath,
    /// The number of the next state, and its position.
    at: usize,
    position: usize,
    /// The state before it.
    state: Vec<u8>,
}

impl StateCursor<'_> {
    /// The next state.
    pub fn advance(&mut self) -> Option<&[u8]> {
        if self.at >= self.path.len {
            return None;
        }
        let encoded = &self.path.encoded;
        if self.at.is_multiple_of(SPACING) {
            self.state.clear();
            self.state.extend_from_slice(read_full(encoded, &mut self.position));
        } else {
            apply_difference(encoded, &mut self.position, &mut self.state);
        }
        self.at += 1;
        Some(&self.state)
    }
}

/// Reads pairs of consecutive states of a path.
#[derive(Clone, Debug)]
pub struct StatePairs<'p> {
    /// Has read the first state of the next pair.
    next: StateCursor<'p>,
    /// The first state of the last pair.
    from: Vec<u8>,
}

impl StatePairs<'_> {
    /// The next pair.
    pub fn advance(&mut self) -> Option<(&[u8], &[u8])> {
        self.from.clone_from(&self.next.state);
        Some((&self.from, self.next.advance()?))
    }
}

/// The states of a path, each in memory of its own.
#[derive(Clone, Debug)]
pub struct StatePathIter<'p>(StateCursor<'p>);

impl Iterator for StatePathIter<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        self.0.advance().map(<[u8]>::to_vec)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.path.len - self.0.at.min(self.0.path.len);
        (left, Some(left))
    }
}

impl ExactSizeIterator for StatePathIter<'_> {}

fn push_number(encoded: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        encoded.push(number as u8 | 0x80);
        number >>= 7;
    }
    encoded.push(number as u8);
}

fn read_number(encoded: &[u8], position: &mut usize) -> usize {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = encoded[*position];
        *position += 1;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

fn read_bytes<'e>(encoded: &'e [u8], position: &mut usize, length: usize) -> &'e [u8] {
    *position += length;
    &encoded[*position - length..*position]
}

fn read_full<'e>(encoded: &'e [u8], position: &mut usize) -> &'e [u8] {
    let length = read_number(encoded, position);
    read_bytes(encoded, position, length)
}

fn push_difference(encoded: &mut Vec<u8>, before: &[u8], state: &[u8]) {
    let start = encoded.len();
    if before.len() == state.len() && push_patches(encoded, before, state) {
        return;
    }
    encoded.truncate(start);
    let most = before.len().min(state.len());
    let prefix = first_difference(&before[..most], &state[..most], 0).unwrap_or(most);
    let ends = before[prefix..].iter().rev().zip(state[prefix..].iter().rev());
    let suffix = ends.take_while(|(before, now)| before == now).count();
    let middle = &state[prefix..state.len() - suffix];
    encoded.push(REPLACED);
    push_number(encoded, prefix);
    push_number(encoded, suffix);
    push_number(encoded, middle.len());
    encoded.extend_from_slice(middle);
}

/// Returns whether there are few enough patches.
fn push_patches(encoded: &mut Vec<u8>, before: &[u8], state: &[u8]) -> bool {
    let count = encoded.len();
    encoded.push(0);
    let mut done = 0;
    while let Some(from) = first_difference(before, state, done) {
        let mut to = from + 1;
        while let Some(more) =
            (to..state.len().min(to + GAP + 1)).find(|&at| before[at] != state[at])
        {
            to = more + 1;
        }
        encoded[count] += 1;
        if encoded[count] == REPLACED {
            return false;
        }
        push_number(encoded, from - done);
        push_number(encoded, to - from);
        encoded.extend_from_slice(&state[from..to]);
        done = to;
    }
    true
}

/// The first position from `from` on where two states of equal length differ.
fn first_difference(before: &[u8], state: &[u8], from: usize) -> Option<usize> {
    let (before, state) = (&before[from..], &state[from..]);
    let chunks = before.as_chunks::<16>().0.iter().zip(state.as_chunks::<16>().0);
    let same = chunks.take_while(|(before, now)| before == now).count() * 16;
    (same..state.len()).find(|&at| before[at] != state[at]).map(|at| from + at)
}

/// Replaces a state by the one after it.
fn apply_difference(encoded: &[u8], position: &mut usize, state: &mut Vec<u8>) {
    let count = encoded[*position];
    *position += 1;
    if count == REPLACED {
        let prefix = read_number(encoded, position);
        let suffix = read_number(encoded, position);
        let length = read_number(encoded, position);
        let middle = read_bytes(encoded, position, length);
        let end = state.len() - suffix;
        state.splice(prefix..end, middle.iter().copied());
        return;
    }
    let mut done = 0;
    for _ in 0..count {
        let from = done + read_number(encoded, position);
        let length = read_number(encoded, position);
        done = from + length;
        state[from..done].copy_from_slice(read_bytes(encoded, position, length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    /// States of a random run: some bytes change, and sometimes bytes are inserted or removed.
    fn random_run(seed: u64, len: usize) -> Vec<Vec<u8>> {
        let mut random = SplitMix64::new(seed);
        let mut next = move |below: usize| (random.next_u64() % below.max(1) as u64) as usize;
        let mut state = vec![0_u8; next(700)];
        (0..len)
            .map(|_| {
                match next(8) {
                    0 => {
                        let at = next(state.len() + 1);
                        state.splice(at..at, std::iter::repeat_n(7, next(300)));
                    }
                    1 => {
                        let from = next(state.len() + 1);
                        state.drain(from..(from + next(300)).min(state.len()));
                    }
                    2 if next(30) == 0 => state.iter_mut().for_each(|byte| *byte ^= next(2) as u8),
                    _ => {
                        for _ in 0..next(4).min(state.len()) {
                            let at = next(state.len());
                            state[at] = next(256) as u8;
                        }
                    }
                }
                state.clone()
            })
            .collect()
    }

    #[test]
    fn states_are_read_as_they_were_written() {
        for seed in 0..40 {
            let states = random_run(seed, [0, 1, 2, SPACING, 3 * SPACING + 5][seed as usize % 5]);
            let path: StatePath = states.iter().collect();
            assert_eq!((path.len(), path.is_empty()), (states.len(), states.is_empty()));
            assert_eq!(path.first(), states.first().map(|state| &**state));
            assert_eq!(path.last(), states.last().map(|state| &**state));
            assert!(path.iter().eq(states.iter().cloned()));
            for at in (0..states.len() + 2).step_by(97) {
                assert_eq!(path.get(at), states.get(at).cloned());
                let rest = states.get(at..).unwrap_or_default();
                assert_eq!(path.part(at, usize::MAX), rest.iter().collect());
            }
            let (mut pairs, mut windows) = (path.pairs(), states.windows(2));
            while let Some((from, to)) = pairs.advance() {
                assert_eq!(windows.next(), Some(&[from.to_vec(), to.to_vec()][..]));
            }
            assert_eq!(windows.next(), None);
        }
    }

    #[test]
    fn a_path_of_which_states_were_removed_equals_one_without_them() {
        let states = random_run(3, 2 * SPACING + 3);
        let whole: StatePath = states.iter().collect();
        for len in [2 * SPACING + 3, 2 * SPACING + 2, 2 * SPACING, SPACING + 1, SPACING, 1, 0] {
            let mut path = whole.clone();
            path.truncate(len);
            assert_eq!(path, states[..len].iter().collect(), "{len}");
            assert_eq!(path.pop(), states[..len].last().cloned());
            path.append(&whole);
            let before = &states[..len.saturating_sub(1)];
            assert_eq!(path, before.iter().chain(&states).collect(), "{len}");
        }
        let empty = whole.map(|_| &[]);
        assert_eq!((empty.len(), empty.get(SPACING)), (states.len(), Some(Vec::new())));
    }

    #[test]
    fn a_long_path_of_small_changes_takes_a_few_bytes_for_each_state() {
        let mut state = vec![0_u8; 1000];
        let mut path = StatePath::new();
        for step in 0..100_000_usize {
            state[step % 900] = state[step % 900].wrapping_add(1);
            state[996..].copy_from_slice(&(step as u32).to_be_bytes());
            path.push(&state);
        }
        // Two patches of a byte or two, and 4 bytes for the states in full.
        assert!(path.encoded.len() < 14 * path.len(), "{}", path.encoded.len());
    }
}
