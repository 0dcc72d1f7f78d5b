//! Exact factored views have exactly the states, steps, faults and deadlocks of their machines: the
//! system is executed state by state, as its documentation says, and compared with the interpreter.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use beeline_analysis::factored::{InstanceBounds, exact_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_factored::{
    Binary, FactorExpr, FactorId, FactoredView, Goal, Instruction, Operator, System, holds,
    successors,
};
use beeline_kernel::{Expansion, FaultKind, Faults, Space};
use beeline_promela::hir::Model;

/// What was compared.
#[derive(Debug, Default)]
pub struct ExactCompared {
    /// Models with an exact view.
    pub exact: usize,
    /// Models with an exact view and few states, whose states were compared.
    pub compared: usize,
    /// Models that exceed the bounds of their view.
    pub exceeding: usize,
    /// Models without a view.
    pub without_view: usize,
    /// Models whose view is not exact, by reason.
    pub reasons: BTreeMap<&'static str, usize>,
    /// The states that were compared.
    pub states: usize,
    /// States without a step among them.
    pub dead_ends: usize,
    /// Steps that fail.
    pub faults: usize,
    /// Deadlocks among the states.
    pub deadlocks: usize,
    /// The kinds of the faults.
    pub kinds: Faults,
    complaints: String,
}

/// What is compared of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateFacts {
    has_step: bool,
    is_deadlock: bool,
    faults: Faults,
}

/// The steps from a state.
struct StepsFrom {
    next: Vec<HeldState>,
    has_step: bool,
    /// The faults of operators that fail here.
    faults: Faults,
}

/// A state of a factored system: the process that keeps control, and the values.
type HeldState = (Option<u32>, Vec<i32>);

/// The operators of a system, by the values that they need first.
pub struct ExplicitSystem<'a> {
    system: &'a System,
    /// By factor and value.
    guarded: HashMap<(u32, i32), Vec<usize>>,
    locations: Vec<FactorId>,
    others: Vec<usize>,
}

