//! `check --watch`: checks a model again whenever one of its files changes.
//!
//! Each check is a process of its own, so that limits and Ctrl-C work as in a single check.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use crate::args::check::Check;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::base::output::CommandOutput;
use crate::commands::load::{self, LoadRequest};
use crate::run::{catch_interrupts, is_interrupted};

/// The time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(200);

/// The time that an interrupted check has for its report.
const GRACE: Duration = Duration::from_secs(3);

/// The option, which the single checks do not have.
const OPTION: &str = "--watch";

/// A file with its time of change and its length; `None` if it cannot be read.
type FileMark = (PathBuf, Option<(SystemTime, u64)>);

/// Checks the model again and again, until Ctrl-C.
pub(super) fn watch(options: &Check) -> Result<CommandOutput, CommandOutput> {
    catch_interrupts();
    let mut exit = Exit::Success;
    for number in 1_u64.. {
        let marks = marks(options);
        let mut child = start().map_err(|error| {
            let failure = Failure::new(
                format!("the check does not start: {error}"),
                "leave out --watch to check once",
            );
            load::fail(&options.input.model.to_string_lossy(), &options.report, failure)
        })?;
        let changed = wait(&mut child, &marks, &mut exit);
        let Some(file) = changed else { break };
        // A closed standard error does not stop the checks.
        let number = number + 1;
        let _ =
            writeln!(std::io::stderr(), "\n──── {} changed: check {number} ────", file.display());
    }
    Ok(CommandOutput { out: String::new(), err: String::new(), exit })
}

/// Starts a check with the same command line.
fn start() -> std::io::Result<Child> {
    let args: Vec<OsString> = std::env::args_os().skip(1).filter(|arg| arg != OPTION).collect();
    Command::new(std::env::current_exe()?).args(args).spawn()
}

/// Waits for a file that changes, and returns it; `None` after Ctrl-C. A check that still runs then
/// is ended.
fn wait(child: &mut Child, marks: &[FileMark], exit: &mut Exit) -> Option<PathBuf> {
    let (mut is_running, mut interrupted_for) = (true, Duration::ZERO);
    loop {
        if is_running && let Ok(Some(status)) = child.try_wait() {
            is_running = false;
            *exit = Exit::of_code(status.code());
            if !is_interrupted() {
                let _ = writeln!(std::io::stderr(), "\nwatching {}; Ctrl-C ends", names(marks));
            }
        }
        // A terminal interrupts the check, too, which then reports what it knows.
        if is_interrupted() {
            interrupted_for += INTERVAL;
            if !is_running || interrupted_for > GRACE {
                end(child);
                return None;
            }
        }
        if let Some((file, _)) = marks.iter().find(|mark| *mark != &mark_of(&mark.0)) {
            end(child);
            return Some(file.clone());
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Ends a check, which may have ended by itself.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The model, and the files that it includes.
fn marks(options: &Check) -> Vec<FileMark> {
    let mut marks = vec![mark_of(&options.input.model)];
    let request = LoadRequest {
        properties: &options.properties,
        semantics: options.meaning.semantics(),
        ..LoadRequest::new(&options.input, &options.report)
    };
    if let Ok(loaded) = load::parse(&request) {
        let files = loaded.sources().files().map(|file| PathBuf::from(&*file.name));
        // Texts of the command line are no files.
        marks.extend(files.skip(1).filter(|file| file.is_file()).map(|file| mark_of(&file)));
    }
    marks
}

fn mark_of(file: &Path) -> FileMark {
    let metadata = std::fs::metadata(file).ok();
    let mark = metadata.and_then(|found| Some((found.modified().ok()?, found.len())));
    (file.to_owned(), mark)
}

fn names(marks: &[FileMark]) -> String {
    let names: Vec<String> = marks.iter().map(|(file, _)| file.display().to_string()).collect();
    names.join(", ")
}
