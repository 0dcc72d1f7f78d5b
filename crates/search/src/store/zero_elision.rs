//! States without what is zero in all of them. In long states that is much: channels are hardly
//! ever full, and most of what they could hold is never used.
//!
//! The form of a state is the number of a [`Elision`] and the bytes that it keeps. States of the
//! same length mostly have the same one. A state with something else where its trim keeps
//! nothing gets a wider one, which those behind it have, too; so they soon agree, and forms are
//! equally long.
//!
//! What is kept, and what is not, comes in pieces of a word at least. So all of it is read by
//! words, some of which overlap, and nothing depends on what is in them.

use super::hash::word;

/// What is read at once.
const WORD: usize = size_of::<u64>();
/// The number of the trim that keeps everything.
const WHOLE: u8 = 0;
/// What a form has in front.
const HEADER: usize = 1;

/// What the form of a state of this length takes at most.
#[inline]
pub(super) fn most(length: usize) -> usize {
    HEADER + length
}

/// What is kept of states of a length.
#[derive(Clone, Debug, Default)]
struct Elision {
    length: usize,
    /// The pieces that are kept, from where to where.
    kept: Vec<(usize, usize)>,
    /// The words of which they consist: where they are in a state, and where in a form.
    words: Vec<(u32, u32)>,
    /// The words that are zero.
    zeros: Vec<u32>,
    /// Bytes of a form.
    size: usize,
}

impl Elision {
    /// Keeps these bytes of states of this length, and others where it would not pay to leave
    /// them out. Says so, if nothing is left out.
    fn new(length: usize, keeps: impl Fn(usize) -> bool) -> Option<Elision> {
        // There is no room for a piece that is kept beside one that is not.
        if length < 2 * WORD {
            return None;
        }
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for at in (0..length).filter(|&at| keeps(at)) {
            // What begins here is a word at least, and so is what lies before it or behind it.
            let begin = if at < WORD { 0 } else { at.min(length - WORD) };
            let end = if at + WORD + WORD > length { length } else { at + WORD };
            match kept.last_mut() {
                Some((_, last)) if at < *last => {}
                Some((_, last)) if begin < *last + WORD => {
                    *last = if at + 1 + WORD > length { length } else { at + 1 };
                }
                _ => kept.push((begin, end)),
            }
        }
        let mut trim = Elision { length, size: HEADER, ..Elision::default() };
        let mut before = 0;
        for &(begin, end) in &kept {
            trim.zeros.extend(words(before, begin).map(|at| at as u32));
            let shift = |at: usize| at - begin + trim.size;
            trim.words.extend(words(begin, end).map(|at| (at as u32, shift(at) as u32)));
            trim.size += end - begin;
            before = end;
        }
        trim.zeros.extend(words(before, length).map(|at| at as u32));
        trim.kept = kept;
        (!trim.zeros.is_empty()).then_some(trim)
    }

    /// Whether it keeps all that is not zero.
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

/// Where the words of a piece begin: one behind the other, and the last one at its end.
fn words(begin: usize, end: usize) -> impl Iterator<Item = usize> {
    let last = (end > begin).then(|| end - WORD);
    (begin..end.saturating_sub(WORD)).step_by(WORD).chain(last)
}

/// All trims of a store.
#[derive(Clone, Debug)]
pub(super) struct ZeroElision {
    /// The first one keeps everything, and is never looked at.
    all: Vec<Elision>,
    /// For each length, and in order of them, the last trim.
    latest: Vec<(usize, u8)>,
    /// That of the last state.
    last: (usize, u8),
    bytes: usize,
}

impl ZeroElision {
    /// The elisions for these states and for those that are like them.
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
        let (all, last) = (vec![Elision::default()], (usize::MAX, WHOLE));
        let mut trims =
            ZeroElision { all, latest: Vec::new(), last, bytes: size_of::<ZeroElision>() };
        for seen in seen {
            let trim = trims.add(Elision::new(seen.len(), |at| seen[at]));
            trims.latest.push((seen.len(), trim));
        }
        trims
    }

    /// Adds a trim, if there is one and a number for it.
    fn add(&mut self, trim: Option<Elision>) -> u8 {
        match (trim, u8::try_from(self.all.len())) {
            (Some(trim), Ok(number)) => {
                self.bytes += trim.bytes();
                self.all.push(trim);
                number
            }
            _ => WHOLE,
        }
    }

