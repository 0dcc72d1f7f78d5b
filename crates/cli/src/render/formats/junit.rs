//! JUnit XML, which every CI server reads: a suite for the model, a case for each property.
//!
//! Source: the schema of Jenkins' xUnit plugin, junit-10.xsd.
//! A violated property is a failure; an unknown verdict is an error, not a skipped test, so that it
//! is not ignored. With `--expect`, an expected verdict passes. All properties share one search, so
//! only the suite has a time.

use beeline_checker::PropertyReport;
use beeline_model::Verdict;
use beeline_source::diagnostic::Severity;

use crate::base::color::Paint;
use crate::base::exit::Exit;
use crate::model::loaded::LoadedModel;
use crate::render::check::{CheckOutcome, length, trail};
use crate::render::diagnostics;

/// The result of a test case.
enum Result {
    /// Passed, with this output.
    Passed(String),
    Failed(Complaint),
    Error(Complaint),
}

/// Why a case did not pass.
struct Complaint {
    kind: &'static str,
    message: String,
    text: String,
}

struct Case<'a> {
    name: &'a str,
    result: Result,
}

/// The report of a check.
pub(crate) fn of_check(outcome: &CheckOutcome<'_>, _: Exit) -> String {
    let properties = outcome.report.properties.iter().enumerate();
    let cases: Vec<_> = properties
        .map(|(at, checked)| {
            let name = checked.property.name.as_str();
            Case { name, result: result(outcome, at, checked) }
        })
        .collect();
    report(&outcome.loaded.model, &cases, outcome.seconds)
}

/// The report of a check that could not begin.
pub(crate) fn of_refused(loaded: &LoadedModel) -> String {
    let messages = loaded.diagnostics.iter();
    let errors: Vec<_> = messages.filter(|message| message.severity == Severity::Error).collect();
    let draw = |message| diagnostics::render(message, loaded.sources(), Paint::Plain);
    let complaint = Complaint {
        kind: "model",
        message: errors.first().map_or_else(String::new, |message| message.message.clone()),
        text: errors.iter().map(|message| draw(message) + "\n").collect(),
    };
    let case = Case { name: "model", result: Result::Error(complaint) };
    report(&loaded.model, &[case], 0.0)
}

fn result(outcome: &CheckOutcome<'_>, at: usize, checked: &PropertyReport) -> Result {
    let judged = outcome.judged.as_ref().map(|all| &all[at]);
    let words = judged.map_or_else(String::new, |judged| judged.words());
    let met = judged.map(|judged| judged.is_met());
    let trails = || outcome.shown[at].iter().map(|shown| trail(shown, outcome)).collect();
    let kind = checked.property.kind.name();
    match &checked.verdict {
        Verdict::Violated(violations) => {
            let message = length(&violations[0]) + &words;
            let text: String = trails();
            match met {
                Some(true) => Result::Passed(format!("{message}\n{text}")),
                Some(false) | None => Result::Failed(Complaint { kind, message, text }),
            }
        }
        Verdict::Unknown(reason) => {
            let message = format!("unknown: {reason}{words}");
            match met {
                Some(true) => Result::Passed(message),
                Some(false) | None => {
                    Result::Error(Complaint { kind, message, text: String::new() })
                }
            }
        }
        Verdict::Holds => {
            let message = format!("holds{words}");
            match met {
                Some(false) => Result::Failed(Complaint { kind, message, text: String::new() }),
                Some(true) | None => Result::Passed(message),
            }
        }
    }
}

fn report(model: &str, cases: &[Case<'_>], seconds: f64) -> String {
    let count = |test: fn(&Result) -> bool| cases.iter().filter(|case| test(&case.result)).count();
    let failures = count(|result| matches!(result, Result::Failed(_)));
    let errors = count(|result| matches!(result, Result::Error(_)));
    let numbers = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"",
        cases.len()
    );
    let name = attribute(model);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"beeline\" {numbers}>\n\
         \x20 <testsuite name=\"{name}\" {numbers} skipped=\"0\">\n"
    );
    for case in cases {
        let element = match &case.result {
            Result::Passed(text) => format!("<system-out>{}</system-out>", content(text)),
            Result::Failed(complaint) => complaint.element("failure"),
            Result::Error(complaint) => complaint.element("error"),
        };
        let own = attribute(case.name);
        out += &format!(
            "    <testcase name=\"{own}\" classname=\"{name}\">\n      {element}\n    </testcase>\n"
        );
    }
    out + "  </testsuite>\n</testsuites>\n"
}

impl Complaint {
    fn element(&self, name: &str) -> String {
        let Complaint { kind, message, text } = self;
        let (message, text) = (attribute(message), content(text));
        format!("<{name} type=\"{kind}\" message=\"{message}\">{text}</{name}>")
    }
}

/// Text between tags.
fn content(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars().filter(|letter| is_allowed(*letter)) {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\r' => out += "&#13;",
            _ => out.push(letter),
        }
    }
    out
}

/// Text between quotes, where readers turn line ends into blanks.
fn attribute(text: &str) -> String {
    let text = content(text).replace('"', "&quot;");
    text.replace('\n', "&#10;").replace('\t', "&#9;")
}

/// XML 1.0 cannot represent most control characters: they are left out.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_control_characters_are_left_out() {
        assert_eq!(
            content("a < b && c > \"d\"\u{7}\u{0}\u{1b}\n"),
            "a &lt; b &amp;&amp; c &gt; \"d\"\n"
        );
        assert_eq!(attribute("say \"<a>\"\n\tb"), "say &quot;&lt;a&gt;&quot;&#10;&#9;b");
        assert_eq!(content("]]> \u{ffff} ü \u{1f41d}"), "]]&gt;  ü \u{1f41d}");
    }
}
