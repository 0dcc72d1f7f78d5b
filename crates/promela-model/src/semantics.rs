//! Variants of the semantics of Promela that the user chooses.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Model, USUAL_PROCESSES};
use beeline_source::diagnostic::Diagnostic;

/// A variant of the semantics. The default follows the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemanticsOptions {
    /// A send to a full channel loses the message instead of blocking: `spin -m`.
    pub lossy: bool,
    /// At a valid end all channels must be empty: `pan -q`.
    pub strict_ends: bool,
    /// Limit of the number of running processes; `None` is SPIN's limit, or as many as are active
    /// in the initial state.
    pub processes: Option<usize>,
}

impl SemanticsOptions {
    /// A machine with this variant of the semantics.
    pub fn machine<'m>(self, model: &'m Model, options: AutomataOptions) -> Machine<'m> {
        let machine =
            Machine::with_process_limit(model, options, self.processes.unwrap_or(USUAL_PROCESSES));
        machine.losing_messages(self.lossy).ending_empty(self.strict_ends)
    }

    /// The error of a model that starts with more processes than the limit allows.
    pub fn process_limit_error(self, model: &Model) -> Option<Diagnostic> {
        let limit = self.processes?;
        let mut active = 0;
        let beyond = model.processes.iter().find(|process| {
            active += process.active as usize;
            active > limit
        })?;
        let message = format!("more processes run than the limit of {limit} allows");
        let all: u32 = model.processes.iter().map(|process| process.active).sum();
        Some(
            Diagnostic::error("too-many-processes", beyond.name.span, message)
                .label(format!("{active} processes so far"))
                .help(format!("raise the limit: `--max-processes {all}`")),
        )
    }
}
