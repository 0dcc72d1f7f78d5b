//! Trail files: where they go, writing them, and reading them.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use beeline_checker::{Property, SemanticsOptions, Story, Violation};
use beeline_engine::trail::{Trail, TrailError};
use beeline_promela::hir::ProcessKind;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::file;
use crate::input::STDIN;
use crate::loaded::LoadedModel;
use crate::story;

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

/// Where a trail is to be written, from the command line.
pub(crate) fn place() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|file| match file.to_str() {
        Some("-") => Err("a trail goes to a file, not to standard output: name a file, as in \
                            model.trail"),
        _ => Ok(PathBuf::from(file)),
    })
}

/// A trail file that was read and executed.
pub(crate) struct Read {
    pub(crate) story: Story,
    /// What the file says.
    pub(crate) file: Trail,
    /// What is strange about the file, if it ends without an error.
    pub(crate) doubt: Option<Complaint>,
}

/// What is wrong, and what to do about it.
pub(crate) type Complaint = (String, String);

/// A trail file as it was read.
pub(crate) struct Given {
    pub(crate) trail: Trail,
    text: String,
    /// How the file is called.
    shown: String,
}

impl Given {
    /// Reads a trail file.
    pub(crate) fn read(loaded: &LoadedModel, path: &Path) -> Result<Given, Complaint> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let advice = || "a trail file is what `beeline check` or SPIN's `pan` writes".to_owned();
        let trail = Trail::parse(&text)
            .map_err(|error| (format!("`{shown}` is not a trail: {error}"), advice()))?;
        // SPIN counts formulas behind the processes, as claims that it makes of them.
        let processes = &loaded.result.hir.processes;
        let named = trail.claim.and_then(|number| processes.get(number));
        if let Some(process) = named.filter(|process| process.kind != ProcessKind::Never) {
            let name = &process.name.name;
            let message = format!("`{shown}` is not a trail of this model: `{name}` is no claim");
            return Err((message, advice()));
        }
        Ok(Given { trail, text, shown })
    }

    /// Leaves out all but the first steps, counted as in the file.
    pub(crate) fn cut(&mut self, steps: usize) {
        self.trail.lines.truncate(steps);
        self.trail.cycle_start = self.trail.cycle_start.filter(|&at| at < steps);
    }

    /// Why the trail does not fit the model: the step that fails, who should take it and
    /// where that process is; and how many steps before it do fit.
    pub(crate) fn misfit(
        &self,
        loaded: &LoadedModel,
        semantics: SemanticsOptions,
        error: &TrailError,
    ) -> Complaint {
        let Given { trail, text, shown } = self;
        let model = &loaded.model;
        let TrailError::Impossible { step, line: asked, .. } = *error else {
            return (format!("`{shown}` is not a trail of `{model}`: {error}"), OTHER.to_owned());
        };
        let line = line_of(text, step).map_or_else(String::new, |line| format!("line {line}, "));
        let mut message = format!("`{shown}` is not a trail of `{model}`: {line}{error}");
        let fits = step - 1;
        let prefix = Trail { lines: trail.lines[..fits].to_vec(), ..trail.clone() };
        let first_pid = usize::from(trail.claim.is_some());
        if let Ok(story) = beeline_checker::retell(&loaded.result.hir, &prefix, semantics)
            && let Some(process) = story.end.processes.get(asked.pid.wrapping_sub(first_pid))
        {
            message += &format!("; {}", story::rests(process, None, &loaded.result.sources));
        }
        let help = match fits {
            0 => OTHER.to_owned(),
            _ => format!(
                "{OTHER}; the steps before it do fit: `beeline replay {model} {shown} --steps \
                 {fits}` shows them"
            ),
        };
        (message, help)
    }
}

const OTHER: &str = "use the model, and the -D options, that the trail was made with";

/// Executes a trail and tells its story.
pub(crate) fn retell(
    loaded: &LoadedModel,
    given: &Given,
    semantics: SemanticsOptions,
) -> Result<Read, Complaint> {
    retell_for(loaded, given, semantics, &[], false)
}

/// Executes a trail and tells how it violates one of these properties, or what else is wrong, with
/// all states if they are wanted.
pub(crate) fn retell_for(
    loaded: &LoadedModel,
    given: &Given,
    semantics: SemanticsOptions,
    properties: &[Property],
    wants_states: bool,
) -> Result<Read, Complaint> {
    let (model, trail) = (&loaded.result.hir, &given.trail);
    let told = beeline_checker::retell_for(model, trail, semantics, properties, wants_states);
    read(loaded, given, semantics, told)
}

fn read(
    loaded: &LoadedModel,
    given: &Given,
    semantics: SemanticsOptions,
    told: Result<Story, TrailError>,
) -> Result<Read, Complaint> {
    let Given { trail, text, shown } = given;
    let model = &loaded.model;
    let mut story = told.map_err(|error| given.misfit(loaded, semantics, &error))?;
    let core = beeline_checker::causal_core(&loaded.result.hir, trail, semantics);
    story.core = core.unwrap_or_default();
    if story.end.error.is_none() && story.cycle_start.is_some() {
        let doubt = (!story.closes).then(|| broken_cycle(shown, &story));
        return Ok(Read { story, file: trail.clone(), doubt });
    }
    let doubt = story.end.error.is_none().then(|| {
        let what = match trail.lines.len() {
            0 => "has no steps".to_owned(),
            steps => {
                let line = line_of(text, steps).unwrap_or(steps);
                format!("ends in line {line}, after step {steps}, without an error")
            }
        };
        let cut = if text.ends_with('\n') || text.is_empty() { "" } else { ", within a line" };
        let message = format!("`{shown}` {what}: was it cut short{cut}?");
        (message, format!("`beeline check {model}` writes it again"))
    });
    Ok(Read { story, file: trail.clone(), doubt })
}

/// What to say of a cycle that does not close.
fn broken_cycle(shown: &str, story: &Story) -> Complaint {
    let what = if story.cycle_start == Some(story.steps.len()) {
        "has no steps behind the mark of its cycle (`-1:-1:-1`), but the model can go on there"
    } else {
        "has a cycle that does not come back to where it begins (`-1:-1:-1`)"
    };
    let help = "a trail with a cycle has to end in the state in which its cycle begins; was it \
                cut short?";
    (format!("`{shown}` {what}"), help.to_owned())
}

/// The story of a violation that was confirmed, of the formula of this name if it is one of a
/// formula, with all states if they are wanted.
pub(crate) fn story_of(
    loaded: &LoadedModel,
    violation: &Violation,
    formula: Option<&str>,
    semantics: SemanticsOptions,
    wants_states: bool,
) -> Story {
    let model = &loaded.result.hir;
    let story =
        beeline_checker::retell_violation(model, violation, formula, semantics, wants_states);
    story.unwrap_or_else(|error| panic!("a confirmed trail fails: {error}"))
}

fn unreadable(path: &Path, error: &io::Error) -> Complaint {
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
