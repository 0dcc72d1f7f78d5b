//! Variants of the semantics of Promela that the user chooses.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Model, USUAL_PROCESSES};

/// A variant of the semantics. The default follows the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticsOptions {
    /// A send to a full channel loses the message instead of blocking: `spin -m`.
    pub lossy: bool,
    /// At a valid end all channels must be empty: `pan -q`.
    pub strict_ends: bool,
    /// Limit of the number of running processes.
    pub processes: usize,
}

impl Default for SemanticsOptions {
    fn default() -> SemanticsOptions {
        SemanticsOptions { lossy: false, strict_ends: false, processes: USUAL_PROCESSES }
    }
}

impl SemanticsOptions {
    /// A machine with this variant of the semantics.
    pub fn machine<'m>(self, model: &'m Model, options: AutomataOptions) -> Machine<'m> {
        let machine = Machine::with_process_limit(model, options, self.processes);
        machine.losing_messages(self.lossy).ending_empty(self.strict_ends)
    }
}
