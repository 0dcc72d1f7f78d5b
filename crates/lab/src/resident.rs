//! The resident memory of a program, as reported by Linux.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

/// The time between two readings.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs a program, and returns its greatest resident memory in bytes: the last high-water mark
/// before it ended.
pub fn peak(directory: &Path, words: &[&str]) -> f64 {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most: f64 = 0.0;
    while child.try_wait().expect("it can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = mark.and_then(|mark| mark.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(kibibytes.unwrap_or(0.0) * 1024.0);
        thread::sleep(PAUSE);
    }
    most
}
