//! A watchdog that enforces limits. Searches are polled between slices, but a single step can
//! exceed every limit of time and memory: an atomic sequence with 10¹² paths is one step. The
//! watchdog then ends the process, with the results so far.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use beeline_kernel::Stop;

use crate::base::output::CommandOutput;
use crate::base::units;
use crate::run::interrupt::is_interrupted;
use crate::run::report_limits::ReportLimits;

/// The time between two checks of the limits: a step may allocate gigabytes in a second.
const INTERVAL: Duration = Duration::from_millis(4);
/// The tolerance for a step of a search: this time plus a tenth of the limit. Together with the
/// time of the report it stays below a second.
const SEARCH_GRACE: Duration = Duration::from_millis(450);
/// The tolerance for a report.
const REPORT_GRACE: Duration = Duration::from_millis(200);
/// Beyond the memory limit, a tenth of it and these bytes, a search is asked to stop.
const SPARE_BYTES: usize = 24 << 20;
/// Beyond the memory limit, a tenth of it and these bytes, the process ends.
const MOST_SPARE_BYTES: usize = 36 << 20;
/// What a report may take if the search took all that.
const REPORT_BYTES: usize = 4 << 20;

/// Set when a search has to stop for want of memory.
static IS_SHORT_OF_MEMORY: AtomicBool = AtomicBool::new(false);

/// Whether the process has more memory than its limit allows, as the watchdog sees it.
pub(crate) fn is_short_of_memory() -> bool {
    IS_SHORT_OF_MEMORY.load(Ordering::Relaxed)
}

/// The limits of some work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchdogLimits {
    time: Option<Duration>,
    /// In bytes, of the whole process: what stops a search, and what ends the process. Stores
    /// observe their own limit.
    memory: (usize, usize),
    /// How long a step may go on beyond the limit of time, or after an interrupt.
    grace: Duration,
}

impl WatchdogLimits {
    /// The limits of a search.
    pub(crate) fn of_search(time: Option<Duration>, memory: usize) -> WatchdogLimits {
        let most = memory.saturating_add(memory / 10);
        let memory = (most.saturating_add(SPARE_BYTES), most.saturating_add(MOST_SPARE_BYTES));
        WatchdogLimits { time, memory, grace: SEARCH_GRACE }
    }

    /// The limits of the report on a search with this memory limit.
    pub(crate) fn of_report(left: ReportLimits, memory: usize) -> WatchdogLimits {
        let used = units::resident().unwrap_or(0);
        let most = memory.saturating_add(memory / 10).saturating_add(MOST_SPARE_BYTES);
        let most = most.max(used.saturating_add(REPORT_BYTES));
        WatchdogLimits { time: left.time, memory: (most, most), grace: REPORT_GRACE }
    }
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
    let (enough, most) = limits.memory;
    let most = (units::memory() / 10 * 9).min(most);
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
        let resident = units::resident().unwrap_or(0);
        IS_SHORT_OF_MEMORY.store(resident > enough, Ordering::Relaxed);
        if resident > most {
            return Some(Stop::Memory);
        }
    }
    None
}
