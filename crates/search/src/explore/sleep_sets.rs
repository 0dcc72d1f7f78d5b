//! Sleep sets in breadth-first order: processes that need not be expanded in a state, since their
//! transitions lead to states that are stored by then.
//!
//! Let the expansion of a state *s* have a transition of process *p* to *v* and one of process *q*
//! to *t*, where *t* is new and comes after *v*. If both transitions are independent, *p* has the
//! same transition in *t*, and its target is also the target of *q*'s transition in *v*. So *p* is
//! put into the sleep set of *t*: in *t*, its transition is counted and not executed. A process in
//! the sleep set of *s* is inherited by *t* in the same way.
//!
//! In breadth-first order, every state stored before *t* is expanded before *t*. By induction, the
//! targets of all transitions that are left out are stored when *t* is expanded. So states, their
//! order and all counts are the same as without sleep sets: this is not a reduction.
//!
//! Source: [God96] §5.1. Deviation: there, sleep sets are combined with depth-first search, and a
//! state that is visited again may have to be expanded again; the order makes this unnecessary
//! here. Sets of processes instead of transitions: ours.

use std::collections::VecDeque;
use std::ops::Range;

use beeline_kernel::{ExpansionEnd, SleepSet, StateId};

use super::{Exploration, Group, Taken};
use crate::sleep_set_trial::{SleepSetTrial, with_single_transition};
use crate::store::StateStore;

/// The sleep sets of the states in the frontier.
#[derive(Clone, Debug)]
pub(super) struct SleepSetQueue {
    /// All sleep sets are empty: the order is not breadth-first.
    is_off: bool,
    /// The state of the first set in the queue.
    first: usize,
    queue: VecDeque<SleepSet>,
    trial: SleepSetTrial,
}

impl SleepSetQueue {
    /// An empty queue, which stays empty unless the order is breadth-first.
    pub(super) fn new(is_breadth_first: bool) -> SleepSetQueue {
        SleepSetQueue {
            is_off: !is_breadth_first,
            first: 0,
            queue: VecDeque::new(),
            trial: SleepSetTrial::default(),
        }
    }

    /// Decides whether the new successors of the next states get sleep sets.
    #[inline]
    pub(super) fn begin(&mut self, states: usize) -> bool {
        !self.is_off && !self.trial.pauses_for(states)
    }

    /// Takes the sleep set of the state that is expanded next.
    #[inline]
    pub(super) fn take(&mut self, state: StateId) -> SleepSet {
        if self.queue.is_empty() || state.index() < self.first {
            return SleepSet::EMPTY;
        }
        self.first += 1;
        self.queue.pop_front().unwrap_or_default()
    }

    /// Adds the sleep set of a state that comes after all states in the queue.
    #[inline]
    fn put(&mut self, state: usize, asleep: SleepSet) {
        self.trial.save(asleep);
        if self.queue.is_empty() {
            self.first = state;
        }
        while self.first + self.queue.len() < state {
            self.queue.push_back(SleepSet::EMPTY);
        }
        self.queue.push_back(asleep);
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.queue.capacity() * size_of::<SleepSet>()
    }
}

impl<T: StateStore> Exploration<'_, T> {
    /// Computes the sleep sets of the new successors of a group of expanded states, the first of
    /// which has the number `first`.
    pub(super) fn assign_sleep_sets(&mut self, group: &Group, first: usize) {
        let (mut begin, mut new) = (group.begin, 0);
        // A failing transition would fail in the successors, too.
        let fails = group.has_findings && !self.work.current.expansion.faults.is_empty();
        for number in group.states.clone() {
            let (taken, end) = (self.work.taken[number], self.work.ends[number]);
            let from = new;
            let is_own = |&at: &u32| at < end.successors;
            new += self.work.new[from..].iter().take_while(|at| is_own(at)).count();
            if self.sleep_sets.trial.begin() && from != new && !fails {
                self.assign_to_successors(taken, begin..end, from..new, first);
            }
            begin = end;
        }
    }

    /// Computes the sleep sets of the new successors of an expanded state, given its part of the
    /// expansion. They are given by their positions among those of the group.
    #[inline]
    fn assign_to_successors(
        &mut self,
        expanded: Taken,
        part: Range<ExpansionEnd>,
        new: Range<usize>,
        first: usize,
    ) {
        let successors = &self.work.current.expansion.successors;
        let all = &successors.transitions()[..part.end.successors as usize];
        let bit = |at: u32| SleepSet::single(all[at as usize].label.process).0;
        let known =
            expanded.asleep.0 | with_single_transition(&all[part.start.successors as usize..]);
        // Processes whose new successors do not all come before the current one.
        let own = &self.work.new[new.clone()];
        let mut late = own.iter().fold(0, |late, &at| late | bit(at));
        let mut last = bit(own[0]);
        let state = self.store.open(expanded.entry.id);
        for number in new.clone() {
            let at = self.work.new[number];
            if bit(at) != last {
                late &= !last;
                last = bit(at);
            }
            let others = SleepSet(known & !late);
            if others.is_empty() {
                continue;
            }
            let Some(asleep) = self.expander.commuting_with(state, all[at as usize].label, others)
            else {
                self.sleep_sets.trial.rest();
                return;
            };
            if !asleep.is_empty() {
                self.sleep_sets.put(first + number, asleep);
            }
        }
        self.sleep_sets.trial.review(new.len());
    }
}
