//! Zero elision: states without the bytes that are zero in all of them. In long states these are
//! many, since channels are rarely full.
//!
//! The elided form of a state is the number of an [`Elision`] and the bytes that it keeps. States of
//! one length mostly have the same elision. A state with another nonzero byte gets a wider one,
//! which later states use, too; so states soon agree, and their elided forms have equal lengths.
//!
//! Kept and elided bytes come in pieces of at least a word. So both are read as whole words, some of
//! which overlap, without a branch on the contents. Source: ours.

use std::ops::Range;

use super::hash::word;

/// Bytes of a word.
const WORD: usize = size_of::<u64>();
/// The number of the elision that keeps everything.
const WHOLE: u8 = 0;
/// Bytes of the number in front of an elided form.
const HEADER: usize = 1;

/// The greatest length of the elided form of a state of this length.
#[inline]
pub(super) fn most(length: usize) -> usize {
    HEADER + length
}

/// The bytes of states of one length that are kept.
#[derive(Clone, Debug, Default)]
struct Elision {
    length: usize,
    /// The pieces that are kept.
    kept: Vec<Range<usize>>,
    /// The words of these pieces.
    words: Vec<KeptWord>,
    /// Offsets of the words that are elided, and must be zero.
    zeros: Vec<u32>,
    /// Length of the elided form.
    size: usize,
}

/// Offsets of a word that is kept.
#[derive(Clone, Copy, Debug)]
struct KeptWord {
    in_state: u32,
    in_form: u32,
}

impl Elision {
    /// Keeps the bytes that `keeps` accepts, and gaps between them that are too short for a piece.
    /// `None` if nothing is elided.
    fn new(length: usize, keeps: impl Fn(usize) -> bool) -> Option<Elision> {
        // Too short for both a kept and an elided piece.
        if length < 2 * WORD {
            return None;
        }
        let kept = pieces(length, keeps);
        let mut elision = Elision { length, size: HEADER, ..Elision::default() };
        let mut before = 0;
        for &Range { start, end } in &kept {
            elision.zeros.extend(words(before, start).map(|at| at as u32));
            let offset = |at: usize| (at - start + elision.size) as u32;
            elision.words.extend(
                words(start, end).map(|at| KeptWord { in_state: at as u32, in_form: offset(at) }),
            );
            elision.size += end - start;
            before = end;
        }
        elision.zeros.extend(words(before, length).map(|at| at as u32));
        elision.kept = kept;
        (!elision.zeros.is_empty()).then_some(elision)
    }

    /// Whether all elided bytes are zero.
    #[inline]
    fn fits(&self, state: &[u8]) -> bool {
        self.zeros.iter().fold(0, |all, &at| all | word(state, at as usize)) == 0
    }

    /// Memory held.
    fn bytes(&self) -> usize {
        let Elision { kept, words, zeros, .. } = self;
        size_of::<Elision>()
            + size_of_val(&kept[..])
            + size_of_val(&words[..])
            + size_of_val(&zeros[..])
    }
}

/// Pieces of at least a word that cover the bytes that `keeps` accepts. Gaps between them, and
/// before and after them, have at least a word, too.
fn pieces(length: usize, keeps: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for at in (0..length).filter(|&at| keeps(at)) {
        let start = if at < WORD { 0 } else { at.min(length - WORD) };
        let end = if at + WORD + WORD > length { length } else { at + WORD };
        match pieces.last_mut() {
            Some(last) if at < last.end => {}
            Some(last) if start < last.end + WORD => {
                last.end = if at + 1 + WORD > length { length } else { at + 1 };
            }
            _ => pieces.push(start..end),
        }
    }
    pieces
}

/// The offsets of the words of a piece: consecutive ones, and a last one that ends with the piece.
fn words(begin: usize, end: usize) -> impl Iterator<Item = usize> {
    let last = (end > begin).then(|| end - WORD);
    (begin..end.saturating_sub(WORD)).step_by(WORD).chain(last)
}

