//! The form of states that can cover others: a key, then bounds, then their number and width.
//!
//! A state covers another one if both have equal keys and it has no smaller bound. What the bounds
//! mean is for the space that writes them; timed automata have a zone there, and a zone includes
//! those with smaller bounds.
//!
//! Bounds have one, two or four bytes each, as many as the largest needs. The greatest number of
//! each width means no bound.

use std::cmp::Ordering;

/// Bytes of the number of bounds; its lowest bits tell their width.
const NUMBER: usize = 4;
/// The bits of the width.
const WIDTH_BITS: u32 = 2;

/// No bound.
const NONE: i32 = i32::MAX;

/// The bytes of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One.
    One,
    /// Two.
    Two,
    /// Four.
    Four,
}

impl Width {
    /// The width that some bounds need.
    pub fn of(bounds: impl IntoIterator<Item = i32>) -> Width {
        let (mut least, mut most) = (0, 0);
        for bound in bounds {
            least = least.min(bound);
            most = most.max(if bound == NONE { 0 } else { bound });
        }
        if least >= i32::from(i8::MIN) && most < i32::from(i8::MAX) {
            Width::One
        } else if least >= i32::from(i16::MIN) && most < i32::from(i16::MAX) {
            Width::Two
        } else {
            Width::Four
        }
    }

    /// The number of bytes.
    pub(super) fn bytes(self) -> usize {
        1 << self.code()
    }

    fn code(self) -> u32 {
        self as u32
    }

    fn of_code(code: u32) -> Option<Width> {
        [Width::One, Width::Two, Width::Four].get(code as usize).copied()
    }
}

/// Appends bounds to a key, each with at least this width; `i32::MAX` is no bound.
pub fn push(state: &mut Vec<u8>, bounds: &[i32], least: Width) {
    let fitting = least.max(Width::of(bounds.iter().copied()));
    let width = if bounds.is_empty() { Width::One } else { fitting };
    match width {
        // A bound that does not fit is none.
        Width::One => {
            state.extend(bounds.iter().map(|&bound| i8::try_from(bound).unwrap_or(i8::MAX) as u8))
        }
        Width::Two => {
            let narrow = |&bound: &i32| i16::try_from(bound).unwrap_or(i16::MAX).to_le_bytes();
            state.extend(bounds.iter().flat_map(narrow));
        }
        Width::Four => state.extend(bounds.iter().flat_map(|bound| bound.to_le_bytes())),
    }
    let number = (bounds.len() as u32) << WIDTH_BITS | width.code();
    state.extend_from_slice(&number.to_le_bytes());
}

fn one_byte(byte: &u8) -> i32 {
    let bound = *byte as i8;
    if bound == i8::MAX { NONE } else { i32::from(bound) }
}

fn two_bytes(bytes: &[u8; 2]) -> i32 {
    let bound = i16::from_le_bytes(*bytes);
    if bound == i16::MAX { NONE } else { i32::from(bound) }
}

/// The bounds at the end of a state; `None` if it has another form.
pub fn read(state: &[u8]) -> Option<impl Iterator<Item = i32> + '_> {
    Some(split(state)?.1.iter())
}

/// The bounds of a state, as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) width: Width,
}

impl<'s> Bounds<'s> {
    /// No bounds.
    pub(super) const NONE: Bounds<'static> = Bounds { bytes: &[], width: Width::One };

    /// So many bounds.
    #[inline]
    pub(super) fn of_number(bytes: &'s [u8], number: u32) -> Bounds<'s> {
        let width = match bytes.len().cmp(&(2 * number as usize)) {
            _ if number == 0 => Width::One,
            Ordering::Less => Width::One,
            Ordering::Equal => Width::Two,
            Ordering::Greater => Width::Four,
        };
        Bounds { bytes, width }
    }

    fn iter(self) -> impl Iterator<Item = i32> + 's {
        let of_width = |width| if self.width == width { self.bytes } else { &[] };
        let one = of_width(Width::One).iter().map(one_byte);
        let two = of_width(Width::Two).as_chunks().0.iter().map(two_bytes);
        let four = of_width(Width::Four).as_chunks().0.iter();
        one.chain(two).chain(four.map(|&bound| i32::from_le_bytes(bound)))
    }

    /// Their number.
    pub(super) fn len(self) -> usize {
        self.bytes.len() / self.width.bytes()
    }

    /// Four of them, roughly, a byte each: no byte is greater than that of bounds that cover these.
    #[inline]
    pub(super) fn signature(self) -> u32 {
        let number = self.len();
        if number == 0 {
            return 0;
        }
        let byte = |lane: usize| rough(self.at((2 * lane + 1) * number / 8));
        u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    }

