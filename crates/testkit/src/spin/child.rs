//! Child processes with a time limit.
//!
//! Output goes to files rather than pipes: a pipe needs a reader thread, and a surviving grandchild
//! would hold it open beyond the limit. Each child leads a process group of its own, so that the
//! limit also ends its children (SPIN runs the C preprocessor through a shell).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::error::OracleError;
use super::scratch::Scratch;

/// A child that ended by itself.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its standard output; bytes that are not UTF-8 are replaced.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Finished {
    /// Whether it ended with status 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.status.success()
    }

    /// Both outputs, the standard output first.
    #[must_use]
    pub fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs a program in `directory` without input and waits at most `limit` for its end.
///
/// # Errors
/// When the program cannot be started, or is killed at the time limit.
pub fn run<I>(
    program: impl AsRef<OsStr>,
    args: I,
    directory: &Path,
    limit: Duration,
) -> Result<Finished, OracleError>
where
    I: IntoIterator,
    I::Item: AsRef<OsStr>,
{
    let name = program.as_ref().to_string_lossy().into_owned();
    let io = |error| OracleError::Io(name.clone(), error);
    let outputs = Scratch::new()?;
    let stdout = outputs.path().join("stdout");
    let stderr = outputs.path().join("stderr");
    let mut child = Command::new(program.as_ref())
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).map_err(io)?)
        .stderr(File::create(&stderr).map_err(io)?)
        .process_group(0)
        .spawn()
        .map_err(io)?;
    let status = match wait(&mut child, limit).map_err(io)? {
        Some(status) => status,
        None => return Err(OracleError::Timeout(name, limit)),
    };
    let read = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Finished { status, stdout: read(&stdout).map_err(io)?, stderr: read(&stderr).map_err(io)? })
}

/// The child's status, or `None` if it was killed.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    let mut nap = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            end(child)?;
            return Ok(None);
        }
        thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(10));
    }
}

/// Kills the child's whole group, then the child in case `kill` is missing, and reaps it.
fn end(child: &mut Child) -> std::io::Result<()> {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    child.kill()?;
    child.wait()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn output_and_status_come_back() {
        let script = "echo out; echo err >&2; exit 3";
        let answer = run("sh", ["-c", script], Path::new("/"), LONG).unwrap();
        assert_eq!(answer.status.code(), Some(3));
        assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn the_deadline_ends_grandchildren_too() {
        let scratch = Scratch::new().unwrap();
        let script = "sleep 1 && touch survived & wait";
        let answer = run("sh", ["-c", script], scratch.path(), SHORT);
        assert!(matches!(answer, Err(OracleError::Timeout(..))), "{answer:?}");
        thread::sleep(Duration::from_millis(1200));
        assert!(!scratch.path().join("survived").exists());
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let answer = run("no-such-program-here", ["-V"], Path::new("/"), LONG);
        assert!(matches!(answer, Err(OracleError::Io(..))));
    }
}
