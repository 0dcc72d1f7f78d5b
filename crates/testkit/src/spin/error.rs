//! Errors of running SPIN.

use std::error::Error;
use std::time::Duration;
use std::{fmt, io};

/// An error of running SPIN.
#[derive(Debug)]
pub enum OracleError {
    /// A program could not be started, or its output not be read.
    Io(String, io::Error),
    /// A program did not finish in time and was killed.
    Timeout(String, Duration),
    /// SPIN rejects the model.
    Rejected(String),
    /// SPIN accepts the model, but no C compiler accepts the verifier it wrote.
    Compile(String),
    /// The verifier did not print its table to the end.
    Aborted(String),
    /// A line of the verifier's output cannot be parsed.
    Unparsed(String),
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(what, error) => write!(f, "{what}: {error}"),
            Self::Timeout(what, limit) => write!(f, "{what}: killed after {limit:?}"),
            Self::Rejected(message) => write!(f, "rejected by SPIN: {message}"),
            Self::Compile(message) => write!(f, "the verifier does not compile: {message}"),
            Self::Aborted(message) => write!(f, "the verifier stopped early: {message}"),
            Self::Unparsed(line) => write!(f, "unknown line in the table: {line:?}"),
        }
    }
}

impl Error for OracleError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
