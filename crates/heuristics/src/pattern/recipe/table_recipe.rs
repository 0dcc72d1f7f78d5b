//! The tables that a recipe asks for.

use crate::pattern::combination::TableCombination;
use crate::pattern::feature::Feature;

/// What tables are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How their distances are put together.
    pub together: TableCombination,
    /// The tables; at least one.
    pub tables: Vec<TableRecipe>,
}

/// A table that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRecipe {
    /// Its name.
    pub name: String,
    /// What is kept; at least one number.
    pub features: Vec<Feature>,
    /// The line where it begins.
    pub line: usize,
}
