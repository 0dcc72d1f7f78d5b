//! Unsupported features: rare ones, for which the interpreter suffices.

use std::fmt;

use beeline_engine::automata::{EdgeAction, EdgeStep};
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Expr, ExprKind, Init, ProcessId, ProcessKind, ProcessQuery};

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
    if machine.checks_overflow() {
        return refuse("checks of overflow");
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
    if asks_for_progress(machine) {
        return refuse("np_");
    }
    if asks_inside_of_steps(machine) {
        return refuse("enabled() in a statement other than a condition");
    }
    Ok(())
}

fn asks_for_progress(machine: &Machine<'_>) -> bool {
    let asks = |expr: &Expr| expr.any(|part| matches!(part.kind, ExprKind::NonProgress));
    let provided = machine.model().processes.iter();
    machine.invariants().iter().any(asks)
        || provided.filter_map(|process| process.provided.as_ref()).any(asks)
        || steps(machine).any(|(_, step)| mentions(step, asks))
}

/// Whether `enabled(pid)` occurs elsewhere than in the condition of an edge, a `provided` clause or an
/// invariant. To find out whether a process can move, conditions are evaluated and nothing else, so
/// that a circular query anywhere else would not be found.
fn asks_inside_of_steps(machine: &Machine<'_>) -> bool {
    let locals = machine.model().processes.iter().flat_map(|process| &process.locals);
    let fields = machine.model().structs.iter().flat_map(|declared| &declared.fields);
    steps(machine).any(|(is_first, step)| {
        !(is_first && matches!(step.action, EdgeAction::Guard(_)))
            && mentions(step, asks_whether_enabled)
    }) || locals.chain(fields).any(|variable| match &variable.init {
        Init::Value(value) => asks_whether_enabled(value),
        Init::List(values) => values.iter().any(asks_whether_enabled),
        Init::Zero | Init::Channel(_) => false,
    })
}

/// Whether some state or step depends on which other processes can move.
pub(crate) fn asks_about_others(machine: &Machine<'_>) -> bool {
    let provided = machine.model().processes.iter();
    machine.has_priorities()
        || machine.invariants().iter().any(asks_whether_enabled)
        || provided.filter_map(|process| process.provided.as_ref()).any(asks_whether_enabled)
        || steps(machine).any(|(_, step)| mentions(step, asks_whether_enabled))
}

fn asks_whether_enabled(expr: &Expr) -> bool {
    expr.any(|part| match &part.kind {
        ExprKind::Process(query, _) => *query == ProcessQuery::Enabled,
        _ => false,
    })
}

/// Whether some expression of a step is as asked.
fn mentions(step: &EdgeStep, asks: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    step.action.visit(&mut |expr| found |= asks(expr));
    found
}

/// All steps of processes, those inside of a `d_step` included; whether each is the first of an edge
/// outside of a `d_step`. A claim is no process, and its code is never executed.
fn steps<'a>(machine: &'a Machine<'_>) -> impl Iterator<Item = (bool, &'a EdgeStep)> {
    let model = machine.model();
    let ids = (0..model.processes.len() as u32).map(ProcessId);
    let running = ids.filter(move |&id| model.process(id).kind != ProcessKind::Never);
    running.flat_map(move |id| {
        let automaton = machine.automaton(id);
        let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
        let usual = automaton.edges.iter().map(|edge| (true, edge));
        usual.chain(inside.map(|edge| (false, edge))).flat_map(|(is_usual, edge)| {
            edge.steps.iter().enumerate().map(move |(at, step)| (is_usual && at == 0, step))
        })
    })
}
