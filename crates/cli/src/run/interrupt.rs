//! Ctrl-C and SIGTERM.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::base::exit::Exit;

/// Interrupts within this time are one: `timeout` signals the process and then its group.
const SAME: Duration = Duration::from_millis(100);

/// Whether an interrupt was requested.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the first interrupt is recorded instead of ending the process.
static IS_CAUGHT: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C or SIGTERM is recorded, and only the second one ends the process.
pub(crate) fn catch_interrupts() {
    IS_CAUGHT.store(true, Ordering::Relaxed);
    // Without a handler, Ctrl-C ends the process as usual. A program has one handler.
    let mut first = Instant::now();
    let _ = ctrlc::set_handler(move || {
        let is_first = !INTERRUPTED.swap(true, Ordering::Relaxed);
        if is_first {
            first = Instant::now();
        }
        let is_caught = IS_CAUGHT.load(Ordering::Relaxed);
        if !is_caught || !is_first && first.elapsed() > SAME {
            std::process::exit(Exit::Unknown as i32);
        }
    });
}

/// Catches interrupts for a part of a dialog: the first one ends this part. When it is dropped,
/// interrupts end the process again.
pub(crate) struct InterruptGuard(());

impl InterruptGuard {
    /// Catches interrupts from now on.
    pub(crate) fn new() -> InterruptGuard {
        catch_interrupts();
        InterruptGuard(())
    }
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        IS_CAUGHT.store(false, Ordering::Relaxed);
        INTERRUPTED.store(false, Ordering::Relaxed);
    }
}

/// Whether an interrupt was requested.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
