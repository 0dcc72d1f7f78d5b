//! Access to the files that heuristics read and write. The author of a plan provides it.

use std::sync::Arc;

use beeline_kernel::{Files, NoFiles};

/// Access to the files that heuristics name.
#[derive(Clone, Debug)]
pub struct FileAccess(Arc<dyn Files>);

impl FileAccess {
    /// Access through an implementation of [`Files`].
    pub fn new(files: impl Files + 'static) -> FileAccess {
        FileAccess(Arc::new(files))
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.0
    }
}

impl Default for FileAccess {
    /// No files.
    fn default() -> FileAccess {
        FileAccess::new(NoFiles)
    }
}
