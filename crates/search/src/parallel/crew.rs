//! A crew: threads that work in rounds, and wait for each other at the end of each.
//!
//! The thread that runs a search begins a round by announcing its work, and takes part in it. A
//! round ends when every thread has returned: then that thread alone collects the results and
//! begins the next one. Threads return when no work is left, or soon after one of them has asked
//! for a pause.

use std::sync::PoisonError;
use std::time::Duration;

use crate::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use crate::sync::{Condvar, Mutex, MutexGuard, Thread, hint, park_at_most, thread};

/// A thread that waits for a round looks this often before it sleeps.
const SPINS: u32 = if cfg!(loom) { 0 } else { 200 };
/// The thread that runs the search sleeps at most this long before it returns to its caller.
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

/// Threads that work in rounds; `W` is the work of a round.
pub(super) struct Crew<W> {
    round: Mutex<(usize, W)>,
    announced: Condvar,
    number: AtomicUsize,
    /// Threads that have not returned from the round.
    working: AtomicUsize,
    /// Why the threads pause, as bits.
    pauses: AtomicU8,
    leader: Thread,
}

/// A lock. No thread panics while it holds one.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Clone> Crew<W> {
    /// A crew of one thread, the current one, to which others may be added. `idle` is the work
    /// before the first round.
    pub(super) fn new(idle: W) -> Crew<W> {
        Crew {
            round: Mutex::new((0, idle)),
            announced: Condvar::new(),
            number: AtomicUsize::new(0),
            working: AtomicUsize::new(0),
            pauses: AtomicU8::new(0),
            leader: thread::current(),
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

    /// Begins a round with this many threads beside the current one.
    pub(super) fn begin(&self, work: W, threads: usize) {
        self.working.store(threads, Ordering::Relaxed);
        let mut announced = lock(&self.round);
        *announced = (announced.0 + 1, work);
        self.number.store(announced.0, Ordering::Release);
        drop(announced);
        self.announced.notify_all();
    }

    /// Frees the data of the round, from which all threads have returned. No thread begins `idle`.
    pub(super) fn forget_round(&self, idle: W) {
        lock(&self.round).1 = idle;
    }

    /// Waits a short time for the other threads. Returns whether all have returned.
    pub(super) fn wait_a_little(&self) -> bool {
        for _ in 0..SPINS {
            if self.working.load(Ordering::Acquire) == 0 {
                return true;
            }
            hint::spin_loop();
        }
        park_at_most(NAP);
        self.working.load(Ordering::Acquire) == 0
    }

    /// Announces that a thread has returned from the round.
    pub(super) fn announce_return(&self) {
        if self.working.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.leader.unpark();
        }
    }

    /// The round after this one.
    pub(super) fn next_round(&self, seen: usize) -> (usize, W) {
        for _ in 0..SPINS {
            if self.number.load(Ordering::Acquire) != seen {
                break;
            }
            hint::spin_loop();
        }
        let mut announced = lock(&self.round);
        while announced.0 == seen {
            announced = self.announced.wait(announced).unwrap_or_else(PoisonError::into_inner);
        }
        announced.clone()
    }

    /// The number of the current round.
    pub(super) fn round(&self) -> usize {
        lock(&self.round).0
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use crate::sync::Arc;

    /// The work after which a thread ends.
    const END: u32 = 0;

    #[test]
    fn loom_a_round_ends_when_all_threads_have_returned() {
        loom::model(|| {
            let crew = Arc::new(Crew::new(END));
            let done = Arc::new(AtomicUsize::new(0));
            let other = {
                let (crew, done) = (Arc::clone(&crew), Arc::clone(&done));
                thread::spawn(move || {
                    let mut round = (0, END);
                    loop {
                        round = crew.next_round(round.0);
                        if round.1 == END {
                            return;
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                        crew.announce_return();
                    }
                })
            };
            for rounds in 1..=2 {
                crew.begin(END + 1, 1);
                while !crew.wait_a_little() {}
                // All that a thread did in the round is visible now.
                assert_eq!(done.load(Ordering::Relaxed), rounds);
            }
            crew.begin(END, 0);
            other.join().expect("it ends");
        });
    }
}
