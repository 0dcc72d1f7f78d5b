//! Bit packing: states without the bits that are the same in all of them.
//!
//! Most bits of a state never change: a counter up to 5 has a byte and needs three bits of it, a
//! location needs as many bits as its process has locations. The changing bits are not known in
//! advance, so a packing is made for the states so far. A state that differs in another bit cannot
//! be packed until the packing is widened.
//!
//! Promises: packing is invertible, and packable states are equal if and only if their packed
//! forms are. Source: ours.

use std::marker::PhantomData;
use std::num::NonZeroU32;

use super::super::hash::StateHash;
use super::bit_extract::{self, BitExtract, BitTask};

const WORD: usize = size_of::<u64>();

/// Bytes that a packing needs beyond the length of the state.
pub(crate) const SPARE: usize = 2 * WORD;

/// The bits of states of one length that are kept.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    length: usize,
    /// One for each word of a state. The last word may be partial.
    fields: Box<[Field]>,
    /// Length of a packed state in bits and in bytes.
    bits: u32,
    bytes: usize,
}

/// A word of a state.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The bits that are kept.
    mask: u64,
    /// The values of all other bits, which every state shares.
    base: u64,
    /// The word of the packed state where the kept bits begin, and the bit in that word.
    word: u32,
    shift: u32,
    /// The number of kept bits in that word, if they fill it.
    split: Option<NonZeroU32>,
}

impl Packing {
    /// The packing of a single state, which keeps no bits.
    pub(crate) fn of(state: &[u8]) -> Packing {
        let words = (0..state.len().div_ceil(WORD)).map(|at| (0, word(state, at)));
        Packing::new(state.len(), words)
    }

    /// Keeps the bits in which this state, of the same length, differs.
    pub(crate) fn widen(&mut self, state: &[u8]) {
        let words = self.fields.iter().enumerate().map(|(at, field)| {
            let mask = field.mask | (word(state, at) ^ field.base) & !field.mask;
            (mask, field.base & !mask)
        });
        *self = Packing::new(self.length, words);
    }

    fn new(length: usize, words: impl Iterator<Item = (u64, u64)>) -> Packing {
        let mut bits = 0;
        let fields = words.map(|(mask, base)| {
            let (word, shift) = (bits / u64::BITS, bits % u64::BITS);
            bits += mask.count_ones();
            let is_full = bits / u64::BITS > word;
            let split = NonZeroU32::new(u64::BITS - shift).filter(|_| is_full);
            Field { mask, base, word, shift, split }
        });
        let fields = fields.collect();
        Packing { length, fields, bits, bytes: bits.div_ceil(u8::BITS) as usize }
    }

    /// The length of its states.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The length of a packed state.
    #[inline]
    pub(crate) fn packed(&self) -> usize {
        self.bytes
    }

    /// Packs a state of the right length into a buffer that is longer than it by [`SPARE`]
    /// bytes. Returns the hash of the packed form, or `None` if the state cannot be packed.
    #[inline]
    pub(crate) fn pack<H: StateHash>(&self, state: &[u8], packed: &mut [u8]) -> Option<u64> {
        bit_extract::run(Pack { packing: self, state, packed, hash: PhantomData::<H> })
    }

    /// The hash of the state that is packed at the beginning of these bytes.
    pub(super) fn hash<H: StateHash>(&self, bytes: &[u8]) -> u64 {
        let packed = &bytes[..self.bytes];
        let words = (0..=self.bits / u64::BITS).map(|word| word_at(packed, word as usize * WORD));
        H::finish(words.fold(H::SEED, H::add))
    }

    /// Writes the state that is packed at the beginning of these bytes, replacing what is in
    /// `state`.
    #[inline]
    pub(crate) fn unpack(&self, bytes: &[u8], state: &mut Vec<u8>) {
        bit_extract::run(Unpack { packing: self, bytes, state });
    }

    /// Heap memory held.
    pub(crate) fn held(&self) -> usize {
        size_of_val::<[Field]>(&self.fields)
    }
}

struct Pack<'a, H> {
    packing: &'a Packing,
    state: &'a [u8],
    packed: &'a mut [u8],
    hash: PhantomData<H>,
}

