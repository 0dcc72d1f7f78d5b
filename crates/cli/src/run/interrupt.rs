//! Ctrl-C and SIGTERM.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::exit::Exit;

/// Whether an interrupt was requested.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C or SIGTERM is recorded, and only the second one ends the process.
pub(crate) fn catch_interrupts() {
    // Without a handler, Ctrl-C ends the process as usual.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Unknown as i32);
        }
    });
}

/// Whether an interrupt was requested.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
