//! Comparison of states. They are short, so that an inlined loop over words is faster than a call
//! of `memcmp`.

/// Whether two states or encodings are equal.
#[inline]
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    const WORD: usize = size_of::<u64>();
    if a.len() != b.len() {
        return false;
    }
    // The last word overlaps the one before.
    let (Some(&last_a), Some(&last_b)) = (a.last_chunk::<WORD>(), b.last_chunk::<WORD>()) else {
        return a == b;
    };
    let mut difference = u64::from_ne_bytes(last_a) ^ u64::from_ne_bytes(last_b);
    for (&a, &b) in a.as_chunks::<WORD>().0.iter().zip(b.as_chunks::<WORD>().0) {
        difference |= u64::from_ne_bytes(a) ^ u64::from_ne_bytes(b);
    }
    difference == 0
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
