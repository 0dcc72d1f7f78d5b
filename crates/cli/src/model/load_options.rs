//! What a front-end works with beside the file.

use std::path::PathBuf;

use beeline_promela::preprocess::Define;
use beeline_promela_model::SemanticsOptions;

/// What a front-end works with beside the file.
#[derive(Clone, Copy)]
pub(crate) struct LoadOptions<'a> {
    /// Macros of the command line.
    pub(crate) defines: &'a [Define],
    /// Directories of included files.
    pub(crate) include: &'a [PathBuf],
    /// Properties that are written on the command line.
    pub(crate) properties: &'a [String],
    /// How a Promela model is understood.
    pub(crate) semantics: SemanticsOptions,
}
