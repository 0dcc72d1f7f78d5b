//! Comparison of verdicts with expectations.

use beeline_checker::{Comparison, Expectation};
use beeline_source::expect::Expected;

use crate::base::exit::Exit;

/// The expected verdict of a property, and its comparison with the verdict.
pub(crate) struct Judged {
    pub(crate) expectation: Expectation,
    pub(crate) comparison: Comparison,
}

impl Judged {
    pub(crate) fn is_met(&self) -> bool {
        self.comparison.is_met()
    }

    pub(crate) fn expected(&self) -> Expected {
        self.expectation.verdict
    }

    /// Why the verdict is not as expected.
    pub(crate) fn complaint(&self) -> Option<&str> {
        match &self.comparison {
            Comparison::Met => None,
            Comparison::Missed(why) | Comparison::Open(why) => Some(why),
        }
    }

    /// The comparison as the end of a line.
    pub(crate) fn words(&self) -> String {
        match self.complaint() {
            None => ", as expected".to_owned(),
            Some(why) => format!(", not as expected: {why}"),
        }
    }
}

/// The exit code when verdicts were expected.
pub(crate) fn exit(judged: &[Judged]) -> Exit {
    let any = |test: fn(&Comparison) -> bool| judged.iter().any(|one| test(&one.comparison));
    if any(|comparison| matches!(comparison, Comparison::Missed(_))) {
        Exit::Violated
    } else if any(|comparison| matches!(comparison, Comparison::Open(_))) {
        Exit::Unknown
    } else {
        Exit::Success
    }
}
