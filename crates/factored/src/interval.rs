//! Interval arithmetic.

use crate::arithmetic::{Binary, IntWidth, Unary, apply};

/// An interval. An operation that may wrap around yields all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least.
    pub least: i64,
    /// The greatest; an interval is never empty.
    pub greatest: i64,
}

impl Interval {
    /// 0 and 1.
    pub const TRUTH: Interval = Interval { least: 0, greatest: 1 };
    /// All values.
    pub const ALL: Interval = Interval { least: i32::MIN as i64, greatest: i32::MAX as i64 };

    /// A single value.
    #[inline]
    pub fn one(value: i32) -> Interval {
        Interval { least: i64::from(value), greatest: i64::from(value) }
    }

    /// Its value, if it has only one.
    #[inline]
    pub fn single(self) -> Option<i32> {
        (self.least == self.greatest).then_some(self.least as i32)
    }

    /// Number of values.
    pub fn size(self) -> u64 {
        (self.greatest - self.least + 1) as u64
    }

    /// Whether it contains a value.
    #[inline]
    pub fn contains(self, value: i32) -> bool {
        self.least <= i64::from(value) && i64::from(value) <= self.greatest
    }

    /// Whether it contains another interval.
    pub fn covers(self, other: Interval) -> bool {
        self.least <= other.least && other.greatest <= self.greatest
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }

    /// The intersection.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let met = Interval {
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
        };
        (met.least <= met.greatest).then_some(met)
    }

    /// Whether it has a value other than 0.
    #[inline]
    pub fn may_be_true(self) -> bool {
        self.least != 0 || self.greatest != 0
    }

    /// Whether it contains 0.
    #[inline]
    pub fn may_be_false(self) -> bool {
        self.contains(0)
    }

    /// All values, if a result may have wrapped around.
    fn or_all(self) -> Interval {
        if Interval::ALL.covers(self) { self } else { Interval::ALL }
    }

    /// The interval of a unary operation.
    #[must_use]
    pub fn unary(self, op: Unary) -> Interval {
        match op {
            Unary::Not => truth(self.may_be_true(), self.may_be_false()),
            Unary::Negate => Interval { least: -self.greatest, greatest: -self.least }.or_all(),
            Unary::BitNot => Interval { least: -1 - self.greatest, greatest: -1 - self.least },
            Unary::Cut(width) => {
                let all = width.interval();
                match self.single() {
                    Some(value) => Interval::one(width.cut(value)),
                    None if all.covers(self) => self,
                    None => all,
                }
            }
        }
    }

    /// The interval of a binary operation; `None` if it has no value.
    pub fn binary(self, op: Binary, other: Interval) -> Option<Interval> {
        if let (Some(a), Some(b)) = (self.single(), other.single()) {
            return apply(op, a, b).map(Interval::one);
        }
        let (a, b) = (self, other);
        Some(match op {
            Binary::Add => {
                Interval { least: a.least + b.least, greatest: a.greatest + b.greatest }.or_all()
            }
            Binary::Subtract => {
                Interval { least: a.least - b.greatest, greatest: a.greatest - b.least }.or_all()
            }
            Binary::Multiply => corners(a, b, |x, y| x * y),
            Binary::Divide => divide(a, b)?,
            Binary::Modulo => {
                let most = b.least.abs().max(b.greatest.abs()).max(1) - 1;
                if a.least >= 0 && b.least > a.greatest {
                    return Some(a);
                }
                let least = if a.least >= 0 { 0 } else { (-most).max(a.least) };
                let greatest = if a.greatest <= 0 { 0 } else { most.min(a.greatest) };
                Interval { least, greatest }
            }
            Binary::BitAnd if a.least >= 0 || b.least >= 0 => {
                let most = |one: Interval| if one.least >= 0 { one.greatest } else { i64::MAX };
                Interval { least: 0, greatest: most(a).min(most(b)) }
            }
            Binary::BitOr | Binary::BitXor if a.least >= 0 && b.least >= 0 => {
                let most = a.greatest.max(b.greatest) as u64;
                let greatest = ((most + 1).next_power_of_two() - 1) as i64;
                Interval { least: 0, greatest }
            }
            Binary::ShiftLeft if a.least >= 0 && b.least >= 0 && b.greatest < 31 => {
                Interval { least: a.least << b.least, greatest: a.greatest << b.greatest }.or_all()
            }
            Binary::ShiftRight if a.least >= 0 && b.least >= 0 && b.greatest < 32 => {
                Interval { least: a.least >> b.greatest, greatest: a.greatest >> b.least }
            }
            Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => Interval::ALL,
            Binary::Less => truth(a.greatest >= b.least, a.least < b.greatest),
            Binary::LessEqual => truth(a.greatest > b.least, a.least <= b.greatest),
            Binary::Equal => truth(true, a.meet(b).is_some()),
            Binary::NotEqual => truth(a.meet(b).is_some(), true),
            Binary::And => {
                truth(a.may_be_false() || b.may_be_false(), a.may_be_true() && b.may_be_true())
            }
            Binary::Or => {
                truth(a.may_be_false() && b.may_be_false(), a.may_be_true() || b.may_be_true())
            }
        })
    }
}

