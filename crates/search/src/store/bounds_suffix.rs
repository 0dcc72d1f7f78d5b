//! The form of states that can cover others: a key, then bounds, then their number and width.
//!
//! A state covers another one if both have equal keys and it has no smaller bound. What the bounds
//! mean is for the space that writes them; timed automata have a zone there, and a zone includes
//! those with smaller bounds.
//!
//! Bounds have two bytes each if all of them fit, or else four. The greatest number of either width
//! means no bound.

/// Bytes of the number of bounds; its lowest bit tells whether they are wide.
const NUMBER: usize = 4;

/// Appends bounds to a key; `i32::MAX` is no bound.
pub fn push(state: &mut Vec<u8>, bounds: impl Iterator<Item = i32> + Clone) {
    let fits = |bound: i32| bound == i32::MAX || i16::try_from(bound).is_ok_and(|b| b != i16::MAX);
    let is_narrow = bounds.clone().all(fits);
    let start = state.len();
    if is_narrow {
        bounds.for_each(|bound| state.extend_from_slice(&narrow(bound).to_le_bytes()));
    } else {
        bounds.for_each(|bound| state.extend_from_slice(&bound.to_le_bytes()));
    }
    let number = (state.len() - start) / width(!is_narrow);
    let number = (number as u32) << 1 | u32::from(!is_narrow);
    state.extend_from_slice(&number.to_le_bytes());
}

fn width(is_wide: bool) -> usize {
    if is_wide { 4 } else { 2 }
}

fn narrow(bound: i32) -> i16 {
    // A bound that fits, or none.
    i16::try_from(bound).unwrap_or(i16::MAX)
}

fn wide(bound: i16) -> i32 {
    if bound == i16::MAX { i32::MAX } else { i32::from(bound) }
}

/// The bounds at the end of a state; `None` if it has another form.
pub fn read(state: &[u8]) -> Option<impl Iterator<Item = i32> + '_> {
    Some(split(state)?.1.iter())
}

/// The bounds of a state, as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds<'s> {
    bytes: &'s [u8],
    is_wide: bool,
}

impl<'s> Bounds<'s> {
    /// No bounds.
    pub(super) const NONE: Bounds<'static> = Bounds { bytes: &[], is_wide: false };

    fn iter(self) -> impl Iterator<Item = i32> + 's {
        let (narrow, wides) =
            if self.is_wide { (&[][..], self.bytes) } else { (self.bytes, &[][..]) };
        let narrow = narrow.as_chunks().0.iter().map(|&bound| wide(i16::from_le_bytes(bound)));
        narrow.chain(wides.as_chunks().0.iter().map(|&bound| i32::from_le_bytes(bound)))
    }

    /// Their number.
    pub(super) fn len(self) -> usize {
        self.bytes.len() / width(self.is_wide)
    }
}

/// The key and the bounds; `None` if the state has another form.
pub(super) fn split(state: &[u8]) -> Option<(&[u8], Bounds<'_>)> {
    let (rest, number) = state.split_last_chunk::<NUMBER>()?;
    let number = u32::from_le_bytes(*number);
    let is_wide = number & 1 == 1;
    let length = ((number >> 1) as usize).checked_mul(width(is_wide))?;
    let (key, bytes) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    Some((key, Bounds { bytes, is_wide }))
}

/// How bounds compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// All are equal.
    Equal,
    /// Each is at least as large as the other's, and some is larger.
    Covers,
    /// Each is at most as large as the other's, and some is smaller.
    IsCovered,
    /// Neither.
    Incomparable,
}

/// Bounds that are compared before it is known that neither covers the other.
const BLOCK: usize = 16;

/// Compares the bounds of two states with equal keys.
pub(super) fn compare(one: Bounds<'_>, other: Bounds<'_>) -> Comparison {
    let (mut is_larger, mut is_smaller) = (false, false);
    if one.is_wide || other.is_wide {
        for (one, other) in one.iter().zip(other.iter()) {
            is_larger |= one > other;
            is_smaller |= one < other;
        }
    } else {
        // Whole blocks without a branch: several bounds are compared at a time.
        let (one, other) = (one.bytes.as_chunks::<2>().0, other.bytes.as_chunks::<2>().0);
        for (one, other) in one.chunks(BLOCK).zip(other.chunks(BLOCK)) {
            for (&one, &other) in one.iter().zip(other) {
                let (one, other) = (i16::from_le_bytes(one), i16::from_le_bytes(other));
                is_larger |= one > other;
                is_smaller |= one < other;
            }
            if is_larger && is_smaller {
                return Comparison::Incomparable;
            }
        }
    }
    match (is_larger, is_smaller) {
        (false, false) => Comparison::Equal,
        (true, false) => Comparison::Covers,
        (false, true) => Comparison::IsCovered,
        (true, true) => Comparison::Incomparable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_both_widths_are_read_and_compared() {
        let state = |bounds: &[i32]| {
            let mut state = b"key".to_vec();
            push(&mut state, bounds.iter().copied());
            state
        };
        let limits = [0, -1, 32_766, 32_767, -32_768, -32_769, i32::MAX, i32::MIN, 70_000];
        for a in limits {
            for b in limits {
                let all = [a, 5, b];
                assert_eq!(read(&state(&all)).expect("it has bounds").collect::<Vec<_>>(), all);
                let wanted = match a.cmp(&b) {
                    std::cmp::Ordering::Less => Comparison::IsCovered,
                    std::cmp::Ordering::Equal => Comparison::Equal,
                    std::cmp::Ordering::Greater => Comparison::Covers,
                };
                let (one, other) = (state(&[1, a]), state(&[1, b]));
                let (one, other) = (split(&one).expect("bounds"), split(&other).expect("bounds"));
                assert_eq!(compare(one.1, other.1), wanted, "{a} {b}");
                assert_eq!((one.0, one.1.len()), (&b"key"[..], 2));
            }
        }
        assert!(state(&[1; 40]).len() < 3 + 2 * 40 + 5);
    }
}