/// All elisions of a store.
#[derive(Clone, Debug)]
pub(super) struct ZeroElision {
    /// The first one keeps everything, and is never read.
    all: Vec<Elision>,
    /// The latest elision of each length, ordered by length.
    latest: Vec<ElisionOfLength>,
    /// The elision of the last state.
    last: ElisionOfLength,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct ElisionOfLength {
    length: usize,
    number: u8,
}

impl ZeroElision {
    /// Elisions for these states.
    pub(super) fn of<'s>(states: impl Iterator<Item = &'s [u8]>) -> ZeroElision {
        let mut seen: Vec<Vec<bool>> = Vec::new();
        for state in states {
            let own = match seen.binary_search_by_key(&state.len(), Vec::len) {
                Ok(own) => own,
                Err(own) => {
                    seen.insert(own, vec![false; state.len()]);
                    own
                }
            };
            seen[own].iter_mut().zip(state).for_each(|(seen, &byte)| *seen |= byte != 0);
        }
        let mut elisions = ZeroElision {
            all: vec![Elision::default()],
            latest: Vec::new(),
            last: ElisionOfLength { length: usize::MAX, number: WHOLE },
            bytes: size_of::<ZeroElision>(),
        };
        for seen in seen {
            let number = elisions.add(Elision::new(seen.len(), |at| seen[at]));
            elisions.latest.push(ElisionOfLength { length: seen.len(), number });
        }
        elisions
    }

    /// Adds an elision, if there is one and a free number. Returns its number.
    fn add(&mut self, elision: Option<Elision>) -> u8 {
        match (elision, u8::try_from(self.all.len())) {
            (Some(elision), Ok(number)) => {
                self.bytes += elision.bytes();
                self.all.push(elision);
                number
            }
            _ => WHOLE,
        }
    }

