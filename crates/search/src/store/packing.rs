//! States without the bits that are the same in all of them.
//!
//! Most bits of a state never change: a counter up to 5 has a byte and needs three bits of
//! it, a place in a process needs as many bits as there are places. Nobody knows in advance
//! which bits these are, so a packing is made for what was seen so far. A state that differs
//! in another bit needs a wider one; states packed before stay as they are.
//!
//! Promises: nothing is lost, and two states of the same packing are equal if and only if
//! they are when packed.

use super::gather::{self, Gather, Task};

const WORD: usize = size_of::<u64>();

/// Which bits of states of one length are kept.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    length: usize,
    /// One for each word of a state. The last word may be a part of one.
    fields: Box<[Field]>,
    /// Bytes of a packed state.
    bytes: usize,
}

/// A word of a state.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The bits that are kept.
    mask: u64,
    /// All others, as they are in every state.
    base: u64,
    /// The byte of the packed state where the kept bits begin.
    at: u32,
    /// And the bit of that byte. All of them lie in the eight bytes from there.
    shift: u32,
}

impl Packing {
    /// Nothing is kept of this state, which is the only one so far.
    pub(crate) fn of(state: &[u8]) -> Packing {
        let words = (0..state.len().div_ceil(WORD)).map(|at| (0, word(state, at)));
        Packing::new(state.len(), words)
    }

    /// Packs also this state, which has the same length. What one bit of a byte did, others
    /// will: with `bytes`, each byte that changes is kept whole.
    pub(crate) fn widened(&self, state: &[u8], bytes: bool) -> Packing {
        let words = self.fields.iter().enumerate().map(|(at, field)| {
            let new = (word(state, at) ^ field.base) & !field.mask;
            let new = if bytes { whole_bytes(new) } else { new };
            let mask = field.mask | new;
            (mask, field.base & !mask)
        });
        Packing::new(self.length, words)
    }

    fn new(length: usize, words: impl Iterator<Item = (u64, u64)>) -> Packing {
        let mut bits = 0;
        let fields = words.map(|(mask, base)| {
            if bits % 8 + mask.count_ones() as usize > u64::BITS as usize {
                bits = bits.next_multiple_of(8);
            }
            let (at, shift) = ((bits / 8) as u32, (bits % 8) as u32);
            bits += mask.count_ones() as usize;
            Field { mask, base, at, shift }
        });
        let fields = fields.collect();
        Packing { length, fields, bytes: bits.div_ceil(8) }
    }

    /// The length of the states.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The length of the packed states.
    #[inline]
    pub(crate) fn packed(&self) -> usize {
        self.bytes
    }

    /// Adds a state of the right length to the end of these bytes, packed. Says whether it
    /// can be; if not, nothing is added.
    #[inline]
    pub(crate) fn pack(&self, state: &[u8], packed: &mut Vec<u8>) -> bool {
        gather::run(Pack { packing: self, state, packed })
    }

    /// Writes the state that is packed at this place, replacing what is in `state`.
    #[inline]
    pub(crate) fn unpack(&self, bytes: &[u8], at: usize, state: &mut Vec<u8>) {
        gather::run(Unpack { packing: self, bytes, at, state });
    }

    /// Whether this state is packed at this place.
    #[inline]
    pub(crate) fn is_same(&self, bytes: &[u8], at: usize, state: &[u8]) -> bool {
        self.length == state.len() && gather::run(IsSame { packing: self, bytes, at, state })
    }

    /// The memory that a packing for states of this length holds beside itself.
    #[inline]
    pub(crate) fn bytes_for(length: usize) -> usize {
        length.div_ceil(WORD) * size_of::<Field>()
    }
}

struct Pack<'a> {
    packing: &'a Packing,
    state: &'a [u8],
    packed: &'a mut Vec<u8>,
}

impl Task for Pack<'_> {
    type Result = bool;

    #[inline(always)]
    fn run<G: Gather>(self) -> bool {
        let Pack { packing, state, packed } = self;
        let begin = packed.len();
        // The bits from this byte on that are not written yet.
        let (mut at, mut waiting) = (0, 0);
        let mut stray = 0;
        for_each_word(state, &packing.fields, |word, field| {
            stray |= (word ^ field.base) & !field.mask;
            if field.at > at {
                packed.truncate(begin + at as usize);
                packed.extend_from_slice(&u64::to_le_bytes(waiting));
                // All that waits is behind, but for the bits of an unfinished byte.
                waiting = waiting.checked_shr(8 * (field.at - at)).unwrap_or(0);
                at = field.at;
            }
            waiting |= G::gather(word, field.mask) << field.shift;
        });
        packed.truncate(begin + at as usize);
        packed.extend_from_slice(&waiting.to_le_bytes());
        packed.truncate(begin + if stray == 0 { packing.bytes } else { 0 });
        stray == 0
    }
}

struct Unpack<'a> {
    packing: &'a Packing,
    bytes: &'a [u8],
    at: usize,
    state: &'a mut Vec<u8>,
}

