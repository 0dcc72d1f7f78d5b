//! The test of one model, in a process of its own: a crash or the memory of one model does not
//! affect the others.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use beeline_source::expect::{Expect, HeaderProblem};
use serde::Deserialize;

use crate::args::test::Test;
use crate::base::exit::Exit;
use crate::base::failure::Failure;
use crate::model::file::ModelFile;
use crate::model::read_error::ReadError;
use crate::render::test::{TestResult, TestedModel, TestedProperty};
use crate::run::is_interrupted;

/// The time that a process gets beyond its limit before it is ended.
const GRACE: Duration = Duration::from_secs(10);
/// The longest time between two looks at a process.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// The parts of the JSON of `check` that count here.
#[derive(Default, Deserialize)]
struct Answer {
    #[serde(default)]
    properties: Vec<TestedProperty>,
    #[serde(default)]
    diagnostics: Vec<Message>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    severity: String,
    message: String,
    file: String,
    line: u32,
    column: u32,
}

/// Checks a model against the verdicts that it states.
pub(super) fn test(model: &Path, options: &Test) -> TestedModel {
    let start = Instant::now();
    let tested = match header(model) {
        Err(error) => TestedModel::failed(model, Failure::from(error).message),
        Ok(false) => TestedModel::new(model, TestResult::WithoutExpectations),
        Ok(true) => match start_process(model, options) {
            Ok(process) => watch(process, model, options.time + GRACE),
            Err(error) => TestedModel::failed(model, format!("the check does not start: {error}")),
        },
    };
    TestedModel { seconds: start.elapsed().as_secs_f64(), ..tested }
}

/// Whether a model states expected verdicts, perhaps with mistakes.
fn header(model: &Path) -> Result<bool, ReadError> {
    let file = ModelFile::read(model)?;
    let is_missing = |problem: &HeaderProblem| *problem == HeaderProblem::Missing;
    Ok(!Expect::parse(&file.text).is_err_and(|error| is_missing(&error.problem)))
}

fn start_process(model: &Path, options: &Test) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["check", "--expect-from-source", "--json", "--no-trail", "--jobs", "1"]);
    command.arg(format!("--time={}ms", options.time.as_millis()));
    command.arg(format!("--memory={}", options.memory_limit()));
    if options.plain {
        command.arg("--plain");
    }
    for define in &options.defines {
        command.arg("-D").arg(define);
    }
    for directory in &options.include {
        command.arg("-I").arg(directory);
    }
    command.arg("--").arg(model);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Waits for the end of a process, and reads its answer.
fn watch(mut process: Child, model: &Path, limit: Duration) -> TestedModel {
    let out = process.stdout.take().expect("standard output is a pipe");
    let err = process.stderr.take().expect("standard error is a pipe");
    std::thread::scope(|scope| {
        let out = scope.spawn(|| text(out));
        let err = scope.spawn(|| text(err));
        let end = wait(&mut process, limit);
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        match end {
            ProcessEnd::Ended(status) => judge(model, status, &out, &err),
            ProcessEnd::TooLong => {
                let problem = "the check did not end in time".to_owned();
                TestedModel { result: TestResult::Unknown, ..TestedModel::failed(model, problem) }
            }
            ProcessEnd::Interrupted => TestedModel::new(model, TestResult::NotTested),
        }
    })
}

fn text(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    // What arrived before an error is judged.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How a process ended.
enum ProcessEnd {
    Ended(ExitStatus),
    /// It ran past its limit and was ended.
    TooLong,
    /// The user stopped the tests.
    Interrupted,
}

fn wait(process: &mut Child, limit: Duration) -> ProcessEnd {
    let (start, mut nap) = (Instant::now(), Duration::from_millis(1));
    loop {
        if let Ok(Some(status)) = process.try_wait() {
            // A terminal sends Ctrl-C to this process, too: its verdicts are not those of a test.
            return if is_interrupted() {
                ProcessEnd::Interrupted
            } else {
                ProcessEnd::Ended(status)
            };
        }
        if is_interrupted() || start.elapsed() > limit {
            // It may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
            return if is_interrupted() { ProcessEnd::Interrupted } else { ProcessEnd::TooLong };
        }
        std::thread::sleep(nap);
        nap = (2 * nap).min(LONGEST_NAP);
    }
}

/// The result of a check that ended with this status and this output.
fn judge(model: &Path, status: ExitStatus, out: &str, err: &str) -> TestedModel {
    let answer: Answer = serde_json::from_str(out).unwrap_or_default();
    let result = match Exit::of_code(status.code()) {
        Exit::Success => TestResult::AsExpected,
        Exit::Unknown => TestResult::Unknown,
        _ => TestResult::Failed,
    };
    let errors = answer.diagnostics.iter().filter(|message| message.severity == "error");
    let mut problems: Vec<String> = errors.map(Message::line).collect();
    problems.extend(answer.error);
    if problems.is_empty() && answer.properties.is_empty() {
        let message = err.lines().next().unwrap_or("no output");
        problems.push(format!("the check ended with {status}: {message}"));
    }
    TestedModel { properties: answer.properties, problems, ..TestedModel::new(model, result) }
}

impl Message {
    fn line(&self) -> String {
        format!("{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}
