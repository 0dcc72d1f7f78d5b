//! A state as words of 32 bits, the last one padded with zeros.

/// Bytes of a word.
pub(super) const WORD: usize = size_of::<u32>();

/// A word of a state; bytes beyond the end count as zeros.
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

/// Words that are compared at once: long states differ in few blocks.
const BLOCK: usize = 16;

/// Appends the words in which a state differs from another one of the same length, which is padded
/// to whole words.
#[inline]
pub(super) fn differences(state: &[u8], filled: &[u8], changed: &mut Vec<usize>) {
    let (ours, _) = state.as_chunks::<{ BLOCK * WORD }>();
    let (theirs, _) = filled.as_chunks::<{ BLOCK * WORD }>();
    for (at, (one, two)) in ours.iter().zip(theirs).enumerate() {
        if !is_same(one, two) {
            block_differences(one, two, at * BLOCK, changed);
        }
    }
    let rest = ours.len() * BLOCK * WORD;
    let (whole, last) = state[rest..].as_chunks::<{ 2 * WORD }>();
    let first = rest / WORD;
    block_differences(whole.as_flattened(), &filled[rest..], first, changed);
    let next = first + 2 * whole.len();
    let last = next..next + last.len().div_ceil(WORD);
    changed.extend(last.filter(|&at| word(state, at) != word(filled, at)));
}

/// Whether two blocks are equal: without a branch for each word, so that the compiler vectorises
/// the comparison.
#[inline]
fn is_same(one: &[u8; BLOCK * WORD], two: &[u8; BLOCK * WORD]) -> bool {
    let word = |word: &[u8; WORD]| u32::from_ne_bytes(*word);
    let words = one.as_chunks::<WORD>().0.iter().zip(two.as_chunks::<WORD>().0);
    words.fold(0, |difference, (one, two)| difference | (word(one) ^ word(two))) == 0
}

/// The same for an even number of words, the first of which is word `first`.
#[inline]
fn block_differences(ours: &[u8], theirs: &[u8], first: usize, changed: &mut Vec<usize>) {
    let (ours, _) = ours.as_chunks::<{ 2 * WORD }>();
    let (theirs, _) = theirs.as_chunks::<{ 2 * WORD }>();
    for (at, (one, two)) in ours.iter().zip(theirs).enumerate() {
        let difference = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*two);
        if difference as u32 != 0 {
            changed.push(first + 2 * at);
        }
        if difference >> 32 != 0 {
            changed.push(first + 2 * at + 1);
        }
    }
}