impl Task for Unpack<'_> {
    type Result = ();

    #[inline(always)]
    fn run<G: Gather>(self) {
        let Unpack { packing, bytes, at, state } = self;
        state.resize(packing.fields.len() * WORD, 0);
        for (word, &field) in state.as_chunks_mut::<WORD>().0.iter_mut().zip(&packing.fields) {
            *word = field.word::<G>(bytes, at).to_le_bytes();
        }
        state.truncate(packing.length);
    }
}

struct IsSame<'a> {
    packing: &'a Packing,
    bytes: &'a [u8],
    at: usize,
    state: &'a [u8],
}

impl Task for IsSame<'_> {
    type Result = bool;

    #[inline(always)]
    fn run<G: Gather>(self) -> bool {
        let IsSame { packing, bytes, at, state } = self;
        let mut difference = 0;
        for_each_word(state, &packing.fields, |word, field| {
            difference |= word ^ field.word::<G>(bytes, at);
        });
        difference == 0
    }
}

impl Field {
    /// The word of the state that is packed at this place.
    #[inline(always)]
    fn word<G: Gather>(self, bytes: &[u8], at: usize) -> u64 {
        let kept = word_at(bytes, at + self.at as usize) >> self.shift;
        G::scatter(kept, self.mask) | self.base
    }
}

/// All words of a state with their fields.
#[inline(always)]
fn for_each_word(state: &[u8], fields: &[Field], mut each: impl FnMut(u64, Field)) {
    let whole = state.as_chunks::<WORD>().0;
    for (&word, &field) in whole.iter().zip(fields) {
        each(u64::from_le_bytes(word), field);
    }
    if let Some(&field) = fields.get(whole.len()) {
        each(word(state, whole.len()), field);
    }
}

/// A word of a state, filled up with zeros.
#[inline]
fn word(state: &[u8], at: usize) -> u64 {
    let rest = state.len() - at * WORD;
    match state.last_chunk::<WORD>() {
        Some(&last) if rest < WORD => u64::from_le_bytes(last) >> (8 * (WORD - rest)),
        _ => word_at(state, at * WORD),
    }
}

/// Eight bytes from here, those behind the end being zeros.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk::<WORD>() {
        Some(&word) => u64::from_le_bytes(word),
        None => last_word(&bytes[at..]),
    }
}

#[cold]
fn last_word(rest: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(word)
}

/// A mask of all bytes that this one touches.
fn whole_bytes(mask: u64) -> u64 {
    u64::from_le_bytes(mask.to_le_bytes().map(|byte| if byte == 0 { 0 } else { u8::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    /// Widens for one state after the other; all that was packed can be had back.
    fn check(states: &[Vec<u8>], bytes: bool) {
        let mut packing = Packing::of(&states[0]);
        let mut kept = Vec::new();
        // Something stands before, and something behind.
        let mut packed = vec![0xa5; 3];
        for state in states {
            let (at, mut tried) = (packed.len(), packed.clone());
            if !packing.pack(state, &mut tried) {
                assert_eq!(tried, packed, "nothing is added");
                packing = packing.widened(state, bytes);
            }
            assert!(packing.pack(state, &mut packed), "{state:?}");
            assert_eq!(packed.len() - at, packing.packed());
            assert!(packing.packed() <= state.len());
            let held = size_of_val::<[Field]>(&packing.fields);
            assert_eq!(held, Packing::bytes_for(state.len()));
            kept.push((packing.clone(), at, state));
        }
        let mut unpacked = Vec::new();
        for (packing, at, state) in &kept {
            packing.unpack(&packed, *at, &mut unpacked);
            assert_eq!(&unpacked, *state);
            for other in states {
                assert_eq!(packing.is_same(&packed, *at, other), other == *state);
            }
            assert!(!packing.is_same(&packed, *at, &[state.as_slice(), &[0]].concat()));
        }
    }

    #[test]
    fn what_is_packed_can_be_had_back() {
        for length in 0..70 {
            for bytes in [false, true] {
                let mut rng = SplitMix64::new(length as u64);
                let mut state = vec![7; length];
                let mut states = vec![state.clone()];
                for n in 0..40 {
                    for _ in 0..n {
                        if length > 0 {
                            let (at, bit) = (rng.below(length), rng.below(8));
                            state[at] ^= 1 << bit;
                        }
                    }
                    states.push(state.clone());
                }
                check(&states, bytes);
            }
        }
    }

    #[test]
    fn bits_that_never_change_take_no_room() {
        let mut packing = Packing::of(&[9; 20]);
        assert_eq!(packing.packed(), 0);
        let mut other = [9; 20];
        other[3] ^= 0b110;
        other[17] ^= 0b1;
        packing = packing.widened(&other, false);
        assert_eq!(packing.packed(), 1);
        assert_eq!(packing.widened(&[9; 20], true).packed(), 1);
        other[5] = 8;
        assert_eq!(packing.widened(&other, true).packed(), 2);
    }
}
