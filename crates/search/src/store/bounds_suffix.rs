//! The form of states that can cover others: a key, then bounds, then the number of bounds.
//!
//! A state covers another one if both have equal keys and it has no smaller bound. What the bounds
//! mean is for the space that writes them; timed automata have a zone there, and a zone includes
//! those with smaller bounds.

/// Bytes of a bound, and of the number of bounds.
const WIDTH: usize = 4;

/// Appends bounds to a key.
pub fn push(state: &mut Vec<u8>, bounds: &[i32]) {
    state.reserve(WIDTH * (bounds.len() + 1));
    bounds.iter().for_each(|bound| state.extend_from_slice(&bound.to_le_bytes()));
    state.extend_from_slice(&(bounds.len() as u32).to_le_bytes());
}

/// The bounds at the end of a state; `None` if it has another form.
pub fn read(state: &[u8]) -> Option<Vec<i32>> {
    let bounds = split(state)?.1;
    Some(bounds.as_chunks().0.iter().map(|&bound| i32::from_le_bytes(bound)).collect())
}

/// The key and the bounds, as bytes; `None` if the state has another form.
pub(super) fn split(state: &[u8]) -> Option<(&[u8], &[u8])> {
    let (rest, number) = state.split_last_chunk()?;
    let length = (u32::from_le_bytes(*number) as usize).checked_mul(WIDTH)?;
    rest.split_at_checked(rest.len().checked_sub(length)?)
}

/// How bounds compare, as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Each is at least as large as the other's.
    Covers,
    /// Each is at most as large as the other's, and some is smaller.
    IsCovered,
    /// Neither.
    Incomparable,
}

/// Compares the bounds of two states with equal keys.
pub(super) fn compare(one: &[u8], other: &[u8]) -> Comparison {
    let pairs = one.as_chunks().0.iter().zip(other.as_chunks().0);
    let (mut is_larger, mut is_smaller) = (false, false);
    for (&one, &other) in pairs {
        let (one, other) = (i32::from_le_bytes(one), i32::from_le_bytes(other));
        is_larger |= one > other;
        is_smaller |= one < other;
        if is_larger && is_smaller {
            return Comparison::Incomparable;
        }
    }
    if is_smaller { Comparison::IsCovered } else { Comparison::Covers }
}
