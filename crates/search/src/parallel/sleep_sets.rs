//! Sleep sets in a parallel breadth-first search: processes that need not be expanded in a state,
//! since their transitions lead to states that are stored when the level is complete.
//!
//! Let processes *p* and *q* have transitions from *s*, to *v* and to *t*, where *t* is a state of the
//! next level. If both transitions are independent, *p* has the same transition in *t*, and its target
//! *w* is that of *q*'s transition in *v*; *p* may be put into the sleep set of *t*. A process in the
//! sleep set of *s* is inherited by *t* in the same way. But it is done only if *p* comes before *q*
//! in one order of all processes: that of expansions, the greatest number first. It is done for each
//! *s* of the last level through which *t* is reached, not only for the first one: the sleep set of *t*
//! lies after its record, and all threads add to it until the level begins.
//!
//! This is sound whatever the other threads do: the target of each transition of a state of level
//! *n* is stored in level *n* + 1 or before, executed or not. The proof is by induction on the level
//! of the state, and for states of one level on the process, the last one first. If the transition
//! of *p* in *t* is pruned, then *s* is in the level before that of *t*; so *v* is stored, in the
//! level of *t* or before. The target of *q*'s transition in *v* is *w*, and *q* comes after *p*; so
//! *w* is stored in time, even if *q* is pruned in *v*. Hence all levels and counts are the same as
//! without sleep sets. A state *t* of level *n* or before that is reached again gets no process: its
//! transitions have to be in time for its own level. The [sequential search](crate::explore) needs no order of processes, since it
//! knows the order in which states are expanded.
//!
//! Source: [God96] §5.1; the order of processes: ours.

use beeline_kernel::{Expander, SleepSet, Transition};

use crate::sleep_set_trial::{SleepSetTrial, with_single_transition};
use crate::store::shared::{RecordId, SharedStore};

/// Computes sleep sets where they are worthwhile.
#[derive(Debug, Default)]
pub(super) struct SleepSets {
    trial: SleepSetTrial,
    is_recording: bool,
    /// The successors of the current state in the next level, by their positions in its expansion.
    successors: Vec<(usize, RecordId)>,
}

impl SleepSets {
    /// Decides whether to record the successors of the next state.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.is_recording = self.trial.begin();
        self.successors.clear();
    }

    /// Whether successors are recorded.
    #[inline]
    pub(super) fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Whether successors of the current state were recorded.
    #[inline]
    pub(super) fn has_successors(&self) -> bool {
        !self.successors.is_empty()
    }

    /// Records a successor in the next level.
    #[inline]
    pub(super) fn record(&mut self, at: usize, id: RecordId) {
        if self.is_recording {
            self.successors.push((at, id));
        }
    }

    /// Adds to the sleep sets of the recorded successors of a state that was expanded without
    /// faults. A failing transition would fail in the successors, too.
    #[inline]
    pub(super) fn assign(
        &mut self,
        (state, asleep): (&[u8], SleepSet),
        transitions: &[Transition],
        expander: &mut dyn Expander,
        store: &SharedStore,
    ) {
        let known = (asleep.0 | with_single_transition(transitions)) & store.can_sleep().0;
        let mut new_states = 0;
        for &(at, id) in &self.successors {
            let label = transitions[at].label;
            let present = store.sleep_set(id);
            // Another path to a state counts only where it may put more processes to sleep.
            let others = SleepSet(known & before(label.process) & !present.0);
            new_states += usize::from(present.is_empty());
            if others.is_empty() {
                continue;
            }
            let Some(asleep) = expander.commuting_with(state, label, others) else {
                self.trial.rest();
                return;
            };
            if !asleep.is_empty() {
                self.trial.save(asleep);
                store.put_asleep(id, asleep);
            }
        }
        self.trial.review(new_states);
    }
}

/// The processes that come before this one: those of greater numbers.
#[inline]
fn before(process: u32) -> u32 {
    u32::MAX.checked_shl(process + 1).unwrap_or(0)
}
