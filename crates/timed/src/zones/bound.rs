//! Bounds of differences: `< c`, `<= c`, or none.
//!
//! Source: \[BY04\]. A bound is one number, twice the constant and one more if it is not strict,
//! so that a smaller number is a tighter bound.

/// A bound of a difference of clocks.
pub type Bound = i32;

/// No bound.
pub const UNBOUNDED: Bound = i32::MAX;

/// `<= 0`.
pub const LE_ZERO: Bound = 1;

/// The largest constant: twice a sum of two fits in 32 bits.
pub const LARGEST: i32 = (1 << 29) - 1;

/// `<= constant`.
pub const fn at_most(constant: i32) -> Bound {
    2 * constant + 1
}

/// `< constant`.
pub const fn below(constant: i32) -> Bound {
    2 * constant
}

/// The constant of a bound.
pub const fn constant(bound: Bound) -> i32 {
    bound >> 1
}

/// Whether a bound is strict.
pub const fn is_strict(bound: Bound) -> bool {
    bound & 1 == 0
}

/// The bound of a sum of differences.
#[inline]
pub const fn sum(one: Bound, other: Bound) -> Bound {
    if one == UNBOUNDED || other == UNBOUNDED {
        UNBOUNDED
    } else {
        (one & !1) + (other & !1) + (one & other & 1)
    }
}

/// The bound of the negated difference where this one does not hold.
pub const fn negated(bound: Bound) -> Bound {
    // not (d <= c) is -d < -c, not (d < c) is -d <= -c.
    1 - bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_ordered_added_and_negated() {
        assert!(below(3) < at_most(3) && at_most(3) < below(4) && at_most(9) < UNBOUNDED);
        assert_eq!(sum(at_most(2), at_most(-5)), at_most(-3));
        assert_eq!(sum(at_most(2), below(-5)), below(-3));
        assert_eq!(sum(below(2), below(3)), below(5));
        assert_eq!(sum(below(2), UNBOUNDED), UNBOUNDED);
        assert_eq!(negated(at_most(4)), below(-4));
        assert_eq!(negated(below(-4)), at_most(4));
        assert_eq!((constant(below(-3)), constant(at_most(-3))), (-3, -3));
    }
}
