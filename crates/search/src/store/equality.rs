//! Comparison of states. They are short, so that an inlined loop over words is faster than a call
//! of `memcmp`.

/// Whether two states or encodings are equal.
#[inline(always)]
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    const WORD: usize = size_of::<u64>();
    const BLOCK: usize = 2 * WORD;
    if a.len() != b.len() {
        return false;
    }
    // The last block overlaps the one before.
    if a.len() > 2 * BLOCK {
        return a.last_chunk::<BLOCK>() == b.last_chunk() && equal_blocks(a, b);
    }
    if a.len() >= BLOCK {
        return a.first_chunk::<BLOCK>() == b.first_chunk()
            && a.last_chunk::<BLOCK>() == b.last_chunk();
    }
    if a.len() >= WORD {
        return a.first_chunk::<WORD>() == b.first_chunk()
            && a.last_chunk::<WORD>() == b.last_chunk();
    }
    a == b
}

/// Whether all whole blocks are equal.
#[inline(always)]
fn equal_blocks(a: &[u8], b: &[u8]) -> bool {
    a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_are_equal_and_others_are_not() {
        for length in 0..70 {
            let state: Vec<u8> = (0..length).collect();
            assert!(equal(&state, &state.clone()));
            assert!(!equal(&state, &[state.as_slice(), &[0]].concat()));
            for at in 0..state.len() {
                let mut other = state.clone();
                other[at] ^= 0x10;
                assert!(!equal(&state, &other), "{length} {at}");
            }
        }
    }
}
