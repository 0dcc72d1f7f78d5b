//! What someone expects of a property, and whether it came so.

use beeline_promela::expect::{Expect, Expected};

use crate::check::Answer;

/// What is expected of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Expected,
    /// The length of a shortest trail, counted in steps as the check counts them.
    pub depth: Option<u32>,
}

/// How an answer compares with an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is what was expected.
    Met,
    /// It is not, for this reason.
    Missed(String),
    /// A verdict was expected, and there is none.
    Open(String),
}

impl Comparison {
    /// Whether it came as expected.
    pub fn is_met(&self) -> bool {
        *self == Comparison::Met
    }
}

impl Expectation {
    /// The expectation of everyone who says nothing else.
    pub const HOLDS: Expectation = Expectation { verdict: Expected::Holds, depth: None };

    /// What a header says about a property. It counts the steps of the plain language, so
    /// depths are of use in a plain check only.
    pub fn stated(header: &Expect, property: &str, plain: bool) -> Option<Expectation> {
        let (_, verdict, depth) = header.verdicts().find(|(name, ..)| *name == property)?;
        Some(Expectation { verdict, depth: depth.filter(|_| plain) })
    }

    /// Compares an answer with it.
    pub fn compare(&self, answer: &Answer) -> Comparison {
        let wanted = self.verdict.name();
        if answer.verdict() != self.verdict {
            let text = format!("expected {wanted}");
            return match answer {
                Answer::Unknown(_) => Comparison::Open(text),
                Answer::Holds | Answer::Violated(_) => Comparison::Missed(text),
            };
        }
        let (Answer::Violated(violations), Some(depth)) = (answer, self.depth) else {
            return Comparison::Met;
        };
        let depth = u64::from(depth);
        let shortest = violations.iter().map(|violation| violation.steps).min().unwrap_or(depth);
        let bound = violations.iter().map(|violation| violation.lower_bound).min().unwrap_or(depth);
        if shortest < depth || bound > depth {
            return Comparison::Missed(format!("expected a shortest trail of {depth} steps"));
        }
        Comparison::Met
    }
}

impl Answer {
    /// The verdict alone.
    pub fn verdict(&self) -> Expected {
        match self {
            Answer::Holds => Expected::Holds,
            Answer::Violated(_) => Expected::Violated,
            Answer::Unknown(_) => Expected::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use beeline_engine::trail::TrailFile;

    use super::*;
    use crate::witness::{Violation, Wrong};

    fn violated(steps: u64, lower_bound: u64) -> Answer {
        let trail = TrailFile::default();
        Answer::Violated(vec![Violation {
            wrong: Wrong::InvalidEnd,
            trail,
            steps,
            lower_bound,
            cycle: None,
        }])
    }

    fn check(header: &str, plain: bool, answer: &Answer, met: bool) {
        let header = Expect::parse(&format!("/* expect: {header} */")).expect("it can be read");
        let expected = Expectation::stated(&header, "deadlock", plain);
        let expected = expected.unwrap_or(Expectation::HOLDS);
        let comparison = expected.compare(answer);
        assert_eq!(comparison.is_met(), met, "{expected:?} {answer:?}");
        let open = matches!(comparison, Comparison::Open(_));
        assert_eq!(open, !met && matches!(answer, Answer::Unknown(_)));
    }

    #[test]
    fn verdicts_are_compared() {
        let unknown = Answer::Unknown(String::new());
        check("safe", true, &Answer::Holds, true);
        check("safe", true, &violated(3, 3), false);
        check("safe", true, &unknown, false);
        check("deadlock", true, &violated(3, 3), true);
        check("deadlock", true, &Answer::Holds, false);
        check("deadlock unknown", true, &unknown, true);
        check("deadlock unknown", true, &Answer::Holds, false);
        check("never violated", true, &Answer::Holds, true);
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