    /// A bound, by its number.
    #[inline]
    fn at(self, at: usize) -> i32 {
        match self.width {
            Width::One => one_byte(&self.bytes[at]),
            Width::Two => two_bytes(&self.bytes.as_chunks().0[at]),
            Width::Four => i32::from_le_bytes(self.bytes.as_chunks().0[at]),
        }
    }

    /// Appends them and their number to a key.
    pub(super) fn append_to(self, state: &mut Vec<u8>) {
        state.extend_from_slice(self.bytes);
        let number = (self.len() as u32) << WIDTH_BITS | self.width.code();
        state.extend_from_slice(&number.to_le_bytes());
    }
}

/// The key and the bounds; `None` if the state has another form.
pub(super) fn split(state: &[u8]) -> Option<(&[u8], Bounds<'_>)> {
    let (rest, number) = state.split_last_chunk::<NUMBER>()?;
    let number = u32::from_le_bytes(*number);
    let width = Width::of_code(number & ((1 << WIDTH_BITS) - 1))?;
    if number >> WIDTH_BITS == 0 && width != Width::One {
        return None;
    }
    let length = ((number >> WIDTH_BITS) as usize).checked_mul(width.bytes())?;
    let (key, bytes) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    Some((key, Bounds { bytes, width }))
}

/// A number that does not decrease as the bound grows: exact near 0, then with three leading bits.
#[inline]
fn rough(bound: i32) -> u8 {
    let size = bound.unsigned_abs();
    let rough = if size < 8 {
        size as u8
    } else {
        let digits = size.ilog2();
        (8 + (digits - 3) * 4 + (size >> (digits - 2) & 3)) as u8
    };
    if bound < 0 { 128 - rough } else { 128 + rough }
}

