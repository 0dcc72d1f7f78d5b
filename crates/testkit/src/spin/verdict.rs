//! Results of SPIN's verifier for cycles and claims.

use std::time::Duration;

use super::{OracleError, Pan};

/// A query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked<'a> {
    /// Whether the query is about cycles without progress; otherwise about acceptance.
    pub progress: bool,
    /// Whether only weakly fair cycles count.
    pub fair: bool,
    /// The name of the claim, if there are several.
    pub claim: Option<&'a str>,
    /// Whether to continue after the first error.
    pub all: bool,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A counterexample, with SPIN's message.
    Violated(String),
    /// A complete search without errors.
    Holds,
    /// An error of another kind.
    Elsewhere(String),
    /// An incomplete search.
    Unfinished,
}

/// Messages about a cycle, or about the end of a claim.
const OBJECTIONS: [&str; 5] = [
    "acceptance cycle",
    "accept stutter",
    "non-progress cycle",
    "end state in claim reached",
    "claim violated",
];

impl Asked<'_> {
    /// Options of the C compiler: a complete search, with room for the counters of fairness.
    #[must_use]
    pub fn defines(progress: bool) -> &'static [&'static str] {
        match progress {
            true => &["-DNOREDUCE", "-DNFAIR=4", "-DVECTORSZ=8192", "-DNP"],
            false => &["-DNOREDUCE", "-DNFAIR=4", "-DVECTORSZ=8192"],
        }
    }

    fn options(&self) -> Vec<&str> {
        let mut options = vec![if self.progress { "-l" } else { "-a" }, "-E", "-w20", "-m300000"];
        options.extend(self.fair.then_some("-f"));
        options.extend(self.all.then_some("-c0"));
        if let Some(name) = self.claim {
            options.extend(["-N", name]);
        }
        options
    }
}

impl Pan {
    /// Queries cycles. `is_meant` selects the failed assertions that belong to the claim: SPIN
    /// writes assertions into the claims that it makes of formulas.
    ///
    /// # Errors
    /// When the verifier cannot be started.
    pub fn ask(
        &self,
        asked: &Asked<'_>,
        is_meant: impl Fn(&str) -> bool,
        limit: Duration,
    ) -> Result<Said, OracleError> {
        match self.run(&asked.options(), limit) {
            Ok(finished) => Ok(Said::parse(&finished.output(), is_meant)),
            Err(OracleError::Timeout(..)) => Ok(Said::Unfinished),
            Err(error) => Err(error),
        }
    }
}

impl Said {
    /// Parses the output of the verifier.
    pub fn parse(output: &str, is_meant: impl Fn(&str) -> bool) -> Said {
        let complaints = || {
            output.lines().filter_map(|line| {
                let (_, rest) = line.split_once("pan:")?;
                let (number, complaint) = rest.split_once(": ")?;
                number.parse::<u64>().is_ok().then_some(complaint)
            })
        };
        let objects = |complaint: &&str| {
            let assertion = complaint.strip_prefix("assertion violated ");
            OBJECTIONS.iter().any(|one| complaint.starts_with(one))
                || assertion.is_some_and(&is_meant)
        };
        if let Some(objection) = complaints().find(objects) {
            return Said::Violated(objection.to_owned());
        }
        let is_cut = ["max search depth too small", "Search not completed", "out of memory"];
        let is_cut = is_cut.iter().any(|word| output.contains(word));
        match complaints().next() {
            Some(complaint) => Said::Elsewhere(complaint.to_owned()),
            None if output.contains("errors: 0") && !is_cut => Said::Holds,
            None => Said::Unfinished,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_the_claim_is_told_from_the_rest() {
        let said = |text: &str| Said::parse(text, |text| text.starts_with(" !("));
        let cycle = said("pan:1: acceptance cycle (at depth 3)\nerrors: 1\n");
        assert_eq!(cycle, Said::Violated("acceptance cycle (at depth 3)".to_owned()));
        let own = said("hello pan:1: assertion violated  !( !(x)) (at depth 3)\n");
        assert!(matches!(own, Said::Violated(_)));
        let other = said("pan:1: assertion violated (x==1) (at depth 3)\n");
        assert!(matches!(other, Said::Elsewhere(_)));
        let later = said("pan:1: assertion violated (x==1)\npan:2: acceptance cycle (at\n");
        assert!(matches!(later, Said::Violated(_)));
        assert_eq!(said("State-vector 20 byte, depth reached 3, errors: 0\n"), Said::Holds);
        assert_eq!(said("max search depth too small\n errors: 0\n"), Said::Unfinished);
        assert_eq!(said("Segmentation fault\n"), Said::Unfinished);
    }
}
