//! A state as words of 32 bits, the last one filled up with zeros.

/// Bytes of a word.
pub(super) const WORD: usize = size_of::<u32>();

/// A word of a state; what is beyond its end is zero.
#[inline]
pub(super) fn word(state: &[u8], at: usize) -> u32 {
    let rest = &state[at * WORD..];
    match rest.first_chunk() {
        Some(&whole) => u32::from_le_bytes(whole),
        None => {
            let mut filled = [0; WORD];
            filled[..rest.len()].copy_from_slice(rest);
            u32::from_le_bytes(filled)
        }
    }
}

/// The numbers of the words in which a state differs from another one of the same
/// length, which is filled up to whole words.
#[inline]
pub(super) fn differences(state: &[u8], filled: &[u8], changed: &mut Vec<usize>) {
    let (whole, _) = state.as_chunks::<8>();
    let (other, _) = filled.as_chunks::<8>();
    for (at, (one, two)) in whole.iter().zip(other).enumerate() {
        let difference = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*two);
        if difference as u32 != 0 {
            changed.push(2 * at);
        }
        if difference >> 32 != 0 {
            changed.push(2 * at + 1);
        }
    }
    let rest = 2 * whole.len()..state.len().div_ceil(WORD);
    changed.extend(rest.filter(|&at| word(state, at) != word(filled, at)));
}
