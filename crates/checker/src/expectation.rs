//! Expected verdicts, and their comparison with the verdicts of a check.

use beeline_source::expect::{Expect, Expected};

use beeline_model::Verdict;

/// The expected verdict on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Expected,
    /// The length of a shortest trail, counted in steps as the check counts them.
    pub depth: Option<u32>,
}

/// The comparison of a verdict with an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The verdict is the expected one.
    Met,
    /// The verdict is another one; the text has the expectation.
    Missed(String),
    /// The verdict is *unknown*, and another one was expected.
    Open(String),
}

impl Comparison {
    /// Whether the expectation is met.
    pub fn is_met(&self) -> bool {
        *self == Comparison::Met
    }
}

impl Expectation {
    /// The default expectation.
    pub const HOLDS: Expectation = Expectation { verdict: Expected::Holds, depth: None };

    /// The expectation for a property in a header. Headers count steps without statement merging,
    /// so depths apply to plain checks only.
    pub fn stated(header: &Expect, property: &str, plain: bool) -> Option<Expectation> {
        let (_, verdict, depth) = header.verdicts().find(|(name, ..)| *name == property)?;
        Some(Expectation { verdict, depth: depth.filter(|_| plain) })
    }

    /// Compares a verdict with the expectation.
    pub fn compare(&self, verdict: &Verdict) -> Comparison {
        let wanted = self.verdict.name();
        if kind_of(verdict) != self.verdict {
            let text = format!("expected {wanted}");
            return match verdict {
                Verdict::Unknown(_) => Comparison::Open(text),
                Verdict::Holds | Verdict::Violated(_) => Comparison::Missed(text),
            };
        }
        let (Verdict::Violated(violations), Some(depth)) = (verdict, self.depth) else {
            return Comparison::Met;
        };
        let depth = u64::from(depth);
        let shortest =
            violations.iter().map(|violation| violation.length.steps).min().unwrap_or(depth);
        let bound =
            violations.iter().map(|violation| violation.length.lower_bound).min().unwrap_or(depth);
        if shortest < depth || bound > depth {
            return Comparison::Missed(format!("expected a shortest trail of {depth} steps"));
        }
        Comparison::Met
    }
}

/// The kind of a verdict.
pub fn kind_of(verdict: &Verdict) -> Expected {
    match verdict {
        Verdict::Holds => Expected::Holds,
        Verdict::Violated(_) => Expected::Violated,
        Verdict::Unknown(_) => Expected::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use beeline_model::{Certificate, ErrorKind, Reason, Trail, Violation};

    use super::*;

    fn violated(steps: u64, lower_bound: u64) -> Verdict {
        let trail = Trail::default();
        Verdict::Violated(vec![Violation {
            error: ErrorKind::InvalidEnd,
            trail,
            length: Certificate { steps, lower_bound },
            cycle: None,
        }])
    }

    fn check(header: &str, plain: bool, verdict: &Verdict, met: bool) {
        let header = Expect::parse(&format!("/* expect: {header} */")).expect("it can be read");
        let expected = Expectation::stated(&header, "deadlock", plain);
        let expected = expected.unwrap_or(Expectation::HOLDS);
        let comparison = expected.compare(verdict);
        assert_eq!(comparison.is_met(), met, "{expected:?} {verdict:?}");
        let open = matches!(comparison, Comparison::Open(_));
        assert_eq!(open, !met && matches!(verdict, Verdict::Unknown(_)));
    }

    #[test]
    fn verdicts_are_compared() {
        let unknown = Verdict::Unknown(Reason::InitialFault);
        check("safe", true, &Verdict::Holds, true);
        check("safe", true, &violated(3, 3), false);
        check("safe", true, &unknown, false);
        check("deadlock", true, &violated(3, 3), true);
        check("deadlock", true, &Verdict::Holds, false);
        check("deadlock unknown", true, &unknown, true);
        check("deadlock unknown", true, &Verdict::Holds, false);
        check("never violated", true, &Verdict::Holds, true);
    }

    #[test]
    fn a_depth_is_the_length_of_a_shortest_trail() {
        check("deadlock at depth 3", true, &violated(3, 3), true);
        check("deadlock at depth 3", true, &violated(9, 1), true);
        check("deadlock at depth 3", true, &violated(2, 1), false);
        check("deadlock at depth 3", true, &violated(4, 4), false);
        check("deadlock at depth 3", false, &violated(2, 2), true);
    }
}
