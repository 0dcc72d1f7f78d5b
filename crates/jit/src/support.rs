//! Unsupported features: rare ones, for which the interpreter suffices.

use std::fmt;

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Expr, ExprKind, ProcessId, ProcessKind, ProcessQuery};

use crate::code::MOST_INVARIANTS;
use crate::context::MOST_VALUES;

/// Why there is no native code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompiled {
    /// The model uses a feature that only the interpreter supports.
    Feature(&'static str),
    /// There is no code generator for this processor, or it failed.
    Machine(String),
}

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCompiled::Feature(what) => write!(f, "the model uses {what}"),
            NotCompiled::Machine(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotCompiled {}

/// Rejects models that cannot be compiled.
pub(crate) fn check(machine: &Machine<'_>) -> Result<(), NotCompiled> {
    let refuse = |what| Err(NotCompiled::Feature(what));
    if machine.has_priorities() {
        return refuse("priorities");
    }
    if machine.checks_overflow() {
        return refuse("checks of overflow");
    }
    if machine.has_trace() {
        return refuse("a trace assertion");
    }
    if machine.forbids_choice() {
        return refuse("a D_proctype");
    }
    if machine.layout().channels.iter().any(|channel| channel.fields.len() > MOST_VALUES) {
        return refuse("very long messages");
    }
    let frame = &machine.layout().frame;
    if frame.location_size.max(frame.tag_size) > 2 {
        return refuse("very many statements or channels");
    }
    if machine.invariants().len() > MOST_INVARIANTS {
        return refuse("very many invariants");
    }
    if cfg!(target_endian = "big") {
        return Err(NotCompiled::Machine("numbers begin with their high byte here".to_owned()));
    }
    if asks_about_others(machine) {
        return refuse("enabled() or np_");
    }
    Ok(())
}

fn asks_about_others(machine: &Machine<'_>) -> bool {
    let asks = |expr: &Expr| {
        expr.any(|part| match &part.kind {
            ExprKind::Process(query, _) => *query == ProcessQuery::Enabled,
            kind => matches!(kind, ExprKind::NonProgress),
        })
    };
    let model = machine.model();
    if machine.invariants().iter().any(asks) {
        return true;
    }
    let provided = model.processes.iter().filter_map(|process| process.provided.as_ref());
    if provided.into_iter().any(asks) {
        return true;
    }
    // A claim is no process, and its code is never executed.
    let ids = (0..model.processes.len() as u32).map(ProcessId);
    let mut running = ids.filter(|&id| model.process(id).kind != ProcessKind::Never);
    running.any(|id| {
        machine.automaton(id).all_edges().flat_map(|edge| &edge.steps).any(|step| {
            match &step.action {
                EdgeAction::Guard(e)
                | EdgeAction::Assert(e)
                | EdgeAction::Assign { value: e, .. } => asks(e),
                _ => false,
            }
        })
    })
}
