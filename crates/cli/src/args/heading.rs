//! The headings of options in help texts.

/// How a model is read and understood.
pub(crate) const MODEL: &str = "Model";
/// Which properties are checked, and under which assumptions.
pub(crate) const PROPERTIES: &str = "Properties";
/// How the states are searched and stored.
pub(crate) const SEARCH: &str = "Search";
/// Search by sets of states.
pub(crate) const SYMBOLIC: &str = "Symbolic search";
/// When a search stops.
pub(crate) const LIMITS: &str = "Limits";
/// Where trails and charts go.
pub(crate) const TRAILS: &str = "Trails and charts";
/// Verdicts that are expected.
pub(crate) const EXPECTATIONS: &str = "Expected verdicts";
/// Files for other programs.
pub(crate) const REPORTS: &str = "Reports for other programs";
/// What is printed.
pub(crate) const OUTPUT: &str = "Output";
