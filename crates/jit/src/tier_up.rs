//! When it pays to compile a model: not before the interpreter has been at work for a good part of
//! the time that compiling takes. Most models are done by then.
//!
//! Both are counted and not measured, so that every run is the same: the work of the interpreter in
//! bytes of states and successors, and compiling by what there is to compile. On the models of the
//! corpus, a part of one takes 50 to 200 microseconds, in which the interpreter does ten to forty
//! thousand bytes.

use beeline_engine::interpreter::Machine;
use beeline_promela::hir::ProcessId;

/// What the interpreter does before even the smallest model is compiled: a thousand small states.
const LEAST: usize = 512 << 10;
/// What it does for each part of a larger model: about a quarter of what compiling takes.
const EACH: usize = 4 << 10;

/// What there is to do about a state of no length.
const STATE: usize = 256;

/// Work of the interpreter before it pays to compile a model.
pub(crate) fn tier_up_threshold(machine: &Machine<'_>) -> usize {
    LEAST.max(EACH.saturating_mul(parts(machine)))
}

/// Work of the interpreter for a state of this length, with this many bytes of successors.
pub(crate) fn work(state: usize, made: usize) -> usize {
    STATE + state + made
}

/// Steps, and expressions in them.
fn parts(machine: &Machine<'_>) -> usize {
    let mut parts = 0;
    for process in (0..machine.model().processes.len() as u32).map(ProcessId) {
        let automaton = machine.automaton(process);
        let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
        for step in automaton.edges.iter().chain(inside).flat_map(|edge| &edge.steps) {
            parts += 1;
            step.action.visit(&mut |_| parts += 1);
        }
    }
    parts
}
