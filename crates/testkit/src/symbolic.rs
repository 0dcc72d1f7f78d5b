//! Symbolic counts against explicit ones: where a view says that it is exact, sets of states have
//! exactly the states of the interpreter.

use std::collections::BTreeSet;
use std::time::Duration;

use beeline_analysis::factored::{InstanceBounds, exact_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Deadline, Expansion, Space};
use beeline_promela::hir::Model;
use beeline_symbolic::{DiagramLimits, SymbolicStrategy, SymbolicSystem};

/// The strategies, each of which must count the same.
pub const STRATEGIES: [SymbolicStrategy; 3] =
    [SymbolicStrategy::BreadthFirst, SymbolicStrategy::Chaining, SymbolicStrategy::Saturation];

/// The memory of one count, in bytes.
const BYTES: usize = 1 << 30;

/// What was compared.
#[derive(Debug, Default)]
pub struct SymbolicCompared {
    /// Models with an exact view.
    pub exact: usize,
    /// Counts that came to an end in time.
    pub counts: usize,
    /// Counts that reached a limit.
    pub stopped: usize,
    /// The states of all counts.
    pub states: u64,
    /// The differences.
    pub complaints: BTreeSet<String>,
}

/// Counts the states of a model by each strategy, for some time, and compares the number with the
/// true one; if that is not known, with an explicit count up to `most` states.
pub fn check_counts(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    known: Option<u64>,
    most: usize,
    compared: &mut SymbolicCompared,
) {
    let machine = Machine::new(model, options);
    let Ok(view) = exact_view(&machine, &InstanceBounds::default()) else { return };
    if !view.system.precision.is_exact() {
        return;
    }
    compared.exact += 1;
    let Some(truth) = known.or_else(|| explicit_count(&machine, most)) else { return };
    for strategy in STRATEGIES {
        let limits = DiagramLimits::new(BYTES, Deadline::after(Duration::from_secs(5)));
        let mut symbolic = SymbolicSystem::new(&view.system, &view.ranges, limits);
        let Ok(reached) = symbolic.reachable(strategy) else {
            compared.stopped += 1;
            continue;
        };
        compared.counts += 1;
        compared.states += truth;
        let found = symbolic.count(&reached.states.free).to_string();
        if found != truth.to_string() {
            let complaint = format!("{name}, {strategy:?}: {found} states, not {truth}");
            compared.complaints.insert(complaint);
        }
    }
}

/// The number of states, if there are not more.
fn explicit_count(machine: &Machine<'_>, most: usize) -> Option<u64> {
    let mut start = Vec::new();
    Space::initial(machine, &mut start).ok()?;
    let mut known = BTreeSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut expansion = Expansion::default();
    while let Some(state) = waiting.pop() {
        machine.expand(&state, &mut expansion);
        for next in expansion.states() {
            if known.insert(next.to_vec()) {
                waiting.push(next.to_vec());
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(known.len() as u64)
}
