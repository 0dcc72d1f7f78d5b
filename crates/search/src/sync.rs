//! Locks, atomic words and threads for protocols between threads: those of the standard library.
//! With `--cfg loom`, they are those of loom, which tries all orders in which threads can run, and
//! all values that the memory model allows their reads to see (`store/shared/loom_tests.rs`).

#[cfg(loom)]
pub(crate) use loom::{
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, atomic},
    thread::{self, Thread},
};
use std::time::Duration;
#[cfg(not(loom))]
pub(crate) use std::{
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, atomic},
    thread::{self, Thread},
};

/// Waits until this thread is told to continue, or for a short time. Loom has no time: there the
/// thread has to be told.
pub(crate) fn park_at_most(duration: Duration) {
    #[cfg(not(loom))]
    thread::park_timeout(duration);
    #[cfg(loom)]
    {
        let _ = duration;
        thread::park();
    }
}
