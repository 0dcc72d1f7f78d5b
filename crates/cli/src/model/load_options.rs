//! Options of front-ends.

use std::path::PathBuf;

use beeline_promela::preprocess::Define;
use beeline_promela_model::SemanticsOptions;

/// Options of front-ends.
#[derive(Clone, Copy)]
pub(crate) struct LoadOptions<'a> {
    /// Macros of the command line.
    pub(crate) defines: &'a [Define],
    /// Directories of included files.
    pub(crate) include: &'a [PathBuf],
    /// Properties that are written on the command line.
    pub(crate) properties: &'a [String],
    /// Queries that are written on the command line.
    pub(crate) queries: &'a [String],
    /// The option that the properties are given with, as messages call it.
    pub(crate) option: &'static str,
    /// The semantics of a Promela model.
    pub(crate) semantics: SemanticsOptions,
}
