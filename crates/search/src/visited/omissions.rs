//! What was probably overlooked: an estimate, not a bound.
//!
//! A state is overlooked when it looks like one that is there. How likely that is, is known
//! at each moment; summed up, it gives the number of states to expect. States that can be
//! reached only through overlooked ones are not in it: they were never generated.

use std::fmt;

/// States that were probably overlooked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Omissions {
    /// How many to expect.
    pub expected: f64,
    /// Of how many that there probably are.
    pub of: f64,
}

impl Omissions {
    /// Of `known` states that were recognised, and `expected` ones that were overlooked.
    pub(crate) fn new(known: usize, expected: f64) -> Omissions {
        Omissions { expected, of: known as f64 + expected }
    }

    /// How likely it is that a state was overlooked at all, where omissions are rare and
    /// have nothing to do with one another.
    pub fn probability(&self) -> f64 {
        -(-self.expected).exp_m1()
    }

    /// What two independent searches have both overlooked.
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
        write!(f, "about {expected} of {of} (probability {})", brief(self.probability()))
    }
}

/// As many digits as an estimate deserves.
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
        assert_eq!(told(1000, 0.0), "about 0 of 1000 (probability 0)");
        assert_eq!(told(1_000_000, 2.7e-8), "about 3e-8 of 1000000 (probability 3e-8)");
        assert_eq!(told(100, 1.25), "about 1.25 of 101 (probability 0.713)");
        assert_eq!(told(100, 900.4), "about 900 of 1000 (probability 1)");
    }

    #[test]
    fn two_searches_overlook_less_than_one() {
        let one = Omissions { expected: 256.0, of: 1024.0 };
        let two = Omissions { expected: 64.0, of: 512.0 };
        assert_eq!(one.both(two), Omissions { expected: 32.0, of: 1024.0 });
        assert_eq!(Omissions::default().both(one).expected, 0.0);
    }
}
