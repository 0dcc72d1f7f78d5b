//! The object that `test --json` prints. The keys are a contract.

use serde::Serialize;

use crate::base::json::{Tool, line};
use crate::render::test::outcome::{TestOutcome, TestResult, TestedModel, TestedProperty};

#[derive(Serialize)]
struct TestObject<'a> {
    #[serde(flatten)]
    tool: Tool,
    /// The number of models, tested or not.
    models: usize,
    as_expected: usize,
    failed: Vec<ModelObject<'a>>,
    unknown: Vec<ModelObject<'a>>,
    without_expectations: Vec<&'a str>,
    /// The models that were left when the user stopped the tests.
    not_tested: Vec<&'a str>,
    seconds: f64,
}

#[derive(Serialize)]
struct ModelObject<'a> {
    model: &'a str,
    /// Why the model could not be checked.
    problems: &'a [String],
    properties: &'a [TestedProperty],
    seconds: f64,
}

/// The object as one line.
pub(crate) fn json(outcome: &TestOutcome<'_>) -> String {
    let objects = |result| outcome.with(result).map(ModelObject::new).collect();
    let names = |result| outcome.with(result).map(|one| one.model.as_str()).collect();
    line(&TestObject {
        tool: Tool::BEELINE,
        models: outcome.models.len(),
        as_expected: outcome.count(TestResult::AsExpected),
        failed: objects(TestResult::Failed),
        unknown: objects(TestResult::Unknown),
        without_expectations: names(TestResult::WithoutExpectations),
        not_tested: names(TestResult::NotTested),
        seconds: outcome.seconds,
    })
}

impl<'a> ModelObject<'a> {
    fn new(tested: &'a TestedModel) -> ModelObject<'a> {
        let TestedModel { model, properties, problems, seconds, .. } = tested;
        ModelObject { model, problems, properties, seconds: *seconds }
    }
}