/// Whether each byte of a signature is at most that of another one.
#[inline]
pub(super) fn is_within(one: u32, other: u32) -> bool {
    const EVEN: u32 = 0x00ff_00ff;
    const CARRY: u32 = 0x0100_0100;
    let fits = |one: u32, other: u32| ((other & EVEN | CARRY) - (one & EVEN)) & CARRY;
    fits(one, other) & fits(one >> 8, other >> 8) == CARRY
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

/// Compares the bounds of two states with equal keys.
#[inline]
pub(super) fn compare(one: Bounds<'_>, other: Bounds<'_>) -> Comparison {
    match (one.width, other.width) {
        (Width::One, Width::One) => compare_bytes(one.bytes, other.bytes, |one, other| {
            order_of(one.iter().map(|&byte| byte as i8), other.iter().map(|&byte| byte as i8))
        }),
        (Width::Two, Width::Two) => compare_bytes(one.bytes, other.bytes, |one, other| {
            let (one, other) = (one.as_chunks().0.iter(), other.as_chunks().0.iter());
            let bound = |&bytes: &[u8; 2]| i16::from_le_bytes(bytes);
            order_of(one.map(bound), other.map(bound))
        }),
        _ => {
            let (is_larger, is_smaller) = order_of(one.iter(), other.iter());
            compared(is_larger, is_smaller)
        }
    }
}

/// Whether some bound is larger, and whether some is smaller. Without branches, so that several
/// bounds are compared at a time.
#[inline(always)]
fn order_of<T: Ord>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> (bool, bool) {
    let (mut is_larger, mut is_smaller) = (0_u8, 0_u8);
    for (one, other) in one.zip(other) {
        is_larger |= u8::from(one > other);
        is_smaller |= u8::from(one < other);
    }
    (is_larger != 0, is_smaller != 0)
}

/// Bytes that are compared before it is known that neither covers the other.
const BLOCK: usize = 32;
/// Bytes of a shorter block.
const SHORT: usize = 8;

/// Compares whole blocks. The last one may overlap the one before, which has no influence.
#[inline(always)]
fn compare_bytes(
    one: &[u8],
    other: &[u8],
    order: impl Fn(&[u8], &[u8]) -> (bool, bool),
) -> Comparison {
    let (mut is_larger, mut is_smaller) = (false, false);
    let mut add = |(larger, smaller): (bool, bool)| {
        is_larger |= larger;
        is_smaller |= smaller;
        is_larger && is_smaller
    };
    if let (Some(last), Some(other_last)) = (one.last_chunk(), other.last_chunk()) {
        let blocks = one.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
        for (one, other) in blocks.chain([(last, other_last)]) {
            if add(order(one, other)) {
                return Comparison::Incomparable;
            }
        }
    } else {
        let (blocks, rest) = one.as_chunks::<SHORT>();
        let (other_blocks, other_rest) = other.as_chunks::<SHORT>();
        for (one, other) in blocks.iter().zip(other_blocks) {
            if add(order(one, other)) {
                return Comparison::Incomparable;
            }
        }
        add(order(rest, other_rest));
    }
    compared(is_larger, is_smaller)
}

fn compared(is_larger: bool, is_smaller: bool) -> Comparison {
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
    fn bounds_of_all_widths_are_read_and_compared() {
        let state = |bounds: &[i32], width: Width| {
            let mut state = b"key".to_vec();
            push(&mut state, bounds, width);
            state
        };
        let limits = [
            0,
            -1,
            126,
            127,
            -128,
            -129,
            32_766,
            32_767,
            -32_768,
            -32_769,
            i32::MAX,
            i32::MIN,
            70_000,
        ];
        for (a, width) in limits.into_iter().flat_map(|a| [Width::One, Width::Two].map(|w| (a, w)))
        {
            for b in limits {
                let all = [a, 5, b];
                let read: Vec<i32> = read(&state(&all, width)).expect("it has bounds").collect();
                assert_eq!(read, all);
                let wanted = match a.cmp(&b) {
                    std::cmp::Ordering::Less => Comparison::IsCovered,
                    std::cmp::Ordering::Equal => Comparison::Equal,
                    std::cmp::Ordering::Greater => Comparison::Covers,
                };
                let (one, other) = (state(&[1, a], width), state(&[1, b], Width::One));
                let (one, other) = (split(&one).expect("bounds"), split(&other).expect("bounds"));
                assert_eq!(compare(one.1, other.1), wanted, "{a} {b}");
                assert_eq!((one.0, one.1.len()), (&b"key"[..], 2));
            }
        }
        assert_eq!(state(&[1; 40], Width::One).len(), 3 + 40 + 4);
        assert_eq!(state(&[1; 40], Width::Two).len(), 3 + 80 + 4);
    }

    #[test]
    fn signatures_follow_the_order_of_bounds() {
        let mut rng = beeline_kernel::SplitMix64::new(5);
        let mut numbers: Vec<i32> = (-300..300).chain([i32::MIN, i32::MAX - 1, i32::MAX]).collect();
        numbers.extend((0..2_000).map(|_| rng.below(1 << 32) as u32 as i32));
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| rough(pair[0]) <= rough(pair[1])));
        let signature = |bounds: &[i32], width| {
            let mut state = Vec::new();
            push(&mut state, bounds, width);
            split(&state).expect("bounds").1.signature()
        };
        let mut apart = 0;
        for number in [1, 2, 3, 6, 12, 42, 110] {
            for _ in 0..300 {
                let one: Vec<i32> = (0..number).map(|_| rng.below(60) as i32 - 20).collect();
                let more: Vec<i32> = one.iter().map(|&b| b + rng.below(99) as i32).collect();
                let other: Vec<i32> = one.iter().map(|&b| b + rng.below(99) as i32 - 49).collect();
                let signatures = [Width::One, Width::Two].map(|width| signature(&one, width));
                assert_eq!(signatures[0], signatures[1]);
                assert!(is_within(signatures[0], signature(&more, Width::Two)));
                apart += u32::from(!is_within(signatures[0], signature(&other, Width::One)));
            }
        }
        assert!(apart > 500, "{apart}");
        for (one, other) in [(0x01_00_00_00, 0), (0x01_00, 0xff_00_ff), (0xff, 0xfe)] {
            assert!(!is_within(one, other) && is_within(other & one, one));
        }
    }

    #[test]
    fn bounds_behind_the_first_block_count() {
        for (width, number) in [(Width::One, 100), (Width::Two, 50), (Width::Four, 20)] {
            let state = |at: usize, bound: i32| {
                let mut bounds = vec![3; number];
                bounds[at] = bound;
                let mut state = Vec::new();
                push(&mut state, &bounds, width);
                state
            };
            let compare = |one: &[u8], other: &[u8]| {
                compare(split(one).expect("bounds").1, split(other).expect("bounds").1)
            };
            for at in 0..number {
                let (less, equal, more) = (state(at, 2), state(at, 3), state(at, 4));
                assert_eq!(compare(&less, &equal), Comparison::IsCovered);
                assert_eq!(compare(&more, &equal), Comparison::Covers);
                assert_eq!(compare(&equal, &equal), Comparison::Equal);
                if at > 0 {
                    assert_eq!(compare(&more, &state(0, 4)), Comparison::Incomparable);
                }
            }
        }
    }
}
