//! What is wrong with a file of tables.

use std::error::Error;
use std::fmt;

/// A mistake: where, what, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub cause: String,
    /// What to do about it.
    pub fix: String,
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecipeError { line, column, cause, fix } = self;
        write!(f, "line {line}, column {column}: {cause}; {fix}")
    }
}

impl Error for RecipeError {}
