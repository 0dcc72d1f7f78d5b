//! Finding included files.

use std::path::{Path, PathBuf};

use beeline_promela::preprocess::{FileLoader, LoadedFile};

use crate::model::file::decode;

/// Finds included files as a C compiler does: `"name"` beside the including file, then in the
/// directories of `-I`; `<name>` in those only.
pub(crate) struct Include {
    directories: Vec<PathBuf>,
}

impl Include {
    pub(crate) fn new(directories: &[PathBuf]) -> Include {
        Include { directories: directories.to_vec() }
    }
}

impl FileLoader for Include {
    fn load(&mut self, name: &str, from: &str, angled: bool) -> Option<LoadedFile> {
        let beside = Path::new(from).parent().filter(|_| !angled);
        let directories = self.directories.iter().map(PathBuf::as_path);
        beside.into_iter().chain(directories).find_map(|directory| {
            // A name that is absolute replaces the directory.
            let path = directory.join(name);
            let text = decode(std::fs::read(&path).ok()?)?;
            Some(LoadedFile { name: path.to_string_lossy().into_owned(), text })
        })
    }
}