impl<'a> ExplicitSystem<'a> {
    /// Prepares a system.
    pub fn new(system: &'a System) -> ExplicitSystem<'a> {
        let mut made = ExplicitSystem {
            system,
            guarded: HashMap::new(),
            locations: Vec::new(),
            others: Vec::new(),
        };
        let mut locations = BTreeSet::new();
        for (at, step) in system.steps.iter().enumerate() {
            match first_guard(step) {
                Some((factor, value)) => {
                    locations.insert(factor);
                    made.guarded.entry((factor.0, value)).or_default().push(at);
                }
                None => made.others.push(at),
            }
        }
        made.locations = locations.into_iter().collect();
        made
    }

    fn candidates(&self, values: &[i32]) -> impl Iterator<Item = usize> {
        let guarded = self.locations.iter().flat_map(move |factor| {
            let at = self.guarded.get(&(factor.0, values[factor.index()]));
            at.into_iter().flatten()
        });
        guarded.chain(&self.others).copied()
    }

    fn is_applicable(&self, at: usize, values: &[i32]) -> bool {
        let mut found = false;
        successors(&self.system.steps[at], values, &mut |_| found = true).expect("few outcomes");
        found
    }

    /// The steps from a state in which `holder` keeps control.
    fn steps(&self, (holder, values): &HeldState) -> StepsFrom {
        let applicable: BTreeSet<usize> =
            self.candidates(values).filter(|&at| self.is_applicable(at, values)).collect();
        let mut found = StepsFrom { next: Vec::new(), has_step: false, faults: Faults::NONE };
        for &at in &applicable {
            let step = &self.system.steps[at];
            if holder.is_some_and(|holder| step.label.process != holder) {
                continue;
            }
            let excluding = step.shut_out_by.map(|set| &self.system.shut_outs[set.0 as usize]);
            let mut excluding = excluding.into_iter().flatten();
            if excluding.any(|&other| applicable.contains(&(other as usize))) {
                continue;
            }
            found.has_step |= !step.only_reports();
            match step.fails {
                Some(kind) => found.faults.insert(kind),
                None => successors(step, values, &mut |after| {
                    found.next.push((step.holds, after.to_vec()));
                })
                .expect("few outcomes"),
            }
        }
        if !found.has_step && holder.is_some() {
            // Control is lost.
            found.next.push((None, values.clone()));
            found.has_step = true;
        }
        found
    }

    /// The facts of a state of the model.
    fn facts(&self, values: &[i32]) -> StateFacts {
        let start: HeldState = (None, values.to_vec());
        let StepsFrom { next, has_step, mut faults } = self.steps(&start);
        let mut known = HashSet::new();
        let mut waiting = next;
        while let Some(state) = waiting.pop() {
            if state.0.is_some() && known.insert(state.clone()) {
                let steps = self.steps(&state);
                faults = faults.union(steps.faults);
                waiting.extend(steps.next);
            }
        }
        let is_valid = self.system.valid_end.as_ref().is_some_and(|valid| {
            let goal = Goal { name: String::new(), conditions: vec![valid.clone()] };
            holds(&goal, values).expect("a single value")
        });
        StateFacts { has_step, is_deadlock: !has_step && !is_valid, faults }
    }

    /// The facts of the reachable states. `None` if there are more states.
    pub fn reachable(&self, most: usize) -> Option<HashMap<Vec<i32>, StateFacts>> {
        let start: HeldState = (None, self.system.initial.clone());
        let mut known = HashSet::from([start.clone()]);
        let mut waiting = vec![start];
        let mut states = HashMap::new();
        while let Some(state) = waiting.pop() {
            let StepsFrom { next, .. } = self.steps(&state);
            if state.0.is_none() {
                let facts = self.facts(&state.1);
                states.insert(state.1, facts);
            }
            for one in next {
                if known.insert(one.clone()) {
                    waiting.push(one);
                }
            }
            if known.len() > most {
                return None;
            }
        }
        Some(states)
    }
}

/// The first condition of a step, if it is `factor == value`.
fn first_guard(step: &Operator) -> Option<(FactorId, i32)> {
    let Some(Instruction::Require(FactorExpr::Binary(Binary::Equal, a, b))) = step.actions.first()
    else {
        return None;
    };
    match (&**a, &**b) {
        (&FactorExpr::Factor(factor), &FactorExpr::Const(value)) => Some((factor, value)),
        _ => None,
    }
}

/// Why the states of a machine are not known as values of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unread {
    /// There are more states, or none.
    TooMany,
    /// No factors represent a state, or two states have the same values.
    NoFactors,
}

/// The states of a machine as values of factors, with their facts.
fn machine_states(
    machine: &Machine<'_>,
    view: &FactoredView,
    most: usize,
    compared: &mut ExactCompared,
) -> Result<HashMap<Vec<i32>, StateFacts>, Unread> {
    let mut start = Vec::new();
    machine.initial().map_err(|_| Unread::TooMany)?;
    Space::initial(machine, &mut start).map_err(|_| Unread::TooMany)?;
    let mut known = HashSet::from([start.clone()]);
    let mut waiting = vec![start];
    let mut states = HashMap::new();
    let mut expansion = Expansion::default();
    while let Some(state) = waiting.pop() {
        let mut values = vec![0; view.system.factors.len()];
        let fits = view.reading.read(&state, &mut |factor, value| values[factor.index()] = value);
        if !fits {
            return Err(Unread::NoFactors);
        }
        machine.expand(&state, &mut expansion);
        compared.faults += expansion.faults.len();
        let has_step = !expansion.is_empty() || !expansion.faults.is_empty();
        let mut faults = Faults::NONE;
        let kinds = expansion.faults.iter().map(|transition| transition.fault.kind);
        // A view does not say which channels are exclusive.
        kinds.filter(|&kind| kind != FaultKind::Exclusive).for_each(|kind| faults.insert(kind));
        compared.kinds = compared.kinds.union(faults);
        states.insert(values, StateFacts { has_step, is_deadlock: expansion.deadlock, faults });
        for next in expansion.states() {
            if known.insert(next.to_vec()) {
                waiting.push(next.to_vec());
            }
        }
        if known.len() > most {
            return Err(Unread::TooMany);
        }
    }
    if states.len() == known.len() { Ok(states) } else { Err(Unread::NoFactors) }
}

