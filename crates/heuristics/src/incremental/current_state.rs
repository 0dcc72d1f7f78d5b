//! The state that a heuristic looks at, opened in the place of the last one.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_engine::layout_signature::LayoutSignature;

use crate::incremental::state_diff::Segment;

/// A machine and the state that it looks at.
#[derive(Clone)]
pub(crate) struct CurrentState<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: DecodedState,
    /// That of the tags of its records; `None` if nothing was opened.
    likeness: Option<LayoutSignature>,
}

impl<'a> CurrentState<'a> {
    pub(crate) fn new(machine: &'a Machine<'a>) -> Self {
        CurrentState { machine, now: machine.blank_state(), likeness: None }
    }

    /// Opens a state. Whether its records are what and where the last one's were.
    pub(crate) fn open(&mut self, state: &[u8]) -> bool {
        let has_tags = self.has_tags(state);
        self.open_with(state, has_tags);
        has_tags
    }

    /// Opens a state of which that is known.
    pub(crate) fn open_with(&mut self, state: &[u8], has_tags: bool) {
        if has_tags {
            self.now.replace_bytes(state);
            return;
        }
        self.machine.decode_into(&mut self.now, state);
        let tags = self.machine.layout().tags(state);
        self.likeness = (!state.is_empty()).then(|| LayoutSignature::of(state, &tags));
    }

    /// Whether a state has the records of the last one: what and where they were.
    pub(crate) fn has_tags(&self, state: &[u8]) -> bool {
        self.likeness.as_ref().is_some_and(|likeness| likeness.matches(state))
    }

    /// The opened state, for someone who changes it: the next one is opened anew.
    pub(crate) fn hand_out(&mut self) -> (&'a Machine<'a>, &mut DecodedState) {
        self.likeness = None;
        (self.machine, &mut self.now)
    }

    /// Takes over what is different in a state whose records are known to be where the
    /// opened one's are. Given the opened one again, this takes it back.
    pub(crate) fn take_over(&mut self, state: &[u8], changes: &[Segment]) {
        for change in changes {
            let range = change.range();
            self.now.bytes[range.clone()].copy_from_slice(&state[range]);
        }
    }
}
