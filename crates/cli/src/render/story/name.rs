//! Names of processes.

use beeline_model::ProcessStep;

/// `Proctype(pid)`
pub(crate) fn name(turn: &ProcessStep) -> String {
    format!("{}({})", turn.process, turn.pid)
}
