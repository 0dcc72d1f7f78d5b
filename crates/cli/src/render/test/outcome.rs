//! The data of a report on tests.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::base::color::Paint;
use crate::base::exit::Exit;
use crate::base::units;

/// The results of all models.
pub(crate) struct TestOutcome<'a> {
    pub(crate) models: Vec<TestedModel>,
    /// The revision of Git whose unchanged models are left out.
    pub(crate) revision: Option<&'a str>,
    pub(crate) seconds: f64,
    pub(crate) paint: Paint,
    /// Whether only models with problems are listed.
    pub(crate) is_quiet: bool,
}

/// The result of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestResult {
    /// All verdicts are as expected.
    AsExpected,
    /// A verdict is not, or the model cannot be checked.
    Failed,
    /// A verdict is unknown unexpectedly.
    Unknown,
    /// The model states no expected verdicts.
    WithoutExpectations,
    /// The tests were stopped before it.
    NotTested,
}

/// A model with its result.
pub(crate) struct TestedModel {
    pub(crate) model: String,
    pub(crate) result: TestResult,
    pub(crate) properties: Vec<TestedProperty>,
    /// Why the model could not be checked.
    pub(crate) problems: Vec<String>,
    pub(crate) seconds: f64,
}

/// A property, as `check --json` has it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct TestedProperty {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) verdict: String,
    pub(crate) reason: String,
    pub(crate) expected: Option<String>,
    pub(crate) as_expected: Option<bool>,
    #[serde(default, skip_serializing)]
    trail: Option<TrailLength>,
}

/// The length of a trail.
#[derive(Clone, Copy, Debug, Deserialize)]
struct TrailLength {
    steps: u64,
}

impl TestedModel {
    /// A model without details.
    pub(crate) fn new(model: &Path, result: TestResult) -> TestedModel {
        let model = model.display().to_string();
        TestedModel { model, result, properties: Vec::new(), problems: Vec::new(), seconds: 0.0 }
    }

    /// A model that could not be checked.
    pub(crate) fn failed(model: &Path, problem: String) -> TestedModel {
        TestedModel { problems: vec![problem], ..TestedModel::new(model, TestResult::Failed) }
    }
}

impl TestedProperty {
    /// Whether the verdict is as expected.
    pub(crate) fn is_met(&self) -> bool {
        self.as_expected != Some(false)
    }

    /// The verdict and its reason.
    pub(crate) fn words(&self) -> String {
        let TestedProperty { verdict, reason, trail, .. } = self;
        match (verdict.as_str(), trail) {
            ("holds", _) => "holds".to_owned(),
            (_, Some(TrailLength { steps })) => {
                format!("{verdict}: {reason} after {}", units::steps(*steps))
            }
            (_, None) => format!("{verdict}: {reason}"),
        }
    }
}

impl TestOutcome<'_> {
    /// The models with this result.
    pub(crate) fn with(&self, result: TestResult) -> impl Iterator<Item = &TestedModel> {
        self.models.iter().filter(move |one| one.result == result)
    }

    /// How many models have this result.
    pub(crate) fn count(&self, result: TestResult) -> usize {
        self.with(result).count()
    }

    /// Whether there are models, and none of them states expected verdicts.
    pub(crate) fn states_nothing(&self) -> bool {
        let nothing = self.count(TestResult::WithoutExpectations);
        nothing > 0 && nothing == self.models.len() && self.revision.is_none()
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        if self.count(TestResult::Failed) > 0 {
            Exit::Violated
        } else if self.count(TestResult::Unknown) + self.count(TestResult::NotTested) > 0 {
            Exit::Unknown
        } else {
            Exit::Success
        }
    }
}
