//! Runs of the tool under limits of time and memory, and with interrupts: what each run took.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{LimitedTask, RunEnding};

/// The time between two looks at a run.
const PAUSE: Duration = Duration::from_millis(2);

/// The cost and the result of a run.
#[derive(Clone, Debug)]
pub struct LimitedRun {
    /// Seconds beyond the limit of time, or after the interrupt; negative if the run ended earlier.
    pub late: f64,
    /// Seconds of the clock.
    pub wall: f64,
    /// Seconds of all processors together.
    pub cpu: f64,
    /// The greatest resident memory, in bytes.
    pub resident: f64,
    /// The exit code; -1 if a signal ended the tool.
    pub exit: i32,
    /// Standard output.
    pub printed: String,
}

/// Checks the model of a task in this directory, which is its own.
pub fn limited_run(beeline: &Path, directory: &Path, task: &LimitedTask) -> LimitedRun {
    let (model, output) = (directory.join("model.pml"), directory.join("printed"));
    fs::write(&model, &task.model).expect("the directory can be written");
    let printed = fs::File::create(&output).expect("the directory can be written");
    let mut command = Command::new(beeline);
    command.arg("check").arg(&model).args(["--json", "--no-trail", "--memory"]);
    command.arg(format!("{}M", task.mebibytes));
    if let RunEnding::Time(limit) = task.ending {
        command.args(["--time", &format!("{}ms", limit.as_millis())]);
    }
    let begin = Instant::now();
    let mut child = command.stdout(printed).stderr(Stdio::null()).spawn().expect("it starts");
    let (resident, cpu) = watch(&mut child, begin, task.ending);
    let exit = child.wait().expect("it can be waited for").code().unwrap_or(-1);
    let wall = begin.elapsed().as_secs_f64();
    let (RunEnding::Time(limit) | RunEnding::Interrupt(limit)) = task.ending;
    let printed = fs::read_to_string(&output).unwrap_or_default();
    LimitedRun { late: wall - limit.as_secs_f64(), wall, cpu, resident, exit, printed }
}

/// Waits for the end of a run, and interrupts it when its time has come: the greatest resident
/// memory, and the seconds of all processors.
fn watch(child: &mut Child, begin: Instant, ending: RunEnding) -> (f64, f64) {
    let process = format!("/proc/{}", child.id());
    let (mut resident, mut cpu) = (0.0_f64, 0.0_f64);
    let mut interrupt = match ending {
        RunEnding::Interrupt(after) => Some(after),
        RunEnding::Time(_) => None,
    };
    while child.try_wait().expect("it can be waited for").is_none() {
        resident = resident.max(high_water_mark(&process).unwrap_or(0.0));
        cpu = cpu.max(processor_time(&process).unwrap_or(0.0));
        if interrupt.is_some_and(|after| begin.elapsed() >= after) {
            interrupt = None;
            let id = child.id().to_string();
            // The run may have ended just now.
            let _ = Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status();
        }
        thread::sleep(PAUSE);
    }
    (resident, cpu)
}

fn high_water_mark(process: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("{process}/status")).ok()?;
    let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = mark.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes * 1024.0)
}

/// User and system time; Linux counts hundredths of a second.
fn processor_time(process: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("{process}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = |at: usize| fields.split_whitespace().nth(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
