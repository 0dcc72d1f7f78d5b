//! The files that heuristics may read and write; whoever makes a plan says where they are.

use std::sync::Arc;

use beeline_kernel::{Files, NoFiles};

/// Where the files are that heuristics name.
#[derive(Clone, Debug)]
pub struct FileAccess(Arc<dyn Files>);

impl FileAccess {
    /// They are there.
    pub fn new(files: impl Files + 'static) -> FileAccess {
        FileAccess(Arc::new(files))
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.0
    }
}

impl Default for FileAccess {
    /// There are none.
    fn default() -> FileAccess {
        FileAccess::new(NoFiles)
    }
}
