//! The result of `test` as JUnit XML: a suite for each model, a case for each property.

use crate::render::formats::junit_xml::{Complaint, JunitCase, JunitResult, JunitSuite, document};
use crate::render::test::outcome::{TestOutcome, TestResult, TestedModel, TestedProperty};

/// The report.
pub(crate) fn junit(outcome: &TestOutcome<'_>) -> String {
    let suites: Vec<JunitSuite> = outcome.models.iter().map(suite).collect();
    document(&suites, outcome.seconds)
}

fn suite(tested: &TestedModel) -> JunitSuite {
    let whole = |result| JunitCase { name: "model".to_owned(), result };
    let cases = match tested.result {
        TestResult::WithoutExpectations => {
            vec![whole(JunitResult::Skipped("the model states no expected verdicts".to_owned()))]
        }
        TestResult::NotTested => {
            vec![whole(JunitResult::Skipped("the tests were stopped".to_owned()))]
        }
        _ if !tested.problems.is_empty() => vec![whole(JunitResult::Error(Complaint {
            kind: "model".to_owned(),
            message: tested.problems[0].clone(),
            text: tested.problems.join("\n"),
        }))],
        _ => tested.properties.iter().map(case).collect(),
    };
    JunitSuite { name: tested.model.clone(), cases, seconds: tested.seconds }
}

fn case(property: &TestedProperty) -> JunitCase {
    let words = property.words();
    let result = if property.is_met() {
        JunitResult::Passed(words)
    } else {
        let expected = property.expected.as_deref().unwrap_or("holds");
        let message = format!("expected {expected}, but {words}");
        let kind = property.kind.clone();
        let complaint = Complaint { kind, message, text: String::new() };
        match property.verdict.as_str() {
            "unknown" => JunitResult::Error(complaint),
            _ => JunitResult::Failed(complaint),
        }
    };
    JunitCase { name: property.name.clone(), result }
}
