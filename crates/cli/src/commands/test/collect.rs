//! The models in files and folders.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::failure::Failure;
use crate::model::languages::is_model_name;
use crate::model::read_error::ReadError;

/// Why there are no models to test.
#[derive(Debug)]
pub(super) enum CollectError {
    /// There is neither a file nor a folder of this name.
    Missing(PathBuf),
    /// A path cannot be read.
    Unreadable(ReadError),
    /// A folder has no models.
    Empty(PathBuf),
    /// Standard input has one model and no name.
    StandardInput,
}

impl From<CollectError> for Failure {
    fn from(error: CollectError) -> Failure {
        match error {
            CollectError::Missing(path) => Failure::new(
                format!("cannot read `{}`: there is no such file or folder", path.display()),
                "name a model, or a folder with models",
            ),
            CollectError::Unreadable(error) => error.into(),
            CollectError::Empty(path) => Failure::new(
                format!("there is no model in the folder `{}`", path.display()),
                "the names of models end with .pml, .promela, .prom or .net; name other files \
                 one by one",
            ),
            CollectError::StandardInput => Failure::new(
                "`test` reads files and folders, not standard input",
                "`beeline check - --expect-from-source` checks a model from standard input",
            ),
        }
    }
}

/// The models of files and folders, each once, in the order of the paths and of names.
///
/// # Errors
///
/// When a path does not exist, or is a folder without models.
pub(super) fn models(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CollectError> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            return Err(CollectError::StandardInput);
        }
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => CollectError::Missing(path.clone()),
            _ => CollectError::Unreadable(ReadError::Io(path.clone(), error)),
        };
        if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        search(path, &mut found).map_err(unreadable)?;
        if found.len() == before {
            return Err(CollectError::Empty(path.clone()));
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// Adds the models of a folder. Hidden folders, and links to folders, are left out.
fn search(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if entry.file_type()?.is_dir() {
            if !is_hidden {
                search(&path, found)?;
            }
        } else if is_model_name(&path) && !path.is_dir() {
            found.push(path);
        }
    }
    Ok(())
}
