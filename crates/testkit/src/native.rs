//! Native code finds what the interpreter finds in a state space: the same successors in the same
//! order, the same faults, the same deadlocks, in every state.

use std::collections::HashSet;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::{FairSpace, fairness_mark};
use beeline_engine::interpreter::Machine;
use beeline_jit::{NativeFairSpace, NativeSpace, NotCompiled};
use beeline_kernel::{Expander, Expansion, ExpansionEnd, SleepSet, Space, StepLabel};
use beeline_promela::hir::Model;

use crate::model;

/// States that are expanded together.
const BATCH: usize = 11;

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
    let (mut fast, mut together) = (native.expander(), native.expander());
    let (mut ours, mut batch) = (Expansion::default(), Vec::new());
    let states = walk(&machine, most, |state, theirs| {
        fast.expand_only(state, &mut ours);
        assert_same(name, state, &mut ours, theirs);
        broken += theirs.violated_invariants.len();
        batch.push((state.to_vec(), ours.clone()));
        if batch.len() == BATCH {
            compare_batch(name, &mut *together, &mut batch);
        }
    });
    compare_batch(name, &mut *together, &mut batch);
    Some(Compared { states, broken })
}

/// Expands states in batches, and compares each with its own expansion.
fn compare_batch(name: &str, expander: &mut dyn Expander, batch: &mut Vec<(Vec<u8>, Expansion)>) {
    let (mut whole, mut ends) = (Expansion::default(), Vec::new());
    while !batch.is_empty() {
        whole.clear();
        ends.clear();
        let states = batch.iter().map(|(state, _)| (state.as_slice(), SleepSet::EMPTY));
        expander.expand_batch(&states.collect::<Vec<_>>(), &mut whole, &mut ends);
        assert!(!ends.is_empty() && ends.len() <= batch.len(), "{name}: {} ends", ends.len());
        assert_eq!(ends.last(), Some(&whole.end()), "{name}: the last end");
        let mut begin = ExpansionEnd::default();
        for (number, (state, alone)) in batch.iter_mut().enumerate().take(ends.len()) {
            let (end, is_last) = (ends[number], number + 1 == ends.len());
            let mut part = Expansion::default();
            for at in begin.successors as usize..end.successors as usize {
                let way = whole.successors.transitions()[at];
                part.push_labelled(way.steps, way.label, whole.state(at));
            }
            part.hidden_steps = end.hidden_steps - begin.hidden_steps;
            if is_last {
                part.deadlock = whole.deadlock;
                part.faults.append(&mut whole.faults);
                part.violated_invariants.append(&mut whole.violated_invariants);
            }
            assert_same(name, state, &mut part, alone);
            begin = end;
        }
        batch.drain(..ends.len());
    }
}

/// Compares marks of fairness, too, with those of the interpreter, up to `most` states. Returns the
/// number of transitions on which several processes move that could begin one; `None` when the model cannot be compiled.
///
/// # Panics
///
/// As [`compare`].
pub fn compare_fairly(name: &str, machine: &Machine<'_>, most: usize) -> Option<usize> {
    let native = NativeFairSpace::compile(machine).ok()?;
    let interpreted = FairSpace(machine);
    let (mut fast, mut ours, mut several) = (native.expander(), Expansion::default(), 0);
    walk(&interpreted, most, |state, theirs| {
        fast.expand_only(state, &mut ours);
        assert_same(name, state, &mut ours, theirs);
        assert_eq!(ours.marks, theirs.marks, "{name}: marks behind {state:?}");
        let labels = theirs.successors.transitions().iter().map(|way| way.label.process as usize);
        let begin = labels.fold(0, |begin, pid| begin | 1_u64 << fairness_mark(pid));
        several += theirs.marks.iter().filter(|marks| (marks.0 & begin).count_ones() > 1).count();
    });
    Some(several)
}

/// Calls `visit` with states of a space, up to `most`, and their expansions. Returns their number.
fn walk(space: &dyn Space, most: usize, mut visit: impl FnMut(&[u8], &mut Expansion)) -> usize {
    let mut state = Vec::new();
    if space.initial(&mut state).is_err() {
        return 0;
    }
    let mut seen = HashSet::from([state.clone()]);
    let (mut waiting, mut theirs) = (vec![state], Expansion::default());
    while let Some(state) = waiting.pop() {
        space.expand(&state, &mut theirs);
        visit(&state, &mut theirs);
        for next in theirs.states() {
            if seen.len() < most && !seen.contains(next) {
                seen.insert(next.to_vec());
                waiting.push(next.to_vec());
            }
        }
    }
    seen.len()
}

/// Asserts that native code and the interpreter found the same in a state.
fn assert_same(name: &str, state: &[u8], ours: &mut Expansion, theirs: &mut Expansion) {
    let ways = |found: &Expansion| -> Vec<(u32, StepLabel, Vec<u8>)> {
        let ways = found.successors.transitions().iter().zip(found.states());
        ways.map(|(way, state)| (way.steps, way.label, state.to_vec())).collect()
    };
    assert_eq!(ways(ours), ways(theirs), "{name}: successors of {state:?}");
    assert_eq!(
        ours.violated_invariants, theirs.violated_invariants,
        "{name}: invariants in {state:?}"
    );
    assert_eq!(ours.deadlock, theirs.deadlock, "{name}: deadlock in {state:?}");
    assert_eq!(ours.hidden_steps, theirs.hidden_steps, "{name}: steps behind {state:?}");
    // Inside of atomic sequences, faults come in another order.
    for expansion in [&mut *ours, &mut *theirs] {
        expansion.faults.sort_by_key(|way| (way.fault.kind, way.fault.site, way.steps));
    }
    assert_eq!(ours.faults, theirs.faults, "{name}: faults behind {state:?}");
}
