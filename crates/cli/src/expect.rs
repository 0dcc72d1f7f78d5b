//! What someone expects of a check: `--expect` and `--expect-from-source`.
//!
//! Without them every property is expected to hold, and that is what exit codes say. With
//! them, a property that nobody speaks of is still expected to hold.

use beeline_checker::{CheckReport, Comparison, Expectation, Property, properties, select};
use beeline_promela::diagnostic::Diagnostic;
use beeline_promela::hir::Model;
use beeline_promela::source::Span;
use beeline_source::expect::{CLAUSES, Expect, Expected};
use clap::Args;

use crate::exit::Exit;
use crate::loaded::LoadedModel;

/// The options.
#[derive(Debug, Args)]
pub(crate) struct Expecting {
    /// What should come out, holds, violated or unknown: of all properties, or of one as in
    /// deadlock=violated; repeatable. The exit code then says whether it did: 0 all of it, 1
    /// not, 2 something is unknown that should not be
    #[arg(long, value_name = "[P=]VERDICT", value_parser = parse_wish)]
    expect: Vec<Wish>,
    /// Expect what the first line of the model says, as in
    /// /* expect: deadlock at depth 8; ltl p holds */
    #[arg(long)]
    expect_from_source: bool,
}

impl Expecting {
    /// Whether anything is expected.
    pub(crate) fn is_asked(&self) -> bool {
        self.expect_from_source || !self.expect.is_empty()
    }
}

/// An expectation on the command line; without a name, one about every property.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wish {
    property: Option<String>,
    verdict: Expected,
}

/// What was expected of a property, and how that compares with what came.
pub(crate) struct Judged {
    expectation: Expectation,
    comparison: Comparison,
}

impl Judged {
    pub(crate) fn is_met(&self) -> bool {
        self.comparison.is_met()
    }

    pub(crate) fn expected(&self) -> Expected {
        self.expectation.verdict
    }

    /// Why it did not come as expected.
    pub(crate) fn complaint(&self) -> Option<&str> {
        match &self.comparison {
            Comparison::Met => None,
            Comparison::Missed(why) | Comparison::Open(why) => Some(why),
        }
    }

    /// For the end of a line.
    pub(crate) fn words(&self) -> String {
        match self.complaint() {
            None => ", as expected".to_owned(),
            Some(why) => format!(", not as expected: {why}"),
        }
    }
}

/// How the process ends when things were expected.
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

impl Expecting {
    /// The header of a model, if it is asked for. What is wrong with it is an error of the
    /// model.
    pub(crate) fn header(&self, loaded: &mut LoadedModel) -> Option<Expect> {
        if !self.expect_from_source {
            return None;
        }
        let result = &mut loaded.result;
        let (root, file) = result.sources.files_with_ids().next()?;
        let at = |start: usize, end: usize| Span::new(root, start as u32, end as u32);
        let header = match Expect::parse(&file.text) {
            Ok(header) => header,
            Err(error) => {
                let span = at(error.range.start, error.range.end);
                let message = Diagnostic::error("expect-header", span, error.to_string())
                    .note(format!("`--expect-from-source` reads these clauses: {CLAUSES}"))
                    .help("begin the model with a line such as `/* expect: safe */`");
                result.diagnostics.push(message);
                return None;
            }
        };
        if !result.diagnostics.has_errors() {
            let line = at(0, file.text.lines().next().unwrap_or_default().len());
            for (name, ..) in header.verdicts() {
                if let Err(error) = select(&result.hir, &[name.to_owned()]) {
                    let message = Diagnostic::error("expect-header", line, error.to_string());
                    result.diagnostics.push(message.help("name a property that there is"));
                }
            }
        }
        Some(header)
    }

