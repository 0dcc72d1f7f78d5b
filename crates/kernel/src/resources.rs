//! Resources for building a heuristic: files, memory, time, and a channel for remarks.

use crate::deadline::Deadline;

use crate::files::{Files, NoFiles};

/// Resources for building a heuristic.
#[derive(Clone, Copy)]
pub struct Resources<'r> {
    /// Files for input and caches.
    pub files: &'r dyn Files,
    /// Receives remarks for the user.
    pub tell: &'r dyn Fn(String),
    /// Approximate memory limit; a heuristic that needs more is less informed.
    pub bytes: usize,
    /// Time limit; after it, the heuristic uses the results so far.
    pub deadline: Deadline,
}

impl Default for Resources<'_> {
    /// No files, no remarks, no limits.
    fn default() -> Self {
        let (bytes, deadline) = (usize::MAX, Deadline::NEVER);
        Resources { files: &NoFiles, tell: &|_| {}, bytes, deadline }
    }
}
