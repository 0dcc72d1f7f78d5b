//! Why a model cannot be read.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use beeline_source::diagnostic::did_you_mean;

use crate::base::failure::Failure;

/// Why a model cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is larger than 4 GiB, so that positions in it do not fit a span.
    TooLarge(PathBuf),
    /// The file of this name is not in Promela, which the command takes.
    NotPromela(String),
    /// `--instances` names no process type of the model. The name, and those that there are.
    NoProcessType(String),
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Io(path, error) => unreadable(&path, &error),
            ReadError::TooLarge(path) => Failure::new(
                format!("cannot read `{}`: it is larger than 4 GiB", path.display()),
                "check that this is a Promela model",
            ),
            ReadError::NoProcessType(name) => Failure::new(
                format!("the model has no process type {name}"),
                "--instances takes a process type and a number, as in Client=3",
            ),
            ReadError::NotPromela(name) => Failure::new(
                format!(
                    "`{name}` is not written in Promela, and this command takes Promela models only"
                ),
                "`check`, `count`, `simulate` and `replay` take networks and timed automata, too",
            ),
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let (cause, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file".to_owned(), advice(path)),
        ErrorKind::IsADirectory => {
            ("it is a directory".to_owned(), "name a model in it".to_owned())
        }
        ErrorKind::PermissionDenied => {
            ("permission denied".to_owned(), "check the permissions of the file".to_owned())
        }
        _ => (error.to_string(), "`-` reads a model from standard input".to_owned()),
    };
    Failure { message: format!("cannot read `{}`: {cause}", path.display()), help }
}

/// The file with a similar name, if there is one.
fn advice(path: &Path) -> String {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("there is no directory `{}` either", folder.display());
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let extended = names.iter().find(|other| other.strip_suffix(".pml") == Some(&name));
    let similar = extended.map(String::as_str);
    match similar.or_else(|| did_you_mean(&name, names.iter().map(String::as_str))) {
        Some(similar) => format!("did you mean `{}`?", path.with_file_name(similar).display()),
        None => "check the name, or use `-` to read a model from standard input".to_owned(),
    }
}
