//! The data of a report of `hsf`.

use std::path::PathBuf;

use beeline_checker::hsf::HsfReport;

use crate::args::hsf::Hsf;
use crate::commands::hsf::choice::Choice;
use crate::model::loaded::LoadedModel;

/// A search with its result.
pub(crate) struct HsfRun<'a> {
    pub(crate) loaded: &'a LoadedModel,
    pub(crate) options: &'a Hsf,
    pub(crate) choice: &'a Choice,
    pub(crate) report: &'a HsfReport,
    /// The file of the trail.
    pub(crate) file: Option<PathBuf>,
    pub(crate) seconds: f64,
}
