//! Sleep sets in a parallel breadth-first search: processes that need not be expanded in a state,
//! since their transitions lead to states that are stored when the level is complete.
//!
//! Let the expansion of a state *s* have a transition of process *p* to *v* before one of process
//! *q* to *t*, where *t* is new, and let both transitions be independent. Then *p* has the same
//! transition in *t*, and its target *w* is that of *q*'s transition in *v*; *p* is put into the
//! sleep set of *t*.
//!
//! This is sound whatever the other threads do. All states are stored in one order, that of the
//! compare-and-swaps that publish them. The thread has inserted or found *v* before it stored *t*,
//! so *v* was stored before *t*. Either *v*'s transition to *w* is executed, or *q* is in the sleep
//! set of *v*; then there is a transition to *w* from a state that was stored before *v*, and so on.
//! The chain ends, since the order of storing is well-founded, at a state that executes its
//! transition. None of these states has a greater depth than *t*: each is a successor of a state
//! from which the one before it in the chain was stored. So *w* is stored as soon as without sleep
//! sets, and all levels and counts are the same.
//!
//! Unlike in the [sequential search](crate::explore), a sleep set is not inherited, and *v* has to
//! come before *t* in the expansion even if it is not new: nothing is known about the order in
//! which the states of a level are expanded, and a state that is found later may have been stored
//! later.
//!
//! Source: [God96] §5.1; the order of storing: ours.

use beeline_kernel::{Expander, SleepSet, Transition};

use super::level::NewStates;

/// After this many new states, the benefit is reviewed.
const TRIAL: u32 = 1 << 10;
/// If the benefit was too small, sleep sets pause for this many expansions.
const PAUSE: u32 = 1 << 15;
/// Transitions that a sleep set must save on average: about the cost of computing it.
const WORTH: u32 = 1;

/// Decides when sleep sets are worthwhile, and computes them.
#[derive(Debug, Default)]
pub(super) struct SleepSets {
    /// New states since the last review, and transitions saved in them.
    trial: u32,
    saved: u32,
    /// Remaining expansions of the pause.
    pause: u32,
    is_recording: bool,
    /// The new successors of the current state: positions in its expansion, and in the open piece.
    new_successors: Vec<(usize, usize)>,
}

impl SleepSets {
    /// Decides whether to record the new successors of the next state.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.is_recording = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
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
        transitions: &[Transition],
        expander: &mut dyn Expander,
        new_states: &mut NewStates,
    ) {
        if self.new_successors.is_empty() {
            return;
        }
        let single = with_single_transition(transitions);
        let (mut before, mut next) = (0, 0);
        for &(at, in_piece) in &self.new_successors {
            for transition in &transitions[next..at] {
                before |= SleepSet::single(transition.label.process).0;
            }
            next = at;
            let label = transitions[at].label;
            let own = SleepSet::single(label.process).0;
            let others = SleepSet(before & single & !own);
            if others.is_empty() {
                continue;
            }
            let Some(asleep) = expander.commuting_with(state, label, others) else {
                // Independence is unknown here, and probably in the next states, too.
                self.pause = TRIAL / 8;
                return;
            };
            if !asleep.is_empty() {
                self.saved += asleep.len();
                new_states.put_asleep(in_piece, asleep);
            }
        }
        self.trial += self.new_successors.len() as u32;
        if self.trial >= TRIAL {
            self.pause = if self.saved < WORTH * self.trial { PAUSE } else { 0 };
            (self.trial, self.saved) = (0, 0);
        }
    }
}

/// The processes that have a single transition, of one step.
#[inline]
fn with_single_transition(transitions: &[Transition]) -> u32 {
    let (mut all, mut others) = (0, 0);
    for transition in transitions {
        let SleepSet(bit) = SleepSet::single(transition.label.process);
        others |= if transition.steps > 1 { bit } else { all & bit };
        all |= bit;
    }
    all & !others
}
