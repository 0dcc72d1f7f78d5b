//! Requests that a language or a component does not support.

use std::fmt;

/// An unsupported request, with the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Unsupported {
    /// An unsupported request, for this reason.
    pub fn new(why: impl Into<String>) -> Unsupported {
        Unsupported(why.into())
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}
