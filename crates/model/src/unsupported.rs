//! What a language or a component cannot do.

use std::fmt;

/// A request that cannot be met, with the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Unsupported {
    /// The request cannot be met for this reason.
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