impl IntWidth {
    /// The values of this width.
    pub fn interval(self) -> Interval {
        match self {
            IntWidth::Bits(bits) => Interval { least: 0, greatest: (1i64 << bits) - 1 },
            IntWidth::Short => {
                Interval { least: i64::from(i16::MIN), greatest: i64::from(i16::MAX) }
            }
        }
    }
}

/// The interval of the possible truth values.
fn truth(false_: bool, true_: bool) -> Interval {
    Interval { least: i64::from(!false_), greatest: i64::from(true_) }
}

fn corners(a: Interval, b: Interval, of: impl Fn(i64, i64) -> i64) -> Interval {
    let all = [
        of(a.least, b.least),
        of(a.least, b.greatest),
        of(a.greatest, b.least),
        of(a.greatest, b.greatest),
    ];
    let least = all.into_iter().fold(i64::MAX, i64::min);
    let greatest = all.into_iter().fold(i64::MIN, i64::max);
    Interval { least, greatest }.or_all()
}

/// The quotients; `None` if the divisor is 0.
fn divide(a: Interval, b: Interval) -> Option<Interval> {
    let below = b.meet(Interval { least: i64::MIN, greatest: -1 });
    let above = b.meet(Interval { least: 1, greatest: i64::MAX });
    let one = |part: Interval| corners(a, part, |x, y| x / y);
    match (below.map(one), above.map(one)) {
        (Some(below), Some(above)) => Some(below.hull(above)),
        (below, above) => below.or(above),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_is_in_the_interval_of_results() {
        let bounds = [i32::MIN, -300, -2, -1, 0, 1, 2, 3, 7, 255, 256, 70_000, i32::MAX];
        let mut intervals = Vec::new();
        for (at, &least) in bounds.iter().enumerate() {
            for &greatest in &bounds[at..] {
                intervals.push((least, greatest));
            }
        }
        let inside = |(least, greatest): (i32, i32)| {
            bounds.into_iter().filter(move |value| (least..=greatest).contains(value))
        };
        let interval = |(least, greatest)| Interval::one(least).hull(Interval::one(greatest));
        for &a in &intervals {
            for op in [Unary::Not, Unary::Negate, Unary::BitNot]
                .into_iter()
                .chain([IntWidth::Bits(1), IntWidth::Bits(8), IntWidth::Short].map(Unary::Cut))
            {
                let result = interval(a).unary(op);
                for value in inside(a) {
                    let exact = match op {
                        Unary::Not => i32::from(value == 0),
                        Unary::Negate => value.wrapping_neg(),
                        Unary::BitNot => !value,
                        Unary::Cut(width) => width.cut(value),
                    };
                    assert!(result.contains(exact), "{op:?} {value}: {exact} in {result:?}");
                }
            }
            for &b in &intervals {
                for op in Binary::ALL {
                    let result = interval(a).binary(op, interval(b));
                    for (x, y) in inside(a).flat_map(|x| inside(b).map(move |y| (x, y))) {
                        let Some(exact) = apply(op, x, y) else { continue };
                        let found = result.is_some_and(|result| result.contains(exact));
                        assert!(found, "{x} {op:?} {y}: {exact} in {result:?}");
                    }
                }
            }
        }
    }
}
