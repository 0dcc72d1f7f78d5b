//! What there is to build a heuristic with: files, memory, time, and someone who listens.

use crate::deadline::Deadline;

use crate::files::{Files, NoFiles};

/// What a heuristic may use while it is built.
#[derive(Clone, Copy)]
pub struct Resources<'r> {
    /// Files that it is given, or where it keeps something.
    pub files: &'r dyn Files,
    /// Whom to tell what the user should know about it.
    pub tell: &'r dyn Fn(String),
    /// How much memory, about; where that is not enough, it knows less.
    pub bytes: usize,
    /// Until when; then it is done with what it has, or knows nothing.
    pub deadline: Deadline,
}

impl Default for Resources<'_> {
    /// No files, nobody who listens, and no end.
    fn default() -> Self {
        let (bytes, deadline) = (usize::MAX, Deadline::NEVER);
        Resources { files: &NoFiles, tell: &|_| {}, bytes, deadline }
    }
}
