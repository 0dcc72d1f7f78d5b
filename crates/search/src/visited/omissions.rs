//! Omissions of a lossy set: an estimate, not a bound.
//!
//! A new state is omitted when its fingerprint equals that of a visited one. The probability is
//! known at each insertion; the sum is the expected number of omissions. States that are reachable
//! only through omitted ones are not counted: they were never inserted.

use std::fmt;

/// An estimate of the states that a lossy set took for visited ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Omissions {
    /// The expected number of omitted states.
    pub expected: f64,
    /// The expected number of all states.
    pub of: f64,
}

impl Omissions {
    /// An estimate for `known` states in the set, and `expected` omitted ones.
    pub(crate) fn new(known: usize, expected: f64) -> Omissions {
        Omissions { expected, of: known as f64 + expected }
    }

    /// The probability of at least one omission, if omissions are rare and independent.
    pub fn probability(&self) -> f64 {
        -(-self.expected).exp_m1()
    }

    /// The omissions common to two independent runs.
    #[must_use]
    pub fn both(self, other: Omissions) -> Omissions {
        let of = self.of.max(other.of);
        let share = |one: Omissions| if one.of > 0.0 { one.expected / one.of } else { 0.0 };
        Omissions { expected: share(self) * share(other) * of, of }
    }
}

impl fmt::Display for Omissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, of) = (brief(self.expected), brief(self.of));
        let any = brief(self.probability());
        write!(f, "expected number {expected} of {of}, probability of at least one {any}")
    }
}

/// A number with the digits that are significant in an estimate.
fn brief(number: f64) -> String {
    if number == 0.0 || number >= 9.5 {
        format!("{number:.0}")
    } else if number >= 0.001 {
        let text = format!("{number:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{number:.0e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_told_briefly() {
        let told = |known, expected| Omissions::new(known, expected).to_string();
        assert_eq!(told(1000, 0.0), "expected number 0 of 1000, probability of at least one 0");
        assert_eq!(
            told(1_000_000, 2.7e-8),
            "expected number 3e-8 of 1000000, probability of at least one 3e-8"
        );
        assert_eq!(
            told(100, 1.25),
            "expected number 1.25 of 101, probability of at least one 0.713"
        );
        assert_eq!(told(100, 900.4), "expected number 900 of 1000, probability of at least one 1");
    }

    #[test]
    fn two_searches_overlook_less_than_one() {
        let one = Omissions { expected: 256.0, of: 1024.0 };
        let two = Omissions { expected: 64.0, of: 512.0 };
        assert_eq!(one.both(two), Omissions { expected: 32.0, of: 1024.0 });
        assert_eq!(Omissions::default().both(one).expected, 0.0);
    }
}
