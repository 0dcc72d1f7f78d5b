//! Sleep sets in a parallel breadth-first search: processes that need not be expanded in a state,
//! since their transitions lead to states that are stored when the level is complete.
//!
//! Let processes *p* and *q* have transitions from *s*, to *v* and to *t*, where *t* is stored by this
//! expansion. If both transitions are independent, *p* has the same transition in *t*, and its target
//! *w* is that of *q*'s transition in *v*; *p* may be put into the sleep set of *t*. A process in the
//! sleep set of *s* is inherited by *t* in the same way. But it is done only if *p* comes before *q*
//! in one order of all processes: that of expansions, the greatest number first.
//!
//! This is sound whatever the other threads do: the target of each transition of a state of level
//! *n* is stored in level *n* + 1 or before, executed or not. The proof is by induction on the level
//! of the state, and for states of one level on the process, the last one first. If the transition
//! of *p* in *t* is pruned, then *s* is in the level before that of *t*; so *v* is stored, in the
//! level of *t* or before. The target of *q*'s transition in *v* is *w*, and *q* comes after *p*; so
//! *w* is stored in time, even if *q* is pruned in *v*. Hence all levels and counts are the same as
//! without sleep sets. The [sequential search](crate::explore) needs no order of processes, since it
//! knows the order in which states are expanded.
//!
//! Source: [God96] §5.1; the order of processes: ours.

use beeline_kernel::{Expander, SleepSet, Transition};

use super::level::NewStates;
use crate::sleep_set_trial::{SleepSetTrial, with_single_transition};

/// Computes sleep sets where they are worthwhile.
#[derive(Debug, Default)]
pub(super) struct SleepSets {
    trial: SleepSetTrial,
    is_recording: bool,
    /// The new successors of the current state: positions in its expansion, and in the open piece.
    new_successors: Vec<(usize, usize)>,
}

impl SleepSets {
    /// Decides whether to record the new successors of the next state.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.is_recording = self.trial.begin();
        self.new_successors.clear();
    }

    /// Records a new successor by its positions in the expansion and in the open piece.
    #[inline]
    pub(super) fn record(&mut self, at: usize, in_piece: usize) {
        if in_piece == 0 {
            // The piece of the successors before this one is closed.
            self.new_successors.clear();
        }
        if self.is_recording {
            self.new_successors.push((at, in_piece));
        }
    }

    /// Forgets the recorded successors, whose piece is closed.
    pub(super) fn forget(&mut self) {
        self.new_successors.clear();
    }

    /// Computes the sleep sets of the recorded successors of a state that was expanded without
    /// faults. A failing transition would fail in the successors, too.
    #[inline]
    pub(super) fn assign(
        &mut self,
        state: &[u8],
        asleep: SleepSet,
        transitions: &[Transition],
        expander: &mut dyn Expander,
        new_states: &mut NewStates,
    ) {
        if self.new_successors.is_empty() {
            return;
        }
        let known = asleep.0 | with_single_transition(transitions);
        for &(at, in_piece) in &self.new_successors {
            let label = transitions[at].label;
            let others = SleepSet(known & before(label.process));
            if others.is_empty() {
                continue;
            }
            let Some(asleep) = expander.commuting_with(state, label, others) else {
                self.trial.rest();
                return;
            };
            if !asleep.is_empty() {
                self.trial.save(asleep);
                new_states.put_asleep(in_piece, asleep);
            }
        }
        self.trial.review(self.new_successors.len());
    }
}

/// The processes that come before this one: those of greater numbers.
#[inline]
fn before(process: u32) -> u32 {
    u32::MAX.checked_shl(process + 1).unwrap_or(0)
}
