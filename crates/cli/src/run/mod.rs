//! A running search: progress, interrupts, limits, and trails as soon as they are found.

mod interrupt;
mod live_trails;
mod progress;
mod report_limits;
mod status_line;
mod watchdog;

pub(crate) use interrupt::{InterruptGuard, catch_interrupts, is_interrupted};
pub(crate) use live_trails::{FoundViolations, LiveTrails};
pub(crate) use progress::ProgressObserver;
pub(crate) use report_limits::ReportLimits;
pub(crate) use status_line::{HINT, StatusLine};
pub(crate) use watchdog::{WatchdogLimits, with_watchdog};
