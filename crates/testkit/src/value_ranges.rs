//! Value ranges contain every value of every reachable state, and a fault that they exclude does
//! not occur.

use std::collections::HashSet;

use beeline_analysis::faults::FaultAnalysis;
use beeline_analysis::value_ranges::ValueRanges;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Expansion, Space};
use beeline_promela::hir::{Access, Expr, ExprKind, GlobalId, LocalId, Root, Type};

/// What was compared.
#[derive(Debug, Default)]
pub struct RangesCompared {
    /// Models.
    pub models: usize,
    /// Values in reachable states.
    pub values: u64,
    /// Ranges that are smaller than the type of an `int`.
    pub narrow: u64,
    /// Faults of reachable steps.
    pub faults: u64,
}

/// Explores up to `most` states of a machine, and compares.
///
/// # Panics
///
/// When a value is outside of its range, or an excluded fault occurs.
pub fn compare(name: &str, machine: &Machine<'_>, most: usize, all: &mut RangesCompared) {
    let Some(ranges) = ValueRanges::of(machine) else { return };
    let possible = FaultAnalysis::new(machine).all_faults();
    let mut state = Vec::new();
    if Space::initial(machine, &mut state).is_err() {
        return;
    }
    all.models += 1;
    let mut seen = HashSet::from([state.clone()]);
    let mut waiting = vec![state];
    let mut expansion = Expansion::default();
    while let Some(state) = waiting.pop() {
        compare_state(name, machine, &ranges, &machine.decode(&state), all);
        expansion.clear();
        Space::expand(machine, &state, &mut expansion);
        for fault in &expansion.faults {
            let kind = fault.fault.kind;
            assert!(possible.contains(kind), "{name}: {kind} was excluded");
            all.faults += 1;
        }
        for next in 0..expansion.len() {
            let next = expansion.state(next).to_vec();
            if seen.len() < most && seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
}

fn compare_state(
    name: &str,
    machine: &Machine<'_>,
    ranges: &ValueRanges<'_>,
    now: &DecodedState,
    all: &mut RangesCompared,
) {
    let model = machine.model();
    for pid in 0..now.process_count() {
        let id = now.process(pid);
        let Some(scope) = ranges.at(id, now.location(pid)) else {
            // A process that has ended but still exists is nowhere.
            continue;
        };
        let locals = machine
            .locals_in_states(id)
            .map(|(at, local)| (Root::Local(LocalId(at as u32)), local));
        let globals =
            (0u32..).zip(&model.globals).map(|(at, global)| (Root::Global(GlobalId(at)), global));
        for (root, variable) in locals.chain(globals) {
            let is_unread = matches!(root, Root::Global(id) if machine.is_unread(id));
            if is_unread || matches!(variable.ty, Type::Struct(_) | Type::Chan) {
                continue;
            }
            let span = variable.name.span;
            for element in 0..variable.length.unwrap_or(1) {
                let index = Expr { kind: ExprKind::Const(element as i32), span };
                let index = variable.length.map(|_| Box::new(index));
                let access = Access { root, index, path: Vec::new(), span };
                let read = Expr { kind: ExprKind::Read(access), span };
                let Ok(value) = machine.evaluate(&read, now, pid) else { continue };
                let range = scope.range(&read);
                assert!(
                    range.contains(value),
                    "{name}: {}({pid}) at {:?}: {} = {value} is not in {range:?}",
                    model.process(id).name.name,
                    now.location(pid),
                    variable.name.name,
                );
                all.values += 1;
                all.narrow += u64::from(range.size() < 256);
            }
        }
    }
}
