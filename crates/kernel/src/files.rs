//! Files that heuristics read and write. The caller defines what a name means.

use std::fmt::Debug;
use std::io::{Error, ErrorKind, Result};

/// Access to files.
pub trait Files: Debug + Send + Sync {
    /// Reads a file.
    fn read(&self, name: &str) -> Result<Vec<u8>>;

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<()>;
}

/// No files: each access fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<Vec<u8>> {
        Err(Error::new(ErrorKind::Unsupported, "there are no files here"))
    }

    fn write(&self, _: &str, _: &[u8]) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "there are no files here"))
    }
}
