//! The models that differ from a revision of Git.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::args::input::{Input, parse_define};
use crate::args::test::Test;
use crate::base::failure::Failure;
use crate::commands::load::{self, LoadRequest};

/// Why the changed models are not known.
#[derive(Debug)]
pub(super) enum ChangedError {
    /// Git does not start.
    NoGit(std::io::Error),
    /// Git refuses a request, with this message.
    Refused(String),
}

impl From<ChangedError> for Failure {
    fn from(error: ChangedError) -> Failure {
        let cause = match error {
            ChangedError::NoGit(error) => format!("git does not start: {error}"),
            ChangedError::Refused(message) => message,
        };
        Failure::new(
            format!("cannot tell which models changed: {cause}"),
            "use --changed in a working tree of Git, as in --changed=HEAD~1; without it, all \
             models are tested",
        )
    }
}

/// The models that differ from a revision, or include a file that does. A model that cannot be
/// read counts as changed.
///
/// # Errors
///
/// When Git does not know the files or the revision.
pub(super) fn changed(
    models: Vec<PathBuf>,
    revision: &str,
    options: &Test,
) -> Result<Vec<PathBuf>, ChangedError> {
    let (mut folders, mut files) = (HashSet::new(), HashSet::new());
    for model in &models {
        let parent = model.parent().filter(|parent| *parent != Path::new(""));
        let folder = parent.unwrap_or(Path::new("."));
        if folders.insert(folder.to_owned()) {
            differing(folder, revision, &mut files)?;
        }
    }
    let is_changed = |model: &PathBuf| match sources(model, options) {
        Some(sources) => sources.iter().any(|source| files.contains(source)),
        None => true,
    };
    Ok(models.into_iter().filter(is_changed).collect())
}

/// Adds the files of a folder's working tree that differ from a revision, or are untracked.
fn differing(
    folder: &Path,
    revision: &str,
    files: &mut HashSet<PathBuf>,
) -> Result<(), ChangedError> {
    let root = git(folder, &["rev-parse", "--show-toplevel"])?;
    let root = PathBuf::from(OsStr::from_bytes(root.trim_ascii_end()));
    let differ = git(&root, &["diff", "--name-only", "-z", "--end-of-options", revision, "--"])?;
    let others = git(&root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differ.split(|byte| *byte == 0).chain(others.split(|byte| *byte == 0));
    let names = names.filter(|name| !name.is_empty());
    files.extend(names.map(|name| canonical(&root.join(OsStr::from_bytes(name)))));
    Ok(())
}

fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, ChangedError> {
    let mut command = Command::new("git");
    let output = command.arg("-C").arg(folder).args(args).stdin(Stdio::null()).output();
    let output = output.map_err(ChangedError::NoGit)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let first = message.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ");
    Err(ChangedError::Refused(first.to_owned()))
}

/// The files of a model, itself included; `None` if it cannot be read.
fn sources(model: &Path, options: &Test) -> Option<HashSet<PathBuf>> {
    let defines = options.defines.iter().filter_map(|text| parse_define(text).ok()).collect();
    let input = Input { model: model.to_owned(), defines, include: options.include.clone() };
    let loaded = load::parse(&LoadRequest::new(&input, &options.report)).ok()?;
    if loaded.diagnostics.has_errors() {
        return None;
    }
    Some(loaded.sources().files().map(|file| canonical(Path::new(&*file.name))).collect())
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
