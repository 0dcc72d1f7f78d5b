//! Everything that a report on a check shows.

use std::path::{Path, PathBuf};

use beeline_checker::{CheckReport, Store};
use beeline_kernel::Stop;
use beeline_model::{Coverage, Story, Verdict, Violation};

use crate::base::exit::Exit;
use crate::model::loaded::LoadedModel;
use crate::render::check::judged::Judged;

/// A violation with its story and its trail file.
pub(crate) struct ShownViolation<'a> {
    pub(crate) violation: &'a Violation,
    pub(crate) story: Story,
    /// Why the story is not told, if a limit or an interrupt cut it.
    pub(crate) not_told: Option<Stop>,
    /// The file of the trail.
    pub(crate) file: Option<PathBuf>,
    /// The trail could not be written.
    pub(crate) is_lost: bool,
}

/// The result of a check.
pub(crate) struct CheckOutcome<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) report: &'a CheckReport,
    /// For each property its violations.
    pub(crate) shown: Vec<Vec<ShownViolation<'a>>>,
    /// For each property whether its verdict was expected, if verdicts were expected.
    pub(crate) judged: Option<Vec<Judged>>,
    /// Statements that no run reaches, if they were requested.
    pub(crate) coverage: Option<&'a Coverage>,
    pub(crate) seconds: f64,
    /// The search as it was requested.
    pub(crate) search: String,
    /// The store as it was requested.
    pub(crate) store: Store,
    /// The file of the trail to the nearest miss, if it was requested.
    pub(crate) nearest: Option<&'a Path>,
    /// Whether people want verdicts only.
    pub(crate) is_quiet: bool,
}

impl CheckOutcome<'_> {
    /// The exit code for the verdicts themselves, whatever was expected.
    pub(crate) fn exit(&self) -> Exit {
        let any = |test: fn(&Verdict) -> bool| {
            self.report.properties.iter().any(|checked| test(&checked.verdict))
        };
        if any(|verdict| matches!(verdict, Verdict::Violated(_))) {
            Exit::Violated
        } else if any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
            Exit::Unknown
        } else {
            Exit::Success
        }
    }
}
