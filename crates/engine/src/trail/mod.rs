//! SPIN's trail files: their format, and their execution on the interpreter.

mod format;
mod replay;

pub use format::{StepMismatch, TrailError, TrailFile, TrailLine};
pub use replay::{StoredState, TrailReplay};
