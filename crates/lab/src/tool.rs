//! Running the measured tool, and parsing its output.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

pub use crate::place::{beeline, root};

/// The cost and output of a run.
pub struct Ran {
    /// Seconds of all processors together.
    pub cpu: f64,
    /// Standard output, and the lines of `times` at its end.
    pub output: String,
}

impl Ran {
    /// The JSON object of its output; null if there is none.
    pub fn object(&self) -> Value {
        let line = self.output.lines().find(|line| line.starts_with('{')).unwrap_or_default();
        serde_json::from_str(line).unwrap_or(Value::Null)
    }
}

/// Runs a command in a shell that prints its CPU time.
pub fn run(directory: &Path, words: &[&str]) -> Ran {
    let script = "\"$@\"; times";
    let mut command = Command::new("bash");
    command.args(["-c", script, "bash"]).args(words).current_dir(directory);
    let output = command.output().expect("bash runs");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = output.lines().last().unwrap_or_default();
    let seconds = |word: &str| {
        let (minutes, rest) = word.split_once('m').unwrap_or(("0", word));
        let rest = rest.trim_end_matches('s').replace(',', ".");
        minutes.parse::<f64>().unwrap_or(0.0) * 60.0 + rest.parse::<f64>().unwrap_or(0.0)
    };
    let cpu = last.split_whitespace().map(seconds).sum();
    Ran { cpu, output }
}

/// A number of a JSON object.
pub fn field(output: &str, key: &str) -> f64 {
    let (_, rest) = output.split_once(&format!("\"{key}\":")).expect("the key is there");
    let end = rest.find([',', '}']).expect("a number ends");
    rest[..end].trim().parse().expect("it is a number")
}
