//! The paths of trail files.

use std::path::{Path, PathBuf};

use crate::model::file::STDIN;

/// The files of the trails of a check, numbered from 1.
pub(crate) struct TrailPaths {
    stem: String,
    extension: String,
    directory: PathBuf,
}

impl TrailPaths {
    /// As in SPIN: the model's file name with `.trail` appended, in the current directory; or the
    /// requested file.
    pub(crate) fn new(model: &str, wanted: Option<&Path>) -> TrailPaths {
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
        TrailPaths {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_trails_are_numbered_as_spin_does() {
        let file = |model, wanted: Option<&str>, number| {
            let paths = TrailPaths::new(model, wanted.map(Path::new));
            paths.file(number).to_string_lossy().into_owned()
        };
        assert_eq!(file("dir/a.pml", None, 1), "a.pml.trail");
        assert_eq!(file("dir/a.pml", None, 2), "a.pml2.trail");
        assert_eq!(file(STDIN, None, 1), "stdin.trail");
        assert_eq!(file("a.pml", Some("out/t"), 2), "out/t2");
    }
}
