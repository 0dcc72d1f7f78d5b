//! SPIN with its defaults: `spin -run`, which translates, compiles and searches
//! depth-first, with reduction.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use beeline_testkit::spin::Scratch;

/// The result of SPIN.
pub(crate) struct Rival {
    /// `violated`, `holds` or `unknown`.
    pub(crate) verdict: &'static str,
    /// Steps of the trail: a rendezvous counts twice.
    pub(crate) steps: Option<u64>,
    /// The whole time from the file to the verdict.
    pub(crate) seconds: f64,
}

/// Runs it without the claim, since only deadlocks and assertions are compared.
pub(crate) fn run(model: &Path, seconds: u64) -> Rival {
    let scratch = Scratch::new().expect("a scratch directory");
    let begin = Instant::now();
    // `timeout` also ends the processes that SPIN has started.
    let mut command = Command::new("timeout");
    command.arg(seconds.to_string()).args(["spin", "-run", "-noclaim", "-m1000000"]);
    let output = command.arg(model).current_dir(scratch.path()).output().expect("timeout runs");
    let seconds = begin.elapsed().as_secs_f64();
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_partial = ["max search depth too small", "Search not completed"];
    let verdict = if output.lines().any(|line| line.starts_with("pan:1:")) {
        "violated"
    } else if output.contains("errors: 0") && !is_partial.iter().any(|sign| output.contains(sign)) {
        "holds"
    } else {
        "unknown"
    };
    Rival { verdict, steps: steps(scratch.path()), seconds }
}

/// The lines of the trail that are steps.
fn steps(directory: &Path) -> Option<u64> {
    let files = fs::read_dir(directory).ok()?;
    let mut paths = files.filter_map(|file| Some(file.ok()?.path()));
    let trail = paths.find(|path| path.extension().is_some_and(|end| end == "trail"))?;
    let text = fs::read_to_string(trail).ok()?;
    Some(text.lines().filter(|line| !line.starts_with('-')).count() as u64)
}
