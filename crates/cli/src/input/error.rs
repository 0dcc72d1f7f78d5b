//! Files that cannot be read: the cause and the cure.

use std::io::{self, ErrorKind};
use std::path::Path;

use annotate_snippets::{Group, Level, Renderer};
use beeline_promela::diagnostic::did_you_mean;

use crate::color::Paint;

/// Why a model could not be read.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// One sentence: what cannot be read, and why.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: String,
}

impl ReadError {
    pub(super) fn new(path: &Path, error: &io::Error) -> ReadError {
        let (cause, help) = match error.kind() {
            ErrorKind::NotFound => ("there is no such file".to_owned(), advice(path)),
            ErrorKind::IsADirectory => {
                ("it is a directory".to_owned(), "name a model in it".to_owned())
            }
            ErrorKind::PermissionDenied => {
                ("permission denied".to_owned(), "check who may read the file".to_owned())
            }
            _ => (error.to_string(), "`-` reads a model from standard input".to_owned()),
        };
        ReadError { message: format!("cannot read `{}`: {cause}", path.display()), help }
    }

    pub(super) fn too_large(path: &Path) -> ReadError {
        ReadError {
            message: format!("cannot read `{}`: it is larger than 4 GiB", path.display()),
            help: "check that this is a Promela model".to_owned(),
        }
    }

    /// The message as shown to people.
    pub(crate) fn render(&self, paint: Paint) -> String {
        let clean = annotate_snippets::normalize_untrusted_str;
        let title = Level::ERROR.primary_title(&self.message);
        let help = Level::HELP.secondary_title(clean(&self.help));
        let report = [Group::with_title(title), Group::with_title(help)];
        let renderer = match paint {
            Paint::Plain => Renderer::plain(),
            Paint::Colored => Renderer::styled(),
        };
        renderer.render(&report) + "\n"
    }
}

/// What someone who named a file that is not there may have meant.
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
