//! Rounds of work, and how threads wait for each other between them.
//!
//! The leader, the thread that runs a search, begins a round by announcing its work, and takes part
//! in it. A round ends when every other thread has returned; then the leader alone collects what
//! they did, and begins the next round. Threads return when no work is left for them, or soon after
//! one of them has asked for a pause.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// A thread that waits looks this often before it sleeps.
const SPINS: u32 = 200;
/// The leader sleeps at most this long before it returns to its caller.
const NAP: Duration = Duration::from_millis(1);

/// Why all threads pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// The table has to be lengthened.
    TableFull,
    /// There is no memory for another state.
    MemoryFull,
    /// The search is over, or a thread has panicked.
    Stopped,
}

impl Pause {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The rounds of a search, each with work of type `W`.
pub(super) struct Rounds<W> {
    /// The number of the round and its work, which is `None` when the threads are to end.
    round: Mutex<(usize, Option<W>)>,
    announced: Condvar,
    number: AtomicUsize,
    /// Threads besides the leader that have not returned from the round.
    working: AtomicUsize,
    /// Why the threads pause, as bits.
    pauses: AtomicU8,
    leader: Thread,
    /// The payload of a panic.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A lock. No thread panics while it holds one.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Clone> Rounds<W> {
    /// No round yet. The current thread is the leader.
    pub(super) fn new() -> Rounds<W> {
        Rounds {
            round: Mutex::new((0, None)),
            announced: Condvar::new(),
            number: AtomicUsize::new(0),
            working: AtomicUsize::new(0),
            pauses: AtomicU8::new(0),
            leader: thread::current(),
            panic: Mutex::new(None),
        }
    }

    /// Whether the threads are to return.
    #[inline]
    pub(super) fn is_pausing(&self) -> bool {
        self.pauses.load(Ordering::Relaxed) != 0
    }

    /// Asks all threads to return.
    pub(super) fn pause(&self, why: Pause) {
        self.pauses.fetch_or(why.bit(), Ordering::Relaxed);
    }

    /// Whether a thread has asked for a pause for this reason.
    pub(super) fn is_asked(&self, why: Pause) -> bool {
        self.pauses.load(Ordering::Relaxed) & why.bit() != 0
    }

    /// Grants the requests for longer tables.
    pub(super) fn resume(&self) {
        self.pauses.fetch_and(!Pause::TableFull.bit(), Ordering::Relaxed);
    }

    /// Begins a round with this many threads beside the leader.
    pub(super) fn begin(&self, work: Option<W>, threads: usize) {
        self.working.store(threads, Ordering::Relaxed);
        let mut announced = lock(&self.round);
        *announced = (announced.0 + 1, work);
        self.number.store(announced.0, Ordering::Release);
        drop(announced);
        self.announced.notify_all();
    }

    /// Drops the work of a round from which all threads have returned, with the memory it holds.
    pub(super) fn forget_work(&self) {
        lock(&self.round).1 = None;
    }

    /// Lets one more thread take part in the current round, which has not ended. Called by the
    /// leader, who starts that thread. Returns the round after which it begins.
    pub(super) fn admit(&self) -> usize {
        self.working.fetch_add(1, Ordering::Relaxed);
        lock(&self.round).0 - 1
    }

    /// Withdraws the admission of a thread that could not be started.
    pub(super) fn dismiss(&self) {
        self.working.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether all threads but the leader have returned.
    pub(super) fn is_over(&self) -> bool {
        self.working.load(Ordering::Acquire) == 0
    }

    /// Waits a short time for the other threads. Returns whether all have returned.
    pub(super) fn wait_a_little(&self) -> bool {
        for _ in 0..SPINS {
            if self.is_over() {
                return true;
            }
            std::hint::spin_loop();
        }
        thread::park_timeout(NAP);
        self.is_over()
    }

    /// The panic of a thread, which the leader passes on.
    pub(super) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        lock(&self.panic).take()
    }

    /// The round after this one.
    fn next(&self, seen: usize) -> (usize, Option<W>) {
        for _ in 0..SPINS {
            if self.number.load(Ordering::Acquire) != seen {
                break;
            }
            std::hint::spin_loop();
        }
        let mut announced = lock(&self.round);
        while announced.0 == seen {
            announced = self.announced.wait(announced).unwrap_or_else(PoisonError::into_inner);
        }
        announced.clone()
    }

    /// Takes part in all rounds after the round `seen`. A panic ends the search.
    pub(super) fn take_part(&self, mut seen: usize, mut work: impl FnMut(W)) {
        loop {
            let round;
            (seen, round) = self.next(seen);
            let Some(round) = round else { return };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(round))) {
                self.pause(Pause::Stopped);
                lock(&self.panic).get_or_insert(panic);
            }
            if self.working.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.leader.unpark();
            }
        }
    }
}

/// Ends the threads of a search when it is dropped, even after a panic.
pub(super) struct EndOfRounds<'r, W: Clone>(pub(super) &'r Rounds<W>);

impl<W: Clone> Drop for EndOfRounds<'_, W> {
    fn drop(&mut self) {
        self.0.pause(Pause::Stopped);
        self.0.begin(None, 0);
    }
}
