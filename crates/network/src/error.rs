//! What is wrong with a text that should be a network.

use std::error::Error;
use std::fmt;

/// A mistake: where, what, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub cause: String,
    /// What to do about it.
    pub fix: String,
}

impl NetworkSyntaxError {
    pub(crate) fn new(
        line: usize,
        cause: impl Into<String>,
        fix: impl Into<String>,
    ) -> NetworkSyntaxError {
        NetworkSyntaxError { line, cause: cause.into(), fix: fix.into() }
    }
}

impl fmt::Display for NetworkSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}; {}", self.line, self.cause, self.fix)
    }
}

impl Error for NetworkSyntaxError {}
