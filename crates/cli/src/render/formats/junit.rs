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
use crate::render::formats::junit_xml::{Complaint, JunitCase, JunitResult, JunitSuite, document};

/// The report of a check.
pub(crate) fn of_check(outcome: &CheckOutcome<'_>, _: Exit) -> String {
    let properties = outcome.report.properties.iter().enumerate();
    let cases: Vec<_> = properties
        .map(|(at, checked)| {
            let name = checked.property.name.clone();
            JunitCase { name, result: result(outcome, at, checked) }
        })
        .collect();
    report(&outcome.loaded.model, cases, outcome.seconds)
}

/// The report of a check that could not begin.
pub(crate) fn of_refused(loaded: &LoadedModel) -> String {
    let messages = loaded.diagnostics.iter();
    let errors: Vec<_> = messages.filter(|message| message.severity == Severity::Error).collect();
    let draw = |message| diagnostics::render(message, loaded.sources(), Paint::Plain);
    let complaint = Complaint {
        kind: "model".to_owned(),
        message: errors.first().map_or_else(String::new, |message| message.message.clone()),
        text: errors.iter().map(|message| draw(message) + "\n").collect(),
    };
    let case = JunitCase { name: "model".to_owned(), result: JunitResult::Error(complaint) };
    report(&loaded.model, vec![case], 0.0)
}

fn result(outcome: &CheckOutcome<'_>, at: usize, checked: &PropertyReport) -> JunitResult {
    let judged = outcome.judged.as_ref().map(|all| &all[at]);
    let words = judged.map_or_else(String::new, |judged| judged.words());
    let met = judged.map(|judged| judged.is_met());
    let trails = || outcome.shown[at].iter().map(|shown| trail(shown, outcome)).collect();
    let kind = checked.property.kind.name().to_owned();
    match &checked.verdict {
        Verdict::Violated(violations) => {
            let message = length(&violations[0]) + &words;
            let text: String = trails();
            match met {
                Some(true) => JunitResult::Passed(format!("{message}\n{text}")),
                Some(false) | None => JunitResult::Failed(Complaint { kind, message, text }),
            }
        }
        Verdict::Unknown(reason) => {
            let message = format!("unknown: {reason}{words}");
            match met {
                Some(true) => JunitResult::Passed(message),
                Some(false) | None => {
                    JunitResult::Error(Complaint { kind, message, text: String::new() })
                }
            }
        }
        Verdict::Holds => {
            let message = format!("holds{words}");
            match met {
                Some(false) => {
                    JunitResult::Failed(Complaint { kind, message, text: String::new() })
                }
                Some(true) | None => JunitResult::Passed(message),
            }
        }
    }
}

/// The report on one model.
fn report(model: &str, cases: Vec<JunitCase>, seconds: f64) -> String {
    document(&[JunitSuite { name: model.to_owned(), cases, seconds }], seconds)
}