/// Compares the view of a model with its machine, up to a number of states.
pub fn check_exact(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    most: usize,
    compared: &mut ExactCompared,
) {
    check_bounded(name, model, options, None, most, compared);
}

/// Compares the view of a model that has room for this many processes of each type.
pub fn check_bounded(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    room: Option<usize>,
    most: usize,
    compared: &mut ExactCompared,
) {
    let machine = Machine::new(model, options);
    let bounds = room.map(|room| InstanceBounds::all(&machine, room)).unwrap_or_default();
    let Ok(view) = exact_view(&machine, &bounds) else {
        compared.without_view += 1;
        return;
    };
    if !view.system.precision.is_exact() {
        view.system.precision.reasons().for_each(|reason| {
            *compared.reasons.entry(reason).or_default() += 1;
        });
        return;
    }
    compared.exact += 1;
    let truth = match machine_states(&machine, &view, most, compared) {
        Ok(truth) => truth,
        Err(Unread::TooMany) => return,
        Err(Unread::NoFactors) => {
            let found = ExplicitSystem::new(&view.system).reachable(most * 10);
            let exceeds = |facts: &StateFacts| facts.faults.contains(FaultKind::Limit);
            match found {
                Some(found) if !found.values().any(exceeds) || view.system.excess.is_none() => {
                    let _ = writeln!(compared.complaints, "{name}: a state cannot be read");
                }
                _ => compared.exceeding += 1,
            }
            return;
        }
    };
    compared.compared += 1;
    compared.states += truth.len();
    compared.dead_ends += truth.values().filter(|facts| !facts.has_step).count();
    compared.deadlocks += truth.values().filter(|facts| facts.is_deadlock).count();
    let Some(found) = ExplicitSystem::new(&view.system).reachable(most * 10) else {
        let _ = writeln!(compared.complaints, "{name}: far more than {} states", truth.len());
        return;
    };
    let missing = truth.keys().filter(|state| !found.contains_key(*state));
    let too_many = found.keys().filter(|state| !truth.contains_key(*state));
    let (missing, too_many): (Vec<_>, Vec<_>) = (missing.collect(), too_many.collect());
    let wrong =
        truth.iter().find(|(state, facts)| found.get(*state).is_some_and(|found| found != *facts));
    if missing.is_empty() && too_many.is_empty() && wrong.is_none() {
        return;
    }
    let show = |state: &Vec<i32>| {
        let named = view.system.factors.iter().zip(state).filter(|(_, value)| **value != 0);
        let each: Vec<String> =
            named.map(|(factor, value)| format!("{}={value}", factor.name)).collect();
        each.join(" ")
    };
    let _ = writeln!(
        compared.complaints,
        "{name}: {} states, {} missing, {} too many{}",
        truth.len(),
        missing.len(),
        too_many.len(),
        if wrong.is_some() { ", wrong about steps, faults or deadlocks" } else { "" }
    );
    let examples = [("missing", missing.iter().min()), ("too many", too_many.iter().min())];
    for (kind, example) in examples {
        if let Some(state) = example {
            let _ = writeln!(compared.complaints, "    {kind}: {}", show(state));
        }
    }
    if let Some((state, facts)) = wrong {
        let other = found[state];
        let _ = writeln!(compared.complaints, "    {facts:?}, not {other:?}: {}", show(state));
    }
}

/// Prints what was compared.
///
/// # Panics
///
/// When a view that is said to be exact differs from its machine.
pub fn conclude_exact(compared: &ExactCompared) {
    let ExactCompared { exact, compared: models, without_view, reasons, states, .. } = compared;
    println!("{exact} exact, {models} of them compared ({states} states), {without_view} no view");
    println!("{reasons:#?}");
    assert!(compared.complaints.is_empty(), "\n{}", compared.complaints);
}
