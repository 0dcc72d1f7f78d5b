//! A running search: progress, interrupts, limits, and trails as soon as they are found.

mod interrupt;
mod live_trails;
mod progress;
mod watchdog;

pub(crate) use interrupt::{catch_interrupts, is_interrupted};
pub(crate) use live_trails::{FoundViolations, LiveTrails};
pub(crate) use progress::ProgressObserver;
pub(crate) use watchdog::with_watchdog;
