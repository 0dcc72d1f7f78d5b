//! What the threads of a search share, and how they wait for each other.
//!
//! The threads work in rounds. The thread that runs the search begins a round by announcing its
//! work, and takes part in it. A round ends when every thread has returned: then that thread alone
//! collects the results and begins the next one. Threads return when no work is left, or soon
//! after one of them has asked for a pause.

use std::any::Any;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use beeline_kernel::Space;

use super::counters::Counters;
use super::findings::LevelFindings;
use super::level::{Level, Piece};
use super::table_growth::TableGrowth;
use crate::store::shared::SharedStore;

/// A thread that waits for a round looks this often before it sleeps.
const SPINS: u32 = 200;
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

/// The work of a round.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// Expand a level.
    Expand(Arc<Level>),
    /// Fill a longer table.
    Grow(Arc<TableGrowth>),
    /// End the thread.
    End,
}

/// What the threads of a search share.
pub(super) struct Team<'a> {
    pub(super) space: &'a dyn Space,
    pub(super) store: SharedStore,
    /// The counters of each thread.
    pub(super) counters: Box<[Counters]>,
    /// The results of the round.
    pub(super) results: Mutex<Results>,
    round: Mutex<(usize, Round)>,
    announced: Condvar,
    number: AtomicUsize,
    /// Threads that have not returned from the round.
    working: AtomicUsize,
    /// Why the threads pause, as bits.
    pauses: AtomicU8,
    leader: Thread,
}

/// What the threads have done in a round.
#[derive(Default)]
pub(super) struct Results {
    pub(super) pieces: Vec<Piece>,
    pub(super) findings: LevelFindings,
    /// The payload of a panic.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

/// A lock. No thread panics while it holds one.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Team<'a> {
    /// A team of one thread, the current one, to which others may be added.
    pub(super) fn new(space: &'a dyn Space, store: SharedStore, threads: usize) -> Team<'a> {
        Team {
            space,
            store,
            counters: (0..threads).map(|_| Counters::default()).collect(),
            results: Mutex::default(),
            round: Mutex::new((0, Round::End)),
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
    pub(super) fn begin(&self, round: Round, threads: usize) {
        self.working.store(threads, Ordering::Relaxed);
        let mut announced = lock(&self.round);
        *announced = (announced.0 + 1, round);
        self.number.store(announced.0, Ordering::Release);
        drop(announced);
        self.announced.notify_all();
    }

    /// Frees the data of the round, from which all threads have returned.
    pub(super) fn forget_round(&self) {
        lock(&self.round).1 = Round::End;
    }

    /// Waits a short time for the other threads. Returns whether all have returned.
    pub(super) fn wait_a_little(&self) -> bool {
        for _ in 0..SPINS {
            if self.working.load(Ordering::Acquire) == 0 {
                return true;
            }
            std::hint::spin_loop();
        }
        thread::park_timeout(NAP);
        self.working.load(Ordering::Acquire) == 0
    }

    /// Announces that a thread has returned from the round.
    pub(super) fn announce_return(&self) {
        if self.working.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.leader.unpark();
        }
    }

    /// The round after this one.
    pub(super) fn next_round(&self, seen: usize) -> (usize, Round) {
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

    /// The number of the current round.
    pub(super) fn round(&self) -> usize {
        lock(&self.round).0
    }
}
