//! Actions that may block.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::ExprKind;

/// Whether an action may not be executable.
pub fn may_wait(machine: &Machine<'_>, action: &EdgeAction) -> bool {
    match action {
        EdgeAction::Guard(condition) => match condition.kind {
            ExprKind::Run { .. } => true,
            _ => condition.kind.constant().is_none_or(|value| value == 0),
        },
        EdgeAction::Send { .. } => !machine.loses_messages() || has_rendezvous(machine),
        EdgeAction::Receive { .. } | EdgeAction::End => true,
        _ => false,
    }
}

/// Whether the model has rendezvous channels, where one step moves two processes.
pub fn has_rendezvous(machine: &Machine<'_>) -> bool {
    machine.layout().channels.iter().any(|channel| channel.capacity == 0)
}
