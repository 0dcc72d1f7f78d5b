//! When to compile a model: after the interpreter has worked for a considerable part of the
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

/// The number of steps, and of expressions in them.
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
