//! Native code finds what the interpreter finds in a state space: the same successors in the same
//! order, the same faults, the same deadlocks, in every state.

use std::collections::HashSet;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::{NativeSpace, NotCompiled};
use beeline_kernel::{Expansion, Space, StepLabel};
use beeline_promela::hir::Model;

use crate::model;

/// How much was compared.
#[derive(Debug, Default)]
pub struct Compared {
    /// States.
    pub states: usize,
    /// How often an invariant did not hold.
    pub broken: usize,
}

/// Walks the space with both, up to `most` states. `None` when the model cannot
/// be compiled. `name` is for messages.
///
/// # Panics
///
/// When they find something different.
pub fn compare(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    most: usize,
) -> Option<Compared> {
    compare_machines(name, Machine::new(model, options), most)
}

/// The same for a machine with settings of its own.
///
/// # Panics
///
/// As [`compare`].
pub fn compare_machines(name: &str, machine: Machine<'_>, most: usize) -> Option<Compared> {
    let (mut broken, model) = (0, machine.model());
    let mut guards = model::global_expressions(model);
    guards.truncate(20);
    let machine = machine.with_invariants(guards);
    let native = match NativeSpace::compile(&machine) {
        Ok(native) => native,
        Err(NotCompiled::Feature(_)) => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let mut state = Vec::new();
    if Space::initial(&machine, &mut state).is_err() {
        return Some(Compared::default());
    }
    let mut fast = native.expander();
    let mut seen = HashSet::from([state.clone()]);
    let mut waiting = vec![state];
    let (mut ours, mut theirs) = (Expansion::default(), Expansion::default());
    while let Some(state) = waiting.pop() {
        machine.expand(&state, &mut theirs);
        fast.expand_only(&state, &mut ours);
        let ways = |found: &Expansion| -> Vec<(u32, StepLabel, Vec<u8>)> {
            let ways = found.successors.transitions().iter().zip(found.states());
            ways.map(|(way, state)| (way.steps, way.label, state.to_vec())).collect()
        };
        assert_eq!(ways(&ours), ways(&theirs), "{name}: successors of {state:?}");
        broken += theirs.violated_invariants.len();
        assert_eq!(
            ours.violated_invariants, theirs.violated_invariants,
            "{name}: invariants in {state:?}"
        );
        assert_eq!(ours.deadlock, theirs.deadlock, "{name}: deadlock in {state:?}");
        assert_eq!(ours.hidden_steps, theirs.hidden_steps, "{name}: steps behind {state:?}");
        // Inside of atomic sequences, faults come in another order.
        for expansion in [&mut ours, &mut theirs] {
            expansion.faults.sort_by_key(|way| (way.fault.kind, way.fault.site, way.steps));
        }
        assert_eq!(ours.faults, theirs.faults, "{name}: faults behind {state:?}");
        for next in theirs.states() {
            if seen.len() < most && !seen.contains(next) {
                seen.insert(next.to_vec());
                waiting.push(next.to_vec());
            }
        }
    }
    Some(Compared { states: seen.len(), broken })
}
