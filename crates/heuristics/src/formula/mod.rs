//! Formula-based estimates: the distance of a condition from being true or false.

pub(crate) mod property_formula;
pub(crate) mod truth_distance;

pub use property_formula::FormulaDistance;