    /// Writes the form of a state to the beginning of a buffer that grows if it has to.
    pub(super) fn write<'b>(&mut self, state: &[u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        if buffer.len() < most(state.len()) {
            buffer.resize(most(state.len()), 0);
        }
        let number = self.suited(state);
        buffer[0] = number;
        if number == WHOLE {
            buffer[HEADER..most(state.len())].copy_from_slice(state);
            return &buffer[..most(state.len())];
        }
        let trim = &self.all[usize::from(number)];
        let form = &mut buffer[..trim.size];
        for &(from, to) in &trim.words {
            let to = to as usize;
            form[to..to + WORD].copy_from_slice(&word(state, from as usize).to_le_bytes());
        }
        form
    }

    /// The trim of a state.
    #[inline]
    fn suited(&mut self, state: &[u8]) -> u8 {
        let (length, number) = self.last;
        if length == state.len() && self.all[usize::from(number)].fits(state) {
            return number;
        }
        self.find(state)
    }

    #[cold]
    fn find(&mut self, state: &[u8]) -> u8 {
        let known = self.latest.binary_search_by_key(&state.len(), |&(length, _)| length);
        let number = match known {
            Ok(at) => {
                let (_, number) = self.latest[at];
                if number != WHOLE && !self.all[usize::from(number)].fits(state) {
                    let Elision { length, kept, .. } = &self.all[usize::from(number)];
                    let wider = Elision::new(*length, |at| state[at] != 0 || covers(kept, at));
                    self.latest[at].1 = self.add(wider);
                }
                self.latest[at].1
            }
            Err(at) => {
                // Shorter states are mostly like the beginning of longer ones, and the same
                // the other way round.
                let near = self.latest.get(at).or(self.latest.last());
                let near = near.map(|&(_, near)| &self.all[usize::from(near)]);
                let keeps =
                    |at| near.is_none_or(|near| covers(&near.kept, at) || at >= near.length);
                let trim = Elision::new(state.len(), |at| state[at] != 0 || keeps(at));
                let number = self.add(trim);
                self.latest.insert(at, (state.len(), number));
                number
            }
        };
        self.last = (state.len(), number);
        number
    }

    /// Writes the state of a form, replacing what is in `state`.
    pub(super) fn read(&self, form: &[u8], state: &mut Vec<u8>) {
        state.clear();
        let number = form[0];
        if number == WHOLE {
            state.extend_from_slice(&form[HEADER..]);
            return;
        }
        let trim = &self.all[usize::from(number)];
        state.resize(trim.length, 0);
        for &(to, from) in &trim.words {
            let to = to as usize;
            state[to..to + WORD].copy_from_slice(&word(form, from as usize).to_le_bytes());
        }
    }

    /// Whether a form is that of this state.
    #[inline]
    pub(super) fn is_of(&self, form: &[u8], state: &[u8]) -> bool {
        let number = form[0];
        if number == WHOLE {
            return form[HEADER..] == *state;
        }
        let trim = &self.all[usize::from(number)];
        if trim.length != state.len() {
            return false;
        }
        let differ = |all, &(own, kept): &(u32, u32)| {
            all | (word(state, own as usize) ^ word(form, kept as usize))
        };
        trim.words.iter().fold(0, differ) == 0 && trim.fits(state)
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Whether a byte lies in one of these pieces.
fn covers(pieces: &[(usize, usize)], at: usize) -> bool {
    pieces.iter().any(|&(begin, end)| (begin..end).contains(&at))
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// A state with something in some places of those that are used.
    fn state(rng: &mut SplitMix64, length: usize, used: &[usize]) -> Vec<u8> {
        let mut state = vec![0; length];
        for &at in used.iter().filter(|&&at| at < length) {
            state[at] = if rng.below(2) == 0 { rng.next_u64() as u8 } else { 0 };
        }
        state
    }

    fn check(
        trims: &mut ZeroElision,
        rng: &mut SplitMix64,
        state: &mut [u8],
        buffer: &mut Vec<u8>,
    ) {
        let form = trims.write(state, buffer).to_vec();
        assert!(form.len() <= most(state.len()));
        let mut read_back = vec![7];
        trims.read(&form, &mut read_back);
        assert_eq!(read_back, state);
        assert!(trims.is_of(&form, state));
        assert!(!trims.is_of(&form, &[&*state, &[0]].concat()));
        if !state.is_empty() {
            let (at, bit) = (rng.below(state.len()), 1 << rng.below(8));
            assert!(!trims.is_of(&form, &state[1..]));
            state[at] ^= bit;
            assert!(!trims.is_of(&form, state), "{at}");
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
                let mut trims = ZeroElision::of(first.iter().map(Vec::as_slice));
                let mut buffer = Vec::new();
                for _ in 0..50 {
                    // Some are as before, some longer, shorter or fuller.
                    let length = length + rng.below(3) * 9 - rng.below(2) * rng.below(length + 1);
                    let mut used = used.clone();
                    if length > 0 && rng.below(5) == 0 {
                        used.push(rng.below(length));
                    }
                    let mut state = state(&mut rng, length, &used);
                    check(&mut trims, &mut rng, &mut state, &mut buffer);
                }
            }
        }
    }

    #[test]
    fn there_may_be_more_lengths_than_trims() {
        let (mut rng, zeros) = (SplitMix64::new(3), [0; 700]);
        let mut trims = ZeroElision::of(std::iter::once(zeros.as_slice()));
        let mut buffer = Vec::new();
        for length in (0..600).chain(0..600) {
            check(&mut trims, &mut rng, &mut vec![0; length], &mut buffer);
        }
        assert_eq!(trims.all.len(), 256);
    }

    #[test]
    fn zeros_take_no_room() {
        let mut first = vec![0; 160];
        (first[30], first[100]) = (1, 2);
        let mut trims = ZeroElision::of(std::iter::once(first.as_slice()));
        assert_eq!(trims.write(&first, &mut Vec::new()).len(), HEADER + 2 * WORD);
        first[33] = 3;
        assert_eq!(trims.write(&first, &mut Vec::new()).len(), HEADER + 2 * WORD);
        first[60] = 3;
        assert_eq!(trims.write(&first, &mut Vec::new()).len(), HEADER + 3 * WORD);
        assert_eq!(trims.write(&[0; 160], &mut Vec::new()).len(), HEADER + 3 * WORD);
    }
}
