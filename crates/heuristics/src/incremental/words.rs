//! Bytes of a state as words of eight bytes.

/// Bytes of a word.
pub(crate) const WORD: usize = 8;

/// The little-endian word at a position; bytes beyond the end are zero.
#[inline]
pub(crate) fn word_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + WORD) {
        Some(word) => u64::from_le_bytes(word.try_into().expect("it is as long as a word")),
        None => {
            let mut word = [0; WORD];
            let rest = bytes.get(at..).unwrap_or_default();
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        }
    }
}
