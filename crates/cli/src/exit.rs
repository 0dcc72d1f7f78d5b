//! How the process ends. Scripts rely on these numbers.

use std::process::ExitCode;

/// Exit codes of the commands there are; 1 and 2 belong to verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing to complain about.
    Success = 0,
    /// The model has errors.
    Model = 3,
    /// The command line has errors, or names what cannot be read or written.
    Usage = 4,
    /// A bug of ours.
    Internal = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
