//! The state that a heuristic evaluates, decoded into one reused buffer.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_engine::layout_signature::LayoutSignature;

use crate::incremental::state_diff::Segment;

/// A machine and its decoded current state.
#[derive(Clone)]
pub(crate) struct CurrentState<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: DecodedState,
    /// Layout of the decoded records; `None` before the first state.
    likeness: Option<LayoutSignature>,
}

impl<'a> CurrentState<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>) -> Self {
        CurrentState { machine, now: machine.blank_state(), likeness: None }
    }

    /// Decodes a state. Returns whether its records have the layout of the previous state.
    pub(crate) fn open(&mut self, state: &[u8]) -> bool {
        let has_tags = self.has_tags(state);
        self.open_with(state, has_tags);
        has_tags
    }

    /// Decodes a state; `has_tags` says whether its records have the layout of the previous state.
    pub(crate) fn open_with(&mut self, state: &[u8], has_tags: bool) {
        if has_tags {
            self.now.replace_bytes(state);
            return;
        }
        self.machine.decode_into(&mut self.now, state);
        let tags = self.machine.layout().tags(state);
        self.likeness = (!state.is_empty()).then(|| LayoutSignature::of(state, &tags));
    }

    /// Whether the records of a state have the layout of the previous state.
    pub(crate) fn has_tags(&self, state: &[u8]) -> bool {
        self.likeness.as_ref().is_some_and(|likeness| likeness.matches(state))
    }

    /// Lends the decoded state for modification. The next state is decoded from scratch.
    pub(crate) fn hand_out(&mut self) -> (&'a Machine<'a>, &mut DecodedState) {
        self.likeness = None;
        (self.machine, &mut self.now)
    }

    /// Copies the changed segments of a state with the same layout. Copying those of the previous
    /// state undoes it.
    pub(crate) fn take_over(&mut self, state: &[u8], changes: &[Segment]) {
        for change in changes {
            let range = change.range();
            self.now.bytes[range.clone()].copy_from_slice(&state[range]);
        }
    }
}
