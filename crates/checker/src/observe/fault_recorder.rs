//! Recording of terminal faults, after which no state is explored.

use beeline_model::{Reason, Verdict};
use beeline_search::Outcome;
use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Expander, Expansion, Fault, FaultKind, SleepSet, Space, StepLabel};

/// Terminal faults: no state after them is explored, though the model may continue. SPIN continues
/// after an index out of bounds and after some messages, with the values that it finds in memory.
pub(crate) const TERMINAL_FAULTS: [FaultKind; 3] =
    [FaultKind::Index, FaultKind::Limit, FaultKind::Fields];

/// The verdict on a property without a violation; `met` tells which terminal faults occurred.
pub(crate) fn without_violation(met: impl Fn(FaultKind) -> bool, outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Incomplete(stop) => Verdict::Unknown(Reason::Stopped(stop)),
        Outcome::Complete => match TERMINAL_FAULTS.into_iter().find(|&kind| met(kind)) {
            Some(kind) => Verdict::Unknown(Reason::NothingAfter(kind)),
            None => Verdict::Holds,
        },
        Outcome::Found => unreachable!("a search ends early only when each property has a finding"),
    }
}

/// A space that records terminal faults: after one, a search without a violation proves nothing.
pub(crate) struct FaultRecorder<'a> {
    space: &'a dyn Space,
    /// By index in `TERMINAL_FAULTS`.
    met: [AtomicBool; TERMINAL_FAULTS.len()],
}

impl<'a> FaultRecorder<'a> {
    pub(crate) fn new(space: &'a dyn Space) -> FaultRecorder<'a> {
        FaultRecorder { space, met: [const { AtomicBool::new(false) }; TERMINAL_FAULTS.len()] }
    }

    fn flag(&self, kind: FaultKind) -> Option<&AtomicBool> {
        TERMINAL_FAULTS.iter().zip(&self.met).find(|(one, _)| **one == kind).map(|(_, met)| met)
    }

    pub(crate) fn met(&self, kind: FaultKind) -> bool {
        self.flag(kind).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn note(&self, expansion: &Expansion) {
        for failure in &expansion.faults {
            if let Some(flag) = self.flag(failure.fault.kind) {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Space for FaultRecorder<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.space.expand(state, expansion);
        self.note(expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(RecordingExpander { recorder: self, expander: self.space.expander() })
    }
}

struct RecordingExpander<'a> {
    recorder: &'a FaultRecorder<'a>,
    expander: Box<dyn Expander + 'a>,
}

impl Expander for RecordingExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.expander.expand(state, expansion);
        self.recorder.note(expansion);
    }

    fn expand_except(&mut self, state: &[u8], asleep: SleepSet, expansion: &mut Expansion) {
        self.expander.expand_except(state, asleep, expansion);
        self.recorder.note(expansion);
    }

    fn commuting_with(
        &mut self,
        state: &[u8],
        way: StepLabel,
        others: SleepSet,
    ) -> Option<SleepSet> {
        self.expander.commuting_with(state, way, others)
    }
}
