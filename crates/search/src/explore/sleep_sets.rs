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

use beeline_kernel::{SleepSet, StateId, Transition};

use super::{Expanded, Exploration, Offsets};
use crate::store::StateStore;

/// After so many new states, one looks whether it was worth it to ask; if not, nobody asks about
/// so many, and then it begins anew.
const TRIAL: u32 = 1 << 10;
const PAUSE: u32 = 1 << 15;
/// So many ways must be saved for each question: as much as it takes to ask.
const WORTH: u32 = 1;

/// Who sleeps in which state, of those that wait.
#[derive(Clone, Debug)]
pub(super) struct SleepSetQueue {
    /// Nobody sleeps in this order.
    is_off: bool,
    /// From this state on.
    first: usize,
    waiting: VecDeque<SleepSet>,
    /// New states since one looked whether it is worth it, and ways that were saved.
    trial: u32,
    saved: u32,
    /// So many states are not asked about.
    pause: u32,
    /// Whether the new successors of the state whose turn it is are noted, and which they are.
    pub(super) is_recording: bool,
    pub(super) new_successors: Vec<usize>,
}

impl SleepSetQueue {
    /// Nobody sleeps yet, or ever.
    pub(super) fn new(is_breadth_first: bool) -> SleepSetQueue {
        let (waiting, new_successors) = (VecDeque::new(), Vec::new());
        SleepSetQueue {
            is_off: !is_breadth_first,
            first: 0,
            waiting,
            trial: 0,
            saved: 0,
            pause: 0,
            is_recording: false,
            new_successors,
        }
    }

    /// Decides whether to ask about the new successors of the next state.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.is_recording = !self.is_off && self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        self.new_successors.clear();
    }

    /// Takes note of how many new states there were.
    #[inline]
    fn note(&mut self) {
        self.trial += self.new_successors.len() as u32;
        if self.trial >= TRIAL {
            self.pause = if self.saved < WORTH * self.trial { PAUSE } else { 0 };
            (self.trial, self.saved) = (0, 0);
        }
    }

    /// Who sleeps in the state whose turn it is.
    #[inline]
    pub(super) fn take(&mut self, state: StateId) -> SleepSet {
        if self.waiting.is_empty() || state.index() < self.first {
            return SleepSet::EMPTY;
        }
        self.first += 1;
        self.waiting.pop_front().unwrap_or_default()
    }

    /// Lets some sleep in a state, which comes after all others.
    #[inline]
    fn put(&mut self, state: usize, asleep: SleepSet) {
        self.saved += asleep.len();
        if self.waiting.is_empty() {
            self.first = state;
        }
        while self.first + self.waiting.len() < state {
            self.waiting.push_back(SleepSet::EMPTY);
        }
        self.waiting.push_back(asleep);
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<SleepSet>()
    }
}

impl<T: StateStore> Exploration<'_, T> {
    /// Finds out who sleeps in the new states that follow an expanded state, whose part begins here; the
    /// first of them has this number.
    #[inline]
    pub(super) fn assign_sleep_sets(&mut self, expanded: Expanded, begin: Offsets, first: usize) {
        // Whose step failed, it would fail again.
        if begin.faults != expanded.end.faults {
            return;
        }
        let all = &self.now.expansion.successors.transitions()[..expanded.end.successors];
        let bit = |at: usize| SleepSet::single(all[at].label.process).0;
        let known = expanded.asleep.0 | with_single_transition(&all[begin.successors..]);
        // Those whose steps lead to new states come in when these are behind us.
        let mut late = self.sleep_sets.new_successors.iter().fold(0, |late, &at| late | bit(at));
        let state = self.store.open(expanded.turn.id);
        let mut last = bit(self.sleep_sets.new_successors[0]);
        for number in 0..self.sleep_sets.new_successors.len() {
            let at = self.sleep_sets.new_successors[number];
            if bit(at) != last {
                late &= !last;
                last = bit(at);
            }
            let others = SleepSet(known & !late);
            if others.is_empty() {
                continue;
            }
            let Some(asleep) = self.expander.commuting_with(state, all[at].label, others) else {
                // Nor will there be so soon.
                self.sleep_sets.pause = TRIAL / 8;
                return;
            };
            if !asleep.is_empty() {
                self.sleep_sets.put(first + number, asleep);
            }
        }
        self.sleep_sets.note();
    }
}

/// The processes that have one way each, of one step.
#[inline]
fn with_single_transition(ways: &[Transition]) -> u32 {
    let (mut all, mut others) = (0, 0);
    for way in ways {
        let SleepSet(bit) = SleepSet::single(way.label.process);
        others |= if way.steps > 1 { bit } else { all & bit };
        all |= bit;
    }
    all & !others
}
