//! Errors in a pattern file.

use std::error::Error;
use std::fmt;

/// An error: position, cause and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The cause.
    pub cause: String,
    /// The remedy.
    pub fix: String,
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecipeError { line, column, cause, fix } = self;
        write!(f, "line {line}, column {column}: {cause}; {fix}")
    }
}

impl Error for RecipeError {}
