//! Exit codes. Scripts rely on these numbers.

use std::process::ExitCode;

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Success = 0,
    /// A property is violated.
    Violated = 1,
    /// No property is violated, but a verdict is unknown.
    Unknown = 2,
    /// The model has errors.
    Model = 3,
    /// The command line has errors, or names what cannot be read or written.
    Usage = 4,
    /// A bug of Beeline.
    Internal = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
