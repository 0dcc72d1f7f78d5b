//! Which steps start processes. Such a step lengthens the state.

use beeline_engine::automata::{EdgeAction, EdgeStep};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Expr, ExprKind, ProcessId};

/// Whether a step starts a process.
pub(crate) fn starts_process(step: &EdgeStep) -> bool {
    let is_run = |value: &Expr| matches!(value.kind, ExprKind::Run { .. });
    match &step.action {
        EdgeAction::Guard(value) | EdgeAction::Assign { value, .. } => is_run(value),
        _ => false,
    }
}

/// Whether processes of this type start others.
pub(crate) fn starts_processes(machine: &Machine<'_>, process: ProcessId) -> bool {
    machine.automaton(process).all_edges().flat_map(|edge| &edge.steps).any(starts_process)
}
