//! Trail files: reading and writing.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use beeline_kernel::{Trail, TrailError};
use beeline_model::{Model, Unsupported};

use crate::base::failure::Failure;
use crate::base::file;
use crate::model::trail_paths;

/// A trail file as it was read.
pub(crate) struct GivenTrail {
    pub(crate) trail: Trail,
    pub(crate) text: String,
    /// The name that messages use.
    pub(crate) name: String,
}

/// Why a file is not a trail of a model.
#[derive(Debug)]
pub(crate) enum TrailReadError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The text is not a trail.
    Syntax(String, TrailError),
    /// The trail is one of another model.
    Foreign(String, Unsupported),
    /// The model of this name has no trail in these files.
    Missing(String, Vec<PathBuf>),
}

/// The trail file of a model, if the user names none; of a property, if one is given.
///
/// # Errors
///
/// When there is no such file.
pub(crate) fn find(model: &str, property: Option<&str>) -> Result<PathBuf, TrailReadError> {
    let files = trail_paths::candidates(model, property);
    let found = files.iter().find(|file| file.is_file()).cloned();
    found.ok_or_else(|| TrailReadError::Missing(model.to_owned(), files))
}

/// Whether a trail file of a model is the one without the name of a property.
pub(crate) fn is_of_any_property(model: &str, file: &Path) -> bool {
    trail_paths::candidates(model, None).iter().any(|candidate| candidate == file)
}

impl GivenTrail {
    /// Reads a trail file of a model.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a trail of this model.
    pub(crate) fn read(model: &dyn Model, path: &Path) -> Result<GivenTrail, TrailReadError> {
        let name = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|error| TrailReadError::Io(path.to_owned(), error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let trail =
            Trail::parse(&text).map_err(|error| TrailReadError::Syntax(name.clone(), error))?;
        if let Some(why) = model.foreign_trail(&trail) {
            return Err(TrailReadError::Foreign(name, why));
        }
        Ok(GivenTrail { trail, text, name })
    }

    /// Keeps the first steps only, counted as in the file.
    pub(crate) fn cut(&mut self, steps: usize) {
        self.trail.lines.truncate(steps);
        self.trail.cycle_start = self.trail.cycle_start.filter(|&at| at < steps);
    }

    /// The line of a step in the file, both from 1.
    pub(crate) fn line_of(&self, step: usize) -> Option<usize> {
        line_of(&self.text, step)
    }
}

impl From<TrailReadError> for Failure {
    fn from(error: TrailReadError) -> Failure {
        let advice = "a trail file is what `beeline check` or SPIN's `pan` writes";
        match error {
            TrailReadError::Io(path, error) => unreadable(&path, &error),
            TrailReadError::Syntax(file, error) => {
                Failure::new(format!("`{file}` is not a trail: {error}"), advice)
            }
            TrailReadError::Missing(model, files) => {
                let files: Vec<String> =
                    files.iter().map(|file| format!("`{}`", file.display())).collect();
                Failure::new(
                    format!("`{model}` has no trail: there is no file {}", files.join(" or ")),
                    format!(
                        "`beeline check {model}` writes one if a property is violated; a trail \
                         elsewhere can be named after the model"
                    ),
                )
            }
            TrailReadError::Foreign(file, why) => {
                Failure::new(format!("`{file}` is not a trail of this model: {why}"), advice)
            }
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let (cause, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file".to_owned(), "`beeline check` writes one"),
        ErrorKind::IsADirectory => ("it is a directory".to_owned(), "name a trail file in it"),
        _ => (error.to_string(), "check the file and its permissions"),
    };
    Failure::new(format!("cannot read the trail `{}`: {cause}", path.display()), help)
}

/// The line of a step in the file, both from 1.
fn line_of(text: &str, step: usize) -> Option<usize> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut steps = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('-'));
    steps.nth(step.checked_sub(1)?).map(|(number, _)| number)
}

/// Writes a trail. On failure the file keeps its contents.
pub(crate) fn write(path: &Path, trail: &Trail) -> io::Result<()> {
    file::replace(path, trail.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_in_the_file() {
        let text = "-4:-4:-4\n1:0:3\n\n-1:-1:-1\n2:0:4\n";
        assert_eq!(line_of(text, 1), Some(2));
        assert_eq!(line_of(text, 2), Some(5));
        assert_eq!(line_of(text, 3), None);
    }
}
