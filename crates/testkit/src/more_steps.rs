//! Factored systems that are not exact, but lack nothing: without control, they have the states,
//! faults and deadlocks of their machines, as their precision promises.

use std::collections::BTreeSet;
use std::time::Duration;

use beeline_analysis::factored::{InstanceBounds, exact_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_factored::{Deviation, FactoredView, System};
use beeline_kernel::{Deadline, Expansion, FaultKind, Faults, Space};
use beeline_promela::hir::Model;
use beeline_symbolic::{
    ControlSets, DiagramLimits, SymbolicError, SymbolicStrategy, SymbolicSystem,
};

/// The faults that operators have.
const SEEN: [FaultKind; 6] = [
    FaultKind::Assertion,
    FaultKind::Index,
    FaultKind::Division,
    FaultKind::Blocked,
    FaultKind::NoChannel,
    FaultKind::Fields,
];

/// What was compared.
#[derive(Debug, Default)]
pub struct MoreStepsCompared {
    /// Models whose system is not exact and lacks nothing.
    pub models: usize,
    /// Those among them with a set of reachable states within the limits.
    pub compared: usize,
    /// The states of their machines.
    pub states: usize,
    /// The kinds of their faults.
    pub kinds: Faults,
    /// Those with a deadlock that their system must have.
    pub deadlocks: usize,
    /// Why the systems are not exact.
    pub reasons: BTreeSet<&'static str>,
    /// The differences.
    pub complaints: BTreeSet<String>,
}

/// What is known about a machine.
struct MachineFacts {
    states: Vec<Vec<i32>>,
    faults: Faults,
    has_deadlock: bool,
}

/// Compares the system of a model with its machine, if it is not exact and lacks nothing.
pub fn check_more_steps(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    most: usize,
    compared: &mut MoreStepsCompared,
) {
    let machine = Machine::new(model, options);
    let Ok(view) = exact_view(&machine, &InstanceBounds::default()) else { return };
    let precision = &view.system.precision;
    let Some(deviation @ (Deviation::MoreEnds | Deviation::MoreSteps)) = precision.deviation()
    else {
        return;
    };
    compared.models += 1;
    let Some(facts) = machine_facts(&machine, &view, most) else { return };
    let system = view.system.without_control();
    let limits = DiagramLimits::new(1 << 28, Deadline::after(Duration::from_secs(2)));
    let mut symbolic = SymbolicSystem::new(&system, &view.ranges, limits);
    let Ok(reached) = symbolic.reachable(SymbolicStrategy::Auto) else { return };
    let Ok(complaints) = differences(&facts, deviation, &system, &mut symbolic, &reached.states)
    else {
        return;
    };
    compared.compared += 1;
    compared.states += facts.states.len();
    compared.kinds = compared.kinds.union(facts.faults);
    let shows_deadlocks = deviation == Deviation::MoreEnds;
    compared.deadlocks += usize::from(facts.has_deadlock && shows_deadlocks);
    compared.reasons.extend(precision.reasons());
    compared.complaints.extend(complaints.into_iter().map(|why| format!("{name}: {why}")));
}

fn differences(
    facts: &MachineFacts,
    deviation: Deviation,
    system: &System,
    symbolic: &mut SymbolicSystem<'_>,
    reached: &ControlSets,
) -> Result<Vec<String>, SymbolicError> {
    let mut found = Vec::new();
    for kind in SEEN.into_iter().filter(|&kind| facts.faults.contains(kind)) {
        let operators = system.failing(Faults::of(&[kind]));
        if symbolic.enabled(&operators, &reached.free)?.is_empty() {
            found.push(format!("no fault {kind:?}"));
        }
    }
    let is_terminal = [FaultKind::Index, FaultKind::Limit, FaultKind::Fields]
        .into_iter()
        .any(|kind| facts.faults.contains(kind));
    let missing = facts.states.iter().find(|state| !symbolic.contains(&reached.free, state));
    if let Some(state) = missing.filter(|_| !is_terminal) {
        found.push(format!("lacks {state:?}"));
    }
    if facts.has_deadlock && deviation == Deviation::MoreEnds && !is_terminal {
        let dead = symbolic.invalid_ends(&reached.free)?;
        if dead.is_empty() {
            found.push("no deadlock".to_owned());
        }
    }
    Ok(found)
}

/// The states and errors of a machine. `None` if there are more states.
fn machine_facts(machine: &Machine<'_>, view: &FactoredView, most: usize) -> Option<MachineFacts> {
    let mut start = Vec::new();
    Space::initial(machine, &mut start).ok()?;
    let mut known = BTreeSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut facts = MachineFacts { states: Vec::new(), faults: Faults::NONE, has_deadlock: false };
    let mut expansion = Expansion::default();
    while let Some(state) = waiting.pop() {
        facts.states.push(view.read(&state)?);
        machine.expand(&state, &mut expansion);
        facts.has_deadlock |= expansion.deadlock;
        expansion.faults.iter().for_each(|failure| facts.faults.insert(failure.fault.kind));
        for next in expansion.states() {
            if known.insert(next.to_vec()) {
                waiting.push(next.to_vec());
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(facts)
}

/// Prints what was compared.
///
/// # Panics
///
/// When a system lacks something.
pub fn conclude_more_steps(compared: &MoreStepsCompared) {
    let MoreStepsCompared { models, compared: sets, states, reasons, complaints, .. } = compared;
    println!("{models} systems with more steps, {sets} compared ({states} states): {reasons:?}");
    assert!(complaints.is_empty(), "{complaints:#?}");
}
