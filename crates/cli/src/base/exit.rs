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

impl Exit {
    /// The meaning of the exit code of another run of this program. A process without a code was
    /// ended by a signal.
    pub(crate) fn of_code(code: Option<i32>) -> Exit {
        let all = [Exit::Success, Exit::Violated, Exit::Unknown, Exit::Model, Exit::Usage];
        all.into_iter().find(|exit| code == Some(*exit as i32)).unwrap_or(Exit::Internal)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
