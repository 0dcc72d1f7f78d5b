//! Options of expected verdicts: `--expect` and `--expect-from-source`.
//!
//! Without them every property is expected to hold, which the exit codes reflect. With them, a
//! property without an expectation is still expected to hold.

use beeline_checker::Expectation;
use beeline_source::expect::Expected;
use clap::Args;

use crate::args::error::ArgumentError;
use crate::args::heading;

/// The options.
#[derive(Debug, Args)]
pub(crate) struct Expecting {
    /// Expected verdict, holds, violated or unknown: of all properties, or of one as in
    /// deadlock=violated; repeatable. The exit code then is 0 if all verdicts are as expected, 1
    /// if not, 2 if one is unknown unexpectedly
    #[arg(help_heading = heading::EXPECTATIONS)]
    #[arg(long, value_name = "[P=]VERDICT", value_parser = parse_expected)]
    pub(crate) expect: Vec<ExpectedVerdict>,
    /// Expect the verdicts in the first line of the model, as in
    /// /* expect: deadlock at depth 8; ltl p holds */
    #[arg(help_heading = heading::EXPECTATIONS, long)]
    pub(crate) expect_from_source: bool,
}

/// An expectation on the command line; without a name, one about every property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExpectedVerdict {
    pub(crate) property: Option<String>,
    verdict: Expected,
}

impl Expecting {
    /// The expectation of the command line for a property: the last option that names it, or else
    /// the last one for all properties.
    pub(crate) fn stated(&self, name: &str) -> Option<Expectation> {
        let last = |property: Option<&str>| {
            self.expect.iter().rev().find(|expected| expected.property.as_deref() == property)
        };
        let expected = last(Some(name)).or_else(|| last(None))?;
        Some(Expectation { verdict: expected.verdict, depth: None })
    }
}

/// `VERDICT` or `PROPERTY=VERDICT`.
fn parse_expected(text: &str) -> Result<ExpectedVerdict, ArgumentError> {
    let (property, verdict) = match text.rsplit_once('=') {
        Some((property, verdict)) => (Some(property.trim()), verdict.trim()),
        None => (None, text),
    };
    if property == Some("") {
        return Err(ArgumentError::PropertyMissing);
    }
    let named = Expected::named(verdict);
    let verdict = named.ok_or_else(|| ArgumentError::Verdict(verdict.to_owned()))?;
    Ok(ExpectedVerdict { property: property.map(str::to_owned), verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(property: Option<&str>, verdict: Expected) -> ExpectedVerdict {
        ExpectedVerdict { property: property.map(str::to_owned), verdict }
    }

    #[test]
    fn wishes_are_about_one_property_or_all() {
        let check = |text, property, verdict| {
            assert_eq!(parse_expected(text), Ok(wish(property, verdict)), "{text}");
        };
        check("holds", None, Expected::Holds);
        check("deadlock=violated", Some("deadlock"), Expected::Violated);
        check("invariant: x == 4 = unknown", Some("invariant: x == 4"), Expected::Unknown);
        for bad in ["", "safe", "=holds", "deadlock=", "deadlock=no"] {
            assert!(parse_expected(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_word_about_a_property_counts() {
        let expect = vec![
            wish(Some("p"), Expected::Holds),
            wish(None, Expected::Violated),
            wish(Some("p"), Expected::Unknown),
        ];
        let expecting = Expecting { expect, expect_from_source: false };
        let verdict = |name| expecting.stated(name).map(|expectation| expectation.verdict);
        assert_eq!(verdict("p"), Some(Expected::Unknown));
        assert_eq!(verdict("q"), Some(Expected::Violated));
    }
}
