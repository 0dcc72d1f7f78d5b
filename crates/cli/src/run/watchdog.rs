//! A watchdog that enforces limits. Searches are polled between slices, but a single step can
//! exceed every limit of time and memory: an atomic sequence with 10¹² paths is one step. The
//! watchdog then ends the process, with the results so far.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use beeline_kernel::Stop;

use crate::base::output::CommandOutput;
use crate::base::units;
use crate::run::interrupt::is_interrupted;
use crate::run::report_limits::ReportLimits;

/// The time between two checks of the limits: a step may allocate gigabytes in a second.
const INTERVAL: Duration = Duration::from_millis(10);
/// The tolerance for a step of a search: this time plus a tenth of the limit. Together with the
/// time of the report it stays below a second.
const SEARCH_GRACE: Duration = Duration::from_millis(450);
/// The tolerance for a report.
const REPORT_GRACE: Duration = Duration::from_millis(200);
/// The tolerance for memory: these bytes plus a tenth of the limit.
const SPARE_BYTES: usize = 24 << 20;

/// The limits of some work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchdogLimits {
    time: Option<Duration>,
    /// In bytes, of the whole process. Stores observe their own limit.
    memory: usize,
    /// How long a step may go on beyond the limit of time, or after an interrupt.
    grace: Duration,
}

impl WatchdogLimits {
    /// The limits of a search.
    pub(crate) fn of_search(time: Option<Duration>, memory: usize) -> WatchdogLimits {
        WatchdogLimits { time, memory: tolerated(memory), grace: SEARCH_GRACE }
    }

    /// The limits of the report on a search with this memory limit.
    pub(crate) fn of_report(left: ReportLimits, memory: usize) -> WatchdogLimits {
        let used = units::resident().unwrap_or(0);
        let memory = tolerated(memory).max(used.saturating_add(SPARE_BYTES));
        WatchdogLimits { time: left.time, memory, grace: REPORT_GRACE }
    }
}

/// The memory of the whole process that a limit allows.
fn tolerated(memory: usize) -> usize {
    memory.saturating_add(memory / 10).saturating_add(SPARE_BYTES)
}

/// Runs some work under limits. If the work exceeds one by far, the process ends with the output of
/// `give_up`, which gets the reason and the seconds so far.
pub(crate) fn with_watchdog<T>(
    limits: WatchdogLimits,
    give_up: impl FnOnce(Stop, f64) -> CommandOutput + Send,
    work: impl FnOnce() -> T,
) -> T {
    thread::scope(|scope| {
        let (done, ends) = channel::<()>();
        let start = Instant::now();
        scope.spawn(move || {
            if let Some(stop) = wait(limits, &ends) {
                if std::io::stderr().is_terminal() {
                    // Clears the line of progress.
                    let _ = write!(std::io::stderr(), "\r\x1b[K");
                }
                let exit = give_up(stop, start.elapsed().as_secs_f64()).give();
                std::process::exit(exit as i32);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Waits for the end of the work, or for an exceeded limit.
fn wait(limits: WatchdogLimits, ends: &Receiver<()>) -> Option<Stop> {
    let start = Instant::now();
    let grace = limits.grace;
    let limit = limits.time.map(|limit| limit.saturating_add(grace).saturating_add(limit / 10));
    let most = (units::memory() / 10 * 9).min(limits.memory);
    let mut interrupted: Option<Instant> = None;
    while ends.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if is_interrupted() {
            interrupted = interrupted.or_else(|| Some(Instant::now()));
        }
        if interrupted.is_some_and(|since| since.elapsed() > grace) {
            return Some(Stop::Interrupted);
        }
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            return Some(Stop::Time);
        }
        if units::resident().is_some_and(|bytes| bytes > most) {
            return Some(Stop::Memory);
        }
    }
    None
}
