//! Who need not be asked in a state that waits: processes whose steps lead to states that are
//! stored by then.
//!
//! When a state *s* was expanded, someone's step leads to *v*, and someone else's to *t*, which is
//! new and comes after *v*. If these steps do not get in each other's way, then the first process
//! can do in *t* what it could do in *s*, and what follows it there also follows *v*, by the step
//! of the other one. So there is no need to ask it in *t*: its ways are counted, and that is all.
//! The same goes for who sleeps in *s*.
//!
//! In breadth-first order, whatever is stored before *t* is expanded before *t*. So by induction,
//! the states behind all that is left out are stored when *t* is expanded; nobody can tell the
//! difference, neither by the states, nor by their order, nor by any count. No state is left out:
//! this is no reduction.
//!
//! Source: P. Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, 1996,
//! section 5.1. There, sleep sets go with a depth-first search, and states that are met again
//! may have to be expanded again; here, the order makes that needless.

use std::collections::VecDeque;

use beeline_kernel::{Asleep, StateId, Way};

use super::{Exploration, Job, Mark};
use crate::store::StateStore;

/// After so many new states, one looks whether it was worth it to ask; if not, nobody asks about
/// so many, and then it begins anew.
const TRIAL: u32 = 1 << 10;
const PAUSE: u32 = 1 << 15;
/// So many ways must be saved for each question: as much as it takes to ask.
const WORTH: u32 = 1;

/// Who sleeps in which state, of those that wait.
#[derive(Clone, Debug)]
pub(super) struct Slumber {
    /// Nobody sleeps in this order.
    is_over: bool,
    /// From this state on.
    first: usize,
    waiting: VecDeque<Asleep>,
    /// New states since one looked whether it is worth it, and ways that were saved.
    trial: u32,
    saved: u32,
    /// So many states are not asked about.
    pause: u32,
    /// Whether the new successors of the state whose turn it is are noted, and which they are.
    pub(super) is_asking: bool,
    pub(super) fresh: Vec<usize>,
}

impl Slumber {
    /// Nobody sleeps yet, or ever.
    pub(super) fn new(may_sleep: bool) -> Slumber {
        let (waiting, fresh) = (VecDeque::new(), Vec::new());
        Slumber {
            is_over: !may_sleep,
            first: 0,
            waiting,
            trial: 0,
            saved: 0,
            pause: 0,
            is_asking: false,
            fresh,
        }
    }

    /// Decides whether to ask about the new successors of the next state.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.is_asking = !self.is_over && self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        self.fresh.clear();
    }

    /// Takes note of how many new states there were.
    #[inline]
    fn note(&mut self) {
        self.trial += self.fresh.len() as u32;
        if self.trial >= TRIAL {
            self.pause = if self.saved < WORTH * self.trial { PAUSE } else { 0 };
            (self.trial, self.saved) = (0, 0);
        }
    }

    /// Who sleeps in the state whose turn it is.
    #[inline]
    pub(super) fn take(&mut self, state: StateId) -> Asleep {
        if self.waiting.is_empty() || state.index() < self.first {
            return Asleep::NOBODY;
        }
        self.first += 1;
        self.waiting.pop_front().unwrap_or_default()
    }

    /// Lets some sleep in a state, which comes after all others.
    #[inline]
    fn put(&mut self, state: usize, asleep: Asleep) {
        self.saved += asleep.ways();
        if self.waiting.is_empty() {
            self.first = state;
        }
        while self.first + self.waiting.len() < state {
            self.waiting.push_back(Asleep::NOBODY);
        }
        self.waiting.push_back(asleep);
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<Asleep>()
    }
}

impl<T: StateStore> Exploration<'_, T> {
    /// Finds out who sleeps in the new states that follow a job, whose part begins here; the
    /// first of them has this number.
    #[inline]
    pub(super) fn put_to_sleep(&mut self, job: Job, begin: Mark, first: usize) {
        // Whose step failed, it would fail again.
        if begin.faults != job.end.faults {
            return;
        }
        let all = &self.now.expansion.successors.ways()[..job.end.successors];
        let bit = |at: usize| Asleep::only(all[at].mover.process).0;
        let known = job.asleep.0 | with_one_way(&all[begin.successors..]);
        // Those whose steps lead to new states come in when these are behind us.
        let mut late = self.slumber.fresh.iter().fold(0, |late, &at| late | bit(at));
        let state = self.store.open(job.turn.id);
        let mut last = bit(self.slumber.fresh[0]);
        for number in 0..self.slumber.fresh.len() {
            let at = self.slumber.fresh[number];
            if bit(at) != last {
                late &= !last;
                last = bit(at);
            }
            let others = Asleep(known & !late);
            if others.is_nobody() {
                continue;
            }
            let Some(asleep) = self.expander.undisturbed(state, all[at].mover, others) else {
                // Nor will there be so soon.
                self.slumber.pause = TRIAL / 8;
                return;
            };
            if !asleep.is_nobody() {
                self.slumber.put(first + number, asleep);
            }
        }
        self.slumber.note();
    }
}

/// The processes that have one way each, of one step.
#[inline]
fn with_one_way(ways: &[Way]) -> u32 {
    let (mut all, mut others) = (0, 0);
    for way in ways {
        let Asleep(bit) = Asleep::only(way.mover.process);
        others |= if way.steps > 1 { bit } else { all & bit };
        all |= bit;
    }
    all & !others
}