impl<H: StateHash> BitTask for Pack<'_, H> {
    type Result = Option<u64>;

    #[inline(always)]
    fn run<G: BitExtract>(self) -> Option<u64> {
        let Pack { packing, state, packed, .. } = self;
        let mut words = packed.as_chunks_mut::<WORD>().0.iter_mut();
        // `pending` is a word that is not written yet; `stray` has differing bits that are not
        // kept.
        let (mut pending, mut stray, mut hash) = (0, 0, H::SEED);
        for_each_word(state, &packing.fields, |word, field| {
            stray |= (word ^ field.base) & !field.mask;
            let kept = G::extract(word, field.mask);
            pending |= kept << field.shift;
            if let Some(split) = field.split {
                if let Some(place) = words.next() {
                    *place = pending.to_le_bytes();
                }
                hash = H::add(hash, pending);
                pending = kept.checked_shr(split.get()).unwrap_or(0);
            }
        });
        if let Some(place) = words.next() {
            *place = pending.to_le_bytes();
        }
        (stray == 0).then(|| H::finish(H::add(hash, pending)))
    }
}

struct Unpack<'a> {
    packing: &'a Packing,
    /// The packed state, and the bytes after it.
    bytes: &'a [u8],
    state: &'a mut Vec<u8>,
}

impl BitTask for Unpack<'_> {
    type Result = ();

    #[inline(always)]
    fn run<G: BitExtract>(self) {
        let Unpack { packing, bytes, state } = self;
        state.resize(packing.fields.len() * WORD, 0);
        for (word, field) in state.as_chunks_mut::<WORD>().0.iter_mut().zip(&packing.fields) {
            let at = field.word as usize * WORD;
            let mut kept = word_at(bytes, at) >> field.shift;
            if let Some(split) = field.split {
                kept |= word_at(bytes, at + WORD).checked_shl(split.get()).unwrap_or(0);
            }
            *word = (G::deposit(kept, field.mask) | field.base).to_le_bytes();
        }
        state.truncate(packing.length);
    }
}

/// Calls `each` with all words of a state and their fields.
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

/// A word of a state, padded with zeros.
#[inline]
fn word(state: &[u8], at: usize) -> u64 {
    let rest = state.len() - at * WORD;
    match state.last_chunk::<WORD>() {
        Some(&last) if rest < WORD => u64::from_le_bytes(last) >> (8 * (WORD - rest)),
        _ => word_at(state, at * WORD),
    }
}

/// Eight bytes from an offset on; bytes beyond the end count as zeros.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk::<WORD>() {
        Some(&word) => u64::from_le_bytes(word),
        None => last_word(rest),
    }
}

#[cold]
fn last_word(rest: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::super::super::hash::FoldedMultiply;
    use super::*;

    fn packed(packing: &Packing, state: &[u8]) -> Option<Vec<u8>> {
        let mut packed = vec![0xa5; state.len() + SPARE];
        packing.pack::<FoldedMultiply>(state, &mut packed)?;
        packed.truncate(packing.packed());
        Some(packed)
    }

    /// Widens for all states; then each can be packed and unpacked.
    fn check(states: &[Vec<u8>]) {
        let mut packing = Packing::of(&states[0]);
        for state in states {
            if packed(&packing, state).is_none() {
                packing.widen(state);
            }
            assert!(packed(&packing, state).is_some(), "{state:?}");
            assert!(packing.packed() <= state.len());
        }
        let (mut all, mut places) = (Vec::new(), Vec::new());
        for state in states {
            places.push(all.len());
            all.extend(packed(&packing, state).expect("it was widened for this"));
        }
        let mut unpacked = Vec::new();
        for (state, &at) in states.iter().zip(&places) {
            packing.unpack(&all[at..], &mut unpacked);
            assert_eq!(&unpacked, state);
            for other in states {
                assert_eq!(packed(&packing, other) == packed(&packing, state), other == state);
            }
        }
    }

    #[test]
    fn what_is_packed_can_be_had_back() {
        for length in 0..70 {
            let mut rng = SplitMix64::new(length as u64);
            let mut state = vec![7; length];
            let mut states = vec![state.clone()];
            for n in 0..if length == 0 { 0 } else { 40 } {
                for _ in 0..n {
                    let (at, bit) = (rng.below(length), rng.below(8));
                    state[at] ^= 1 << bit;
                }
                states.push(state.clone());
            }
            check(&states);
        }
    }

    #[test]
    fn bits_that_never_change_take_no_room() {
        let mut packing = Packing::of(&[9; 20]);
        assert_eq!(packing.packed(), 0);
        let mut other = [9; 20];
        other[3] ^= 0b110;
        other[17] ^= 0b1;
        assert_eq!(packed(&packing, &other), None);
        packing.widen(&other);
        assert_eq!(packed(&packing, &other), Some(vec![0b011]));
        assert_eq!(packed(&packing, &[9; 20]), Some(vec![0b100]));
        other[19] = 8;
        assert_eq!(packed(&packing, &other), None);
    }
}
