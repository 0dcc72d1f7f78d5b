//! When to compile a model, and when to compile code for states of one structure: after the interpreter has worked for a considerable part of the
//! compilation time. Most models are finished by then.
//!
//! Both are counted and not measured, so that every run is the same: the work of the interpreter in
//! bytes of states and successors, compilation by the number of parts. On the models of the corpus,
//! a part takes 50 to 200 microseconds, in which the interpreter processes ten to forty thousand
//! bytes.

use beeline_engine::interpreter::Machine;
use beeline_promela::hir::ProcessId;

/// Work of the interpreter before even the smallest model is compiled: a thousand small states.
const LEAST: usize = 512 << 10;
/// Its work for each part of a larger model: about a quarter of the compilation time.
const EACH: usize = 4 << 10;

/// Work for a state of length zero.
const STATE: usize = 256;

/// Work of the interpreter before it pays to compile a model.
pub(crate) fn tier_up_threshold(machine: &Machine<'_>) -> usize {
    LEAST.max(EACH.saturating_mul(parts(machine)))
}

/// Work of the interpreter for a state of this length, with this many bytes of successors.
pub(crate) fn work(state: usize, made: usize) -> usize {
    STATE + state + made
}

/// When states of a structure get code of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeTier {
    /// After a few states.
    Soon,
    /// After enough states that compilation pays.
    WhenItPays,
}

/// States of a structure that are expanded before compilation pays, for each part.
const STATES: u32 = 64;
/// It does not pay for a structure with more parts.
const MOST_PARTS: usize = 1 << 12;
/// A few states.
const FEW: u32 = 16;

impl ShapeTier {
    /// The number of states of a structure that are expanded before code for it is compiled, given
    /// the types of its processes; `None` if it never is.
    pub(crate) fn threshold(self, machine: &Machine<'_>, types: &[u32]) -> Option<u32> {
        let parts: usize = types.iter().map(|&process| parts_of(machine, ProcessId(process))).sum();
        match self {
            _ if parts > MOST_PARTS => None,
            ShapeTier::Soon => Some(FEW),
            ShapeTier::WhenItPays => Some(STATES * parts as u32),
        }
    }
}

/// The number of steps, and of expressions in them.
fn parts(machine: &Machine<'_>) -> usize {
    (0..machine.model().processes.len() as u32).map(|id| parts_of(machine, ProcessId(id))).sum()
}

/// The same for a process type.
fn parts_of(machine: &Machine<'_>, process: ProcessId) -> usize {
    let mut parts = 0;
    let automaton = machine.automaton(process);
    let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
    for step in automaton.edges.iter().chain(inside).flat_map(|edge| &edge.steps) {
        parts += 1;
        step.action.visit(&mut |_| parts += 1);
    }
    parts
}
