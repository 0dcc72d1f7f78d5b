//! Running the command.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A model without any problem.
pub(crate) const GOOD: &str = "byte n;\n\nactive proctype P() {\n  n = 1;\n  assert(n == 1)\n}\n";

/// A model with one error, in line 2.
pub(crate) const BAD: &str = "active proctype P() {\n  count = 1\n}\n";

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().expect("beeline was not killed"),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

/// A fresh directory for a test.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // An earlier run may have left it.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the test directory is ours");
    path
}

/// The command, not started.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beeline"));
    command.args(args).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs in a directory.
pub(crate) fn run_in(directory: &Path, args: &[&str]) -> Run {
    finish(command(args).current_dir(directory))
}

/// Runs in a directory with some text on standard input.
pub(crate) fn run_in_on(directory: &Path, input: impl AsRef<[u8]>, args: &[&str]) -> Run {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    feed(command.current_dir(directory).spawn().expect("beeline starts"), input)
}

/// Runs in the current directory.
pub(crate) fn run(args: &[&str]) -> Run {
    finish(&mut command(args))
}

fn finish(command: &mut Command) -> Run {
    command.output().expect("beeline starts").into()
}

/// Starts the command with a pipe on each stream.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("beeline starts")
}

/// Writes a model to a process and waits for its end.
pub(crate) fn feed(mut child: Child, model: impl AsRef<[u8]>) -> Run {
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // After an error in the command line, the process ends without reading.
    match stdin.write_all(model.as_ref()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.expect("beeline reads its input"),
    }
    drop(stdin);
    child.wait_with_output().expect("beeline ends").into()
}

/// Runs with a model on standard input.
pub(crate) fn run_on(model: &str, args: &[&str]) -> Run {
    feed(start(args), model)
}
