//! Trail files: where they go, writing them, and reading them.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use beeline_checker::{Rules, Story};
use beeline_engine::trail::{TrailError, TrailFile};
use beeline_promela::hir::ProcessKind;

use crate::front::Front;
use crate::input::STDIN;
use crate::output;

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

/// A trail file that was read and executed.
pub(crate) struct Read {
    pub(crate) story: Story,
    /// What the file says.
    pub(crate) file: TrailFile,
    /// What is strange about the file, if it ends without an error.
    pub(crate) doubt: Option<(String, String)>,
}

/// Reads a trail file and executes it. `Err` is what is wrong, and what to do.
pub(crate) fn retell(front: &Front, path: &Path, rules: Rules) -> Result<Read, (String, String)> {
    let shown = path.display();
    let model = &front.model;
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let advice = || "a trail file is what `beeline check` or SPIN's `pan` writes".to_owned();
    let trail = TrailFile::parse(&text)
        .map_err(|error| (format!("`{shown}` is not a trail: {error}"), advice()))?;
    let is_claim = |number: usize| {
        let processes = &front.result.hir.processes;
        processes.get(number).is_some_and(|process| process.kind == ProcessKind::Never)
    };
    if trail.claim.is_some_and(|number| !is_claim(number)) {
        let message = format!("`{shown}` is the trail of a formula, which cannot be replayed yet");
        return Err((message, "trails of deadlocks, assertions and never claims can".to_owned()));
    }
    let story = beeline_checker::retell(&front.result.hir, &trail, rules).map_err(|error| {
        let line = match error {
            TrailError::Impossible { step, .. } => line_of(&text, step),
            TrailError::Malformed { .. } => None,
        };
        let line = line.map_or_else(String::new, |line| format!("line {line}, "));
        let message = format!("`{shown}` is not a trail of `{model}`: {line}{error}");
        let help = "use the model, and the -D options, that the trail was made with";
        (message, help.to_owned())
    })?;
    let fine = story.end.wrong.is_some() || story.cycle_start.is_some();
    let doubt = (!fine).then(|| {
        let what = match trail.lines.len() {
            0 => "has no steps".to_owned(),
            steps => {
                let line = line_of(&text, steps).unwrap_or(steps);
                format!("ends in line {line}, after step {steps}, without an error")
            }
        };
        let cut = if text.ends_with('\n') || text.is_empty() { "" } else { ", within a line" };
        let message = format!("`{shown}` {what}: was it cut short{cut}?");
        (message, format!("`beeline check {model}` writes it again"))
    });
    Ok(Read { story, file: trail, doubt })
}

fn unreadable(path: &Path, error: &io::Error) -> (String, String) {
    let (cause, help) = match error.kind() {
        ErrorKind::NotFound => ("there is no such file".to_owned(), "`beeline check` writes one"),
        ErrorKind::IsADirectory => ("it is a directory".to_owned(), "name a trail file in it"),
        _ => (error.to_string(), "check the file, and who may read it"),
    };
    (format!("cannot read the trail `{}`: {cause}", path.display()), help.to_owned())
}

/// The line of the file where a step stands, both from 1.
fn line_of(text: &str, step: usize) -> Option<usize> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut steps = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('-'));
    steps.nth(step.checked_sub(1)?).map(|(number, _)| number)
}

/// Writes a trail. What stood in the file stays there when that fails.
pub(crate) fn write(path: &Path, trail: &TrailFile) -> io::Result<()> {
    output::write(path, &trail.text())
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
