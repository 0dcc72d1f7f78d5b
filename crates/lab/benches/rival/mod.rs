//! SPIN's own search for an error: its verifier, built by gcc and run within limits.
//!
//! Both orders keep every state exactly, without reduction and without the claim, as our searches
//! do. The length of a trail is measured by replaying it in Beeline, so that a rendezvous is one
//! step for both.

use std::path::{Path, PathBuf};
use std::{fs, thread};

use beeline_testkit::spin::Scratch;

use crate::Found;
use beeline_lab::tool::{Ran, run};

/// The search orders of SPIN, with the options of the C compiler.
pub(crate) const ORDERS: [(&str, &[&str]); 2] = [("spin dfs", &[]), ("spin bfs", &["-DBFS"])];

/// Options of gcc in both cases.
pub(crate) const OPTIONS: [&str; 5] =
    ["-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=2048"];
/// An additional option for states longer than a kilobyte, which would slow down other models.
pub(crate) const LONG: &str = "-DVECTORSZ=32768";

/// Time limit of `pan` in seconds.
const SECONDS: &str = "3";
/// The depth limit: no stack grows deeper within the time limit.
const DEEPEST: u64 = 10_000_000;
/// The default logarithm of the number of hash table entries.
const USUAL_BITS: u32 = 24;
const LEAST_BITS: u32 = 10;

/// A model for SPIN.
pub(crate) struct Task<'a> {
    pub(crate) model: &'a Path,
    /// The name of the property.
    pub(crate) kind: &'a str,
    /// The path of Beeline, which replays the trails.
    pub(crate) beeline: &'a str,
}

/// A verifier, and the CPU seconds of its compilation.
struct Verifier {
    scratch: Scratch,
    defines: &'static [&'static str],
    compile: f64,
}

impl Verifier {
    fn build(model: &Path, defines: &'static [&'static str]) -> Verifier {
        let scratch = Scratch::new().expect("a scratch directory");
        let translated = run(scratch.path(), &["spin", "-a", &model.to_string_lossy()]);
        let mut verifier = Verifier { scratch, defines, compile: translated.cpu };
        verifier.compile(&[]);
        verifier
    }

    fn compile(&mut self, more: &[&str]) {
        let options = [&OPTIONS[..], self.defines, more].concat();
        let words = [&["gcc", "-w"], &options[..], &["-o", "pan", "pan.c"]].concat();
        self.compile += run(self.scratch.path(), &words).cpu;
    }

    /// Runs it within the limits, with a stack and a table of these sizes.
    fn run(&self, task: &Task<'_>, deepest: u64, bits: u32) -> Ran {
        let ignore = if task.kind == "deadlock" { "-A" } else { "-E" };
        let (depth, table) = (format!("-m{deepest}"), format!("-w{bits}"));
        let words = ["timeout", SECONDS, "./pan", "-n", ignore, &depth, &table];
        run(self.scratch.path(), &words)
    }

    /// The error that it finds in time, if any.
    fn find(&mut self, task: &Task<'_>) -> Option<Found> {
        let mut first = self.run(task, DEEPEST, USUAL_BITS);
        if first.output.contains("VECTORSZ is too small") {
            self.compile(&[LONG]);
            first = self.run(task, DEEPEST, USUAL_BITS);
        }
        let error = first.output.lines().find(|line| line.starts_with("pan:1:"))?;
        // Errors of another kind end its search, too, and are ignored.
        if error.contains("invalid end state") != (task.kind == "deadlock") {
            return None;
        }
        // Its stack and its table have fixed sizes, and count as memory. The measured run has the
        // smallest sizes without a disadvantage.
        let depth = number_behind(&first.output, "depth reached ")?;
        let stored = number_before(&first.output, "states, stored")?;
        let bits = (stored.log2().ceil() as u32 + 1).max(LEAST_BITS);
        let ran = self.run(task, depth as u64 + 10, bits);
        let megabytes = number_before(&ran.output, "total actual memory usage")?;
        Some(Found {
            stored: number_before(&ran.output, "states, stored")?,
            steps: self.steps(task)?,
            seconds: ran.cpu,
            bytes: megabytes * f64::from(1 << 20),
            shortest: false,
            compile: Some(self.compile),
        })
    }

    /// The steps of its trail.
    fn steps(&self, task: &Task<'_>) -> Option<f64> {
        let trail = self.trail()?;
        if let Some(steps) = self.follow(task, &trail) {
            return Some(steps);
        }
        // Breadth-first, it adds an impossible step to the trail of a deadlock.
        let text = fs::read_to_string(&trail).ok()?;
        let (shorter, _) = text.trim_end().rsplit_once('\n')?;
        fs::write(&trail, format!("{shorter}\n")).ok()?;
        let steps = self.follow(task, &trail).filter(|_| task.kind == "deadlock");
        if steps.is_none() {
            eprintln!("{}: this trail of SPIN's cannot be followed", task.model.display());
        }
        // Otherwise the number of step lines, although a rendezvous has two.
        let is_step = |line: &&str| !line.starts_with('-');
        steps.or_else(|| Some(text.lines().filter(is_step).count() as f64))
    }

    /// The number of steps of a trail to an error.
    fn follow(&self, task: &Task<'_>, trail: &Path) -> Option<f64> {
        let (model, trail) = (task.model.to_string_lossy(), trail.to_string_lossy());
        let words = [task.beeline, "replay", &model, &trail, "--json"];
        let output = run(self.scratch.path(), &words).output;
        if !output.contains("\"error\":\"") || output.contains("\"ok\":false") {
            return None;
        }
        let (_, last) = output.rsplit_once("{\"step\":").unwrap_or(("", "0,"));
        last.split(',').next()?.parse().ok()
    }

    fn trail(&self) -> Option<PathBuf> {
        let files = fs::read_dir(self.scratch.path()).ok()?;
        let mut paths = files.filter_map(|file| Some(file.ok()?.path()));
        paths.find(|path| path.extension().is_some_and(|end| end == "trail"))
    }
}

/// SPIN's results, by order. The verifiers are compiled in parallel, and run alone.
pub(crate) fn search(task: &Task<'_>) -> [Option<Found>; 2] {
    let verifiers = thread::scope(|scope| {
        let build = |(_, defines): (_, &'static [_])| {
            scope.spawn(move || Verifier::build(task.model, defines))
        };
        ORDERS.map(build).map(|thread| thread.join().expect("it does not panic"))
    });
    verifiers.map(|mut verifier| verifier.find(task))
}

fn number_before(output: &str, words: &str) -> Option<f64> {
    let line = output.lines().find(|line| line.contains(words))?;
    line.split_whitespace().next()?.parse().ok()
}

fn number_behind(output: &str, words: &str) -> Option<f64> {
    let (_, rest) = output.split_once(words)?;
    rest.split(',').next()?.parse().ok()
}
