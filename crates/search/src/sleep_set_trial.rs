//! The benefit of sleep sets, reviewed at intervals: where they save too few transitions, they pause.

use beeline_kernel::{SleepSet, Transition};

/// After this many new states, the benefit is reviewed.
const TRIAL: u32 = 1 << 10;
/// If the benefit was too small, sleep sets pause for this many expansions.
const PAUSE: u32 = 1 << 15;
/// Transitions that a sleep set must save on average: about the cost of computing it.
const WORTH: u32 = 2;

/// Decides when sleep sets are worthwhile.
#[derive(Clone, Debug, Default)]
pub(crate) struct SleepSetTrial {
    /// New states since the last review, and transitions saved in them.
    trial: u32,
    saved: u32,
    /// Remaining expansions of the pause.
    pause: u32,
}

impl SleepSetTrial {
    /// Whether none of the next expansions computes sleep sets; then they are counted.
    #[inline]
    pub(crate) fn pauses_for(&mut self, expansions: usize) -> bool {
        let is_long = self.pause as usize >= expansions;
        if is_long {
            self.pause -= expansions as u32;
        }
        is_long
    }

    /// Whether the next expansion computes sleep sets.
    #[inline]
    pub(crate) fn begin(&mut self) -> bool {
        let is_on = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        is_on
    }

    /// Counts the transitions that a sleep set saves.
    #[inline]
    pub(crate) fn save(&mut self, asleep: SleepSet) {
        self.saved += asleep.len();
    }

    /// Counts the new states, and reviews the benefit of their sleep sets when it is time.
    #[inline]
    pub(crate) fn review(&mut self, new_states: usize) {
        self.trial += new_states as u32;
        if self.trial >= TRIAL {
            self.pause = if self.saved < WORTH * self.trial { PAUSE } else { 0 };
            (self.trial, self.saved) = (0, 0);
        }
    }

    /// Pauses for some expansions: independence is unknown, and probably in the next states, too.
    #[cold]
    pub(crate) fn rest(&mut self) {
        self.pause = TRIAL / 8;
    }
}

/// The processes that have a single transition, of one step.
#[inline]
pub(crate) fn with_single_transition(transitions: &[Transition]) -> u32 {
    let (mut all, mut others) = (0, 0);
    for transition in transitions {
        let SleepSet(bit) = SleepSet::single(transition.label.process);
        others |= if transition.steps > 1 { bit } else { all & bit };
        all |= bit;
    }
    all & !others
}
