//! Variants of what a model means, which the language leaves to its user.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Model, USUAL_PROCESSES};

/// How a model is understood. The default is what the language says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticsOptions {
    /// A message for a full channel is lost, instead of having to wait: `spin -m`.
    pub lossy: bool,
    /// At a valid end no message may be left in a channel: `pan -q`.
    pub strict_ends: bool,
    /// How many processes may run at once.
    pub processes: usize,
}

impl Default for SemanticsOptions {
    fn default() -> SemanticsOptions {
        SemanticsOptions { lossy: false, strict_ends: false, processes: USUAL_PROCESSES }
    }
}

impl SemanticsOptions {
    /// A machine that follows them.
    pub fn machine<'m>(self, model: &'m Model, options: AutomataOptions) -> Machine<'m> {
        let machine = Machine::with_process_limit(model, options, self.processes);
        machine.losing_messages(self.lossy).ending_empty(self.strict_ends)
    }
}
