//! Trail files: where they go, and reading them.

use std::path::{Path, PathBuf};

use beeline_checker::Story;
use beeline_engine::trail::TrailFile;

use crate::front::Front;
use crate::input::STDIN;

/// Where trails are written: the first one, the second one, and so on.
pub(crate) struct Places {
    stem: String,
    extension: String,
    directory: PathBuf,
}

impl Places {
    /// As SPIN does: the model's file name with `.trail` behind it, in the
    /// current directory; or the file that was asked for.
    pub(crate) fn new(model: &str, wanted: Option<&Path>) -> Places {
        let default = match model {
            STDIN => PathBuf::from("stdin.trail"),
            _ => {
                let name = Path::new(model).file_name().unwrap_or_default();
                PathBuf::from(format!("{}.trail", name.to_string_lossy()))
            }
        };
        let file = wanted.map_or(default, Path::to_owned);
        let text = |part: Option<&std::ffi::OsStr>| {
            part.map_or_else(String::new, |part| part.to_string_lossy().into_owned())
        };
        Places {
            stem: text(file.file_stem()),
            extension: text(file.extension()),
            directory: file.parent().map(Path::to_owned).unwrap_or_default(),
        }
    }

    /// The file of a trail, from 1. `spin -tN` finds it.
    pub(crate) fn file(&self, number: usize) -> PathBuf {
        let number = if number == 1 { String::new() } else { number.to_string() };
        let dot = if self.extension.is_empty() { "" } else { "." };
        self.directory.join(format!("{}{number}{dot}{}", self.stem, self.extension))
    }
}

/// Reads a trail file. `Err` is what is wrong, and what to do.
fn read(path: &Path) -> Result<TrailFile, (String, String)> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| {
        (format!("cannot read `{shown}`: {error}"), "`beeline check` writes a trail".to_owned())
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let advice = || "a trail file is what `beeline check` or SPIN's `pan` writes".to_owned();
    let trail = TrailFile::parse(&text)
        .map_err(|error| (format!("`{shown}` is not a trail: {error}"), advice()))?;
    if text.lines().any(|line| line.starts_with("-2:")) {
        let message = format!("`{shown}` is the trail of a claim, which cannot be replayed yet");
        return Err((message, "trails of deadlocks and assertions can".to_owned()));
    }
    Ok(trail)
}

/// Reads a trail file and executes it. `Err` is what is wrong, and what to do.
pub(crate) fn retell(front: &Front, path: &Path) -> Result<Story, (String, String)> {
    let trail = read(path)?;
    beeline_checker::retell(&front.result.hir, &trail).map_err(|error| {
        let message = format!("`{}` is not a trail of `{}`: {error}", path.display(), front.model);
        let help = "replay a trail with the model and the -D options it was made with";
        (message, help.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_trails_are_numbered_as_spin_does() {
        let file = |model, wanted: Option<&str>, number| {
            let places = Places::new(model, wanted.map(Path::new));
            places.file(number).to_string_lossy().into_owned()
        };
        assert_eq!(file("dir/a.pml", None, 1), "a.pml.trail");
        assert_eq!(file("dir/a.pml", None, 2), "a.pml2.trail");
        assert_eq!(file(STDIN, None, 1), "stdin.trail");
        assert_eq!(file("a.pml", Some("out/t"), 2), "out/t2");
    }
}