    /// The properties to check: those that were asked for; or else the usual ones, and
    /// those of which something is expected.
    ///
    /// # Errors
    ///
    /// When there is no such property, or something is expected of one that is not checked;
    /// with advice.
    pub(crate) fn select(
        &self,
        model: &Model,
        names: &[String],
        header: Option<&Expect>,
    ) -> Result<Vec<Property>, (String, String)> {
        let unknown = |error: beeline_checker::UnknownProperty| {
            (error.to_string(), "without --property, all of them are checked".to_owned())
        };
        let wanted = self.expect.iter().filter_map(|wish| wish.property.as_deref());
        if let Some(name) = wanted.clone().find(|name| {
            let written = name.starts_with("invariant:") || name.starts_with("ltl:");
            (written || !names.is_empty()) && !names.iter().any(|other| other == name)
        }) {
            let message = format!("something is expected of `{name}`, which is not checked");
            return Err((message, format!("add --property '{name}'")));
        }
        let stated = header.into_iter().flat_map(|header| header.verdicts().map(|(name, ..)| name));
        let mentioned: Vec<String> = wanted.chain(stated).map(str::to_owned).collect();
        if !names.is_empty() || mentioned.is_empty() {
            return select(model, names).map_err(unknown);
        }
        let usual = properties(model).into_iter().map(|property| property.name);
        select(model, &usual.chain(mentioned).collect::<Vec<_>>()).map_err(unknown)
    }

    /// Compares what came with what was expected, if anything was.
    pub(crate) fn judge(
        &self,
        report: &CheckReport,
        header: Option<&Expect>,
        plain: bool,
    ) -> Option<Vec<Judged>> {
        if self.expect.is_empty() && header.is_none() {
            return None;
        }
        let judge = |checked: &beeline_checker::PropertyReport| {
            let name = &checked.property.name;
            let stated = || header.and_then(|header| Expectation::stated(header, name, plain));
            let expectation = self.wish(name).or_else(stated).unwrap_or(Expectation::HOLDS);
            Judged { expectation, comparison: expectation.compare(&checked.verdict) }
        };
        Some(report.properties.iter().map(judge).collect())
    }

    /// What the command line says about a property: the last word about it by name, or else
    /// about all of them.
    fn wish(&self, name: &str) -> Option<Expectation> {
        let last = |property: Option<&str>| {
            self.expect.iter().rev().find(|wish| wish.property.as_deref() == property)
        };
        let wish = last(Some(name)).or_else(|| last(None))?;
        Some(Expectation { verdict: wish.verdict, depth: None })
    }
}

/// `VERDICT` or `PROPERTY=VERDICT`.
fn parse_wish(text: &str) -> Result<Wish, String> {
    let (property, verdict) = match text.rsplit_once('=') {
        Some((property, verdict)) => (Some(property.trim()), verdict.trim()),
        None => (None, text),
    };
    if property == Some("") {
        return Err("a property is missing before `=`, as in deadlock=violated".to_owned());
    }
    let Some(verdict) = Expected::named(verdict) else {
        let names: Vec<_> = Expected::ALL.map(Expected::name).into();
        let names = names.join(", ");
        return Err(format!("`{verdict}` is not a verdict; there are: {names}"));
    };
    Ok(Wish { property: property.map(str::to_owned), verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(property: Option<&str>, verdict: Expected) -> Wish {
        Wish { property: property.map(str::to_owned), verdict }
    }

    #[test]
    fn wishes_are_about_one_property_or_all() {
        let check = |text, property, verdict| {
            assert_eq!(parse_wish(text), Ok(wish(property, verdict)), "{text}");
        };
        check("holds", None, Expected::Holds);
        check("deadlock=violated", Some("deadlock"), Expected::Violated);
        check("invariant: x == 4 = unknown", Some("invariant: x == 4"), Expected::Unknown);
        for bad in ["", "safe", "=holds", "deadlock=", "deadlock=no"] {
            assert!(parse_wish(bad).is_err(), "{bad}");
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
        let verdict = |name| expecting.wish(name).map(|expectation| expectation.verdict);
        assert_eq!(verdict("p"), Some(Expected::Unknown));
        assert_eq!(verdict("q"), Some(Expected::Violated));
    }
}
