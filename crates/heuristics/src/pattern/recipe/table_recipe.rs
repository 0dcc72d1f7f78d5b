//! The tables of a recipe.

use crate::pattern::combination::TableCombination;
use crate::pattern::feature::Feature;

/// The tables of a pattern file.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Combination of their distances.
    pub together: TableCombination,
    /// The tables; at least one.
    pub tables: Vec<TableRecipe>,
}

/// One table of a pattern file.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRecipe {
    /// Its name.
    pub name: String,
    /// The features; at least one.
    pub features: Vec<Feature>,
    /// The line where it begins.
    pub line: usize,
}
