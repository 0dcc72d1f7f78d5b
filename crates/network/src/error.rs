//! Syntax errors of network files.

use std::error::Error;
use std::fmt;

/// A syntax error: line, cause and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The cause.
    pub cause: String,
    /// The remedy.
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
