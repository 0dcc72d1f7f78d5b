//! Progress and accept labels in a state of a machine.

use crate::interpreter::{DecodedState, Machine};

impl Machine<'_> {
    /// Whether a process is at a progress label.
    pub fn makes_progress(&self, now: &DecodedState) -> bool {
        self.progress_labels().are_met(self.layout(), &now.bytes)
    }

    /// Whether no process is at a progress label, although some process can move.
    pub fn lacks_progress(&self, now: &DecodedState) -> bool {
        !self.makes_progress(now) && !self.is_stuck(now)
    }

    /// Whether a process is at an accept label.
    pub fn meets_accept_label(&self, now: &DecodedState) -> bool {
        self.accept_labels().are_met(self.layout(), &now.bytes)
    }
}
