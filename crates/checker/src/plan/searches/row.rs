//! A row of the table of searches.

use beeline_kernel::registry::{ArgumentRow, Arguments, RegistryRow};

use super::strategy::Strategy;
use crate::plan::error::PlanError;

/// A search that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct SearchRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it promises about what it finds, or does not find.
    pub promises: &'static str,
    /// Its source; keys are in `docs/bibliography.md`.
    pub source: &'static str,
    /// The arguments; the first one needs no name.
    pub arguments: &'static [ArgumentRow],
    /// Builds the search of its arguments and the seed.
    pub(super) build: fn(&Arguments<'_>, u64) -> Result<Strategy, PlanError>,
}

impl RegistryRow for SearchRow {
    fn name(&self) -> &'static str {
        self.name
    }

    fn arguments(&self) -> &'static [ArgumentRow] {
        self.arguments
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn promises(&self) -> Option<&'static str> {
        Some(self.promises)
    }

    fn source(&self) -> Option<&'static str> {
        Some(self.source)
    }
}
