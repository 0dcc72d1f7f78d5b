//! The data of a report on a check.

use std::path::{Path, PathBuf};

use beeline_checker::{CheckReport, Store};
use beeline_kernel::Stop;
use beeline_model::{Coverage, Story, Verdict, Violation};

use crate::base::color::Paint;
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
    /// A file with a copy of the trail, named after the property.
    pub(crate) copy: Option<PathBuf>,
    /// Whether the trail could not be written.
    pub(crate) is_lost: bool,
}

/// The result of a check.
pub(crate) struct CheckOutcome<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) report: &'a CheckReport,
    /// For each property its violations.
    pub(crate) shown: Vec<Vec<ShownViolation<'a>>>,
    /// For each property the comparison with its expected verdict, if verdicts were expected.
    pub(crate) judged: Option<Vec<Judged>>,
    /// Statements that no run reaches, if they were requested.
    pub(crate) coverage: Option<&'a Coverage>,
    pub(crate) seconds: f64,
    /// The name of the requested search.
    pub(crate) search: String,
    /// The requested store.
    pub(crate) store: Store,
    /// The file of the trail to the nearest miss, if it was requested.
    pub(crate) nearest: Option<&'a Path>,
    /// How verdicts are drawn.
    pub(crate) paint: Paint,
    /// Whether statistics are printed.
    pub(crate) wants_stats: bool,
    /// Whether only verdicts are printed.
    pub(crate) is_quiet: bool,
}

impl CheckOutcome<'_> {
    /// The exit code for the verdicts themselves, without expectations.
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