    /// Writes the elided form of a state to the beginning of a buffer, which grows if need be.
    pub(super) fn write<'b>(&mut self, state: &[u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        if buffer.len() < most(state.len()) {
            buffer.resize(most(state.len()), 0);
        }
        let number = self.number_for(state);
        buffer[0] = number;
        if number == WHOLE {
            buffer[HEADER..most(state.len())].copy_from_slice(state);
            return &buffer[..most(state.len())];
        }
        let elision = &self.all[usize::from(number)];
        let form = &mut buffer[..elision.size];
        for &KeptWord { in_state, in_form } in &elision.words {
            let to = in_form as usize;
            form[to..to + WORD].copy_from_slice(&word(state, in_state as usize).to_le_bytes());
        }
        form
    }

    /// The number of the elision for a state.
    #[inline]
    fn number_for(&mut self, state: &[u8]) -> u8 {
        let ElisionOfLength { length, number } = self.last;
        if length == state.len() && self.all[usize::from(number)].fits(state) {
            return number;
        }
        self.find_or_add(state)
    }

    #[cold]
    fn find_or_add(&mut self, state: &[u8]) -> u8 {
        let length = state.len();
        let number = match self.latest.binary_search_by_key(&length, |one| one.length) {
            Ok(at) => {
                let number = self.latest[at].number;
                let elision = &self.all[usize::from(number)];
                if number != WHOLE && !elision.fits(state) {
                    let keeps = |at| state[at] != 0 || covers(&elision.kept, at);
                    self.latest[at].number = self.add(Elision::new(length, keeps));
                }
                self.latest[at].number
            }
            Err(at) => {
                // Starts with the elision of a similar length, since the beginnings of such states
                // are alike.
                let near = self.latest.get(at).or(self.latest.last());
                let near = near.map(|near| &self.all[usize::from(near.number)]);
                let keeps =
                    |at| near.is_none_or(|near| covers(&near.kept, at) || at >= near.length);
                let number = self.add(Elision::new(length, |at| state[at] != 0 || keeps(at)));
                self.latest.insert(at, ElisionOfLength { length, number });
                number
            }
        };
        self.last = ElisionOfLength { length, number };
        number
    }

    /// Writes the state of an elided form, replacing what is in `state`.
    pub(super) fn read(&self, form: &[u8], state: &mut Vec<u8>) {
        state.clear();
        let number = form[0];
        if number == WHOLE {
            state.extend_from_slice(&form[HEADER..]);
            return;
        }
        let elision = &self.all[usize::from(number)];
        state.resize(elision.length, 0);
        for &KeptWord { in_state, in_form } in &elision.words {
            let to = in_state as usize;
            state[to..to + WORD].copy_from_slice(&word(form, in_form as usize).to_le_bytes());
        }
    }

    /// Whether an elided form is that of a state.
    #[inline]
    pub(super) fn is_of(&self, form: &[u8], state: &[u8]) -> bool {
        let number = form[0];
        if number == WHOLE {
            return form[HEADER..] == *state;
        }
        let elision = &self.all[usize::from(number)];
        if elision.length != state.len() {
            return false;
        }
        let differ = |all, &KeptWord { in_state, in_form }: &KeptWord| {
            all | (word(state, in_state as usize) ^ word(form, in_form as usize))
        };
        elision.words.iter().fold(0, differ) == 0 && elision.fits(state)
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Whether a byte lies in one of these pieces.
fn covers(pieces: &[Range<usize>], at: usize) -> bool {
    pieces.iter().any(|piece| piece.contains(&at))
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// A state with random values at some of the used positions.
    fn state(rng: &mut SplitMix64, length: usize, used: &[usize]) -> Vec<u8> {
        let mut state = vec![0; length];
        for &at in used.iter().filter(|&&at| at < length) {
            state[at] = if rng.below(2) == 0 { rng.next_u64() as u8 } else { 0 };
        }
        state
    }

    fn check(
        elisions: &mut ZeroElision,
        rng: &mut SplitMix64,
        state: &mut [u8],
        buffer: &mut Vec<u8>,
    ) {
        let form = elisions.write(state, buffer).to_vec();
        assert!(form.len() <= most(state.len()));
        let mut read_back = vec![7];
        elisions.read(&form, &mut read_back);
        assert_eq!(read_back, state);
        assert!(elisions.is_of(&form, state));
        assert!(!elisions.is_of(&form, &[&*state, &[0]].concat()));
        if !state.is_empty() {
            let (at, bit) = (rng.below(state.len()), 1 << rng.below(8));
            assert!(!elisions.is_of(&form, &state[1..]));
            state[at] ^= bit;
            assert!(!elisions.is_of(&form, state), "{at}");
            state[at] ^= bit;
        }
    }

    #[test]
    fn forms_are_read_as_they_were_written_and_told_apart() {
        let mut rng = SplitMix64::new(7);
        for length in (0..120).chain([1000]) {
            for rarity in [1, 2, 10, 50] {
                let used: Vec<usize> = (0..length).filter(|_| rng.below(rarity) == 0).collect();
                let first: Vec<Vec<u8>> = (0..20).map(|_| state(&mut rng, length, &used)).collect();
                let mut elisions = ZeroElision::of(first.iter().map(Vec::as_slice));
                let mut buffer = Vec::new();
                for _ in 0..50 {
                    // Some states are as before, some longer, shorter or fuller.
                    let length = length + rng.below(3) * 9 - rng.below(2) * rng.below(length + 1);
                    let mut used = used.clone();
                    if length > 0 && rng.below(5) == 0 {
                        used.push(rng.below(length));
                    }
                    let mut state = state(&mut rng, length, &used);
                    check(&mut elisions, &mut rng, &mut state, &mut buffer);
                }
            }
        }
    }

    #[test]
    fn there_may_be_more_lengths_than_elisions() {
        let (mut rng, zeros) = (SplitMix64::new(3), [0; 700]);
        let mut elisions = ZeroElision::of(std::iter::once(zeros.as_slice()));
        let mut buffer = Vec::new();
        for length in (0..600).chain(0..600) {
            check(&mut elisions, &mut rng, &mut vec![0; length], &mut buffer);
        }
        assert_eq!(elisions.all.len(), 256);
    }

    #[test]
    fn zeros_take_no_room() {
        let mut first = vec![0; 160];
        (first[30], first[100]) = (1, 2);
        let mut elisions = ZeroElision::of(std::iter::once(first.as_slice()));
        assert_eq!(elisions.write(&first, &mut Vec::new()).len(), HEADER + 2 * WORD);
        first[33] = 3;
        assert_eq!(elisions.write(&first, &mut Vec::new()).len(), HEADER + 2 * WORD);
        first[60] = 3;
        assert_eq!(elisions.write(&first, &mut Vec::new()).len(), HEADER + 3 * WORD);
        assert_eq!(elisions.write(&[0; 160], &mut Vec::new()).len(), HEADER + 3 * WORD);
    }
}
