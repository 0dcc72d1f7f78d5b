//! Searches on sets of states against explicit shortest paths: where a view says that it is exact,
//! all searches find paths of the least length, and the interpreter can follow them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use beeline_analysis::factored::{InstanceBounds, exact_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_factored::{CascadingTables, FactorExpr, FactorId, FactoredView};
use beeline_heuristics::merge_and_shrink::{ErrorSets, MergeBudget, cascading_tables};
use beeline_kernel::{Deadline, Expansion, FaultKind, Faults, Space};
use beeline_promela::hir::Model;
use beeline_symbolic::{
    BuildAbstraction, DiagramLimits, EstimateKind, EstimatedErrors, Set, StepCosts, SymbolicError,
    SymbolicEstimate, SymbolicGoal, SymbolicOutcome, SymbolicRanking, SymbolicStrategy,
    SymbolicSystem, ZeroEstimate,
};

/// The memory of one search, in bytes, and its time.
const BYTES: usize = 1 << 30;
const TIME: Duration = Duration::from_secs(5);

/// The states of a part for which an abstraction is compared with its tables, at most.
const COMPARED: usize = 1_000;

/// An error that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoughtError {
    /// A state without a step that is no valid end.
    Deadlock,
    /// A step with this fault.
    Fault(FaultKind),
}

/// What was compared.
#[derive(Debug, Default)]
pub struct SearchesCompared {
    /// Models with an exact view.
    pub exact: usize,
    /// Errors that were searched for.
    pub errors: usize,
    /// Errors that are not reachable.
    pub absent: usize,
    /// Searches that came to an end in time.
    pub searches: usize,
    /// Searches that reached a limit.
    pub stopped: usize,
    /// States that were compared, and that have a positive distance in a merge-and-shrink abstraction.
    pub informed: usize,
    /// A line for each search.
    pub table: String,
    /// The differences.
    pub complaints: BTreeSet<String>,
}

/// The least lengths of paths to an error.
#[derive(Clone, Copy, Debug)]
struct LeastLengths {
    /// In transitions.
    transitions: u64,
    /// In moves.
    moves: u64,
}

/// Searches for the deadlocks of a model and for its faults by each algorithm, if it has at most
/// this number of states.
pub fn check_searches(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    most: usize,
    compared: &mut SearchesCompared,
) {
    let machine = Machine::new(model, options);
    let Ok(view) = exact_view(&machine, &InstanceBounds::default()) else { return };
    if !view.system.precision.is_exact() {
        return;
    }
    compared.exact += 1;
    let Some(truth) = least_lengths(&machine, most) else { return };
    let kinds = view.system.steps.iter().filter_map(|step| step.fails).map(SoughtError::Fault);
    let mut errors: Vec<SoughtError> = vec![SoughtError::Deadlock];
    for error in kinds.chain(truth.iter().map(|(error, _)| *error)) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    for error in errors {
        let least = truth.iter().find(|(one, _)| *one == error).map(|(_, least)| *least);
        compared.errors += 1;
        compared.absent += usize::from(least.is_none());
        Comparison { name, machine: &machine, view: &view, error, least, compared }.run();
    }
}

/// The searches for one error.
struct Comparison<'a> {
    name: &'a str,
    machine: &'a Machine<'a>,
    view: &'a FactoredView,
    error: SoughtError,
    least: Option<LeastLengths>,
    compared: &'a mut SearchesCompared,
}

impl Comparison<'_> {
    fn run(&mut self) {
        for algorithm in ["bfs", "backward", "bidirectional"] {
            let outcome = self.by_layers(algorithm);
            self.judge(algorithm, self.least.map(|least| least.transitions), outcome);
        }
        for (algorithm, ranking, estimate) in [
            ("dijkstra", SymbolicRanking::DIJKSTRA, EstimateKind::Zero),
            ("bdd-a* pattern", SymbolicRanking::BDD_A_STAR, EstimateKind::Pattern),
            ("gh pattern", SymbolicRanking::GH, EstimateKind::Pattern),
            ("bdd-a* dpa", SymbolicRanking::BDD_A_STAR, EstimateKind::Abstraction),
        ] {
            let outcome = self.best_first(ranking, estimate);
            self.judge(algorithm, self.least.map(|least| least.moves), outcome);
        }
    }

    fn goal(&self) -> SymbolicGoal<'static> {
        match self.error {
            SoughtError::Deadlock => SymbolicGoal::invalid_ends(),
            SoughtError::Fault(kind) => {
                SymbolicGoal::faults(&self.view.system, Faults::of(&[kind]))
            }
        }
    }

    fn limits() -> DiagramLimits {
        DiagramLimits::new(BYTES, Deadline::after(TIME))
    }

    fn by_layers(&self, algorithm: &str) -> Result<SymbolicOutcome, SymbolicError> {
        let FactoredView { system, ranges, .. } = self.view;
        let mut symbolic = SymbolicSystem::new(system, ranges, Self::limits());
        if algorithm == "bfs" {
            return symbolic.breadth_first(&mut self.goal());
        }
        let within = symbolic.reachable(SymbolicStrategy::Auto)?.states;
        let mut goal = symbolic.forest().empty();
        for (_, states) in self.goal().find(&mut symbolic, &within.free)? {
            goal = symbolic.forest().union(&goal, &states)?;
        }
        let mut outcome = match algorithm {
            "backward" => symbolic.backward(&goal, &within)?,
            _ => symbolic.bidirectional(&goal, &within)?,
        };
        if let (Some(path), SoughtError::Fault(_)) = (&mut outcome.path, self.error) {
            path.cost += 1;
        }
        Ok(outcome)
    }

    fn best_first(
        &mut self,
        ranking: SymbolicRanking,
        kind: EstimateKind,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let FactoredView { system, ranges, .. } = self.view;
        let costs = StepCosts::operators(system, |operator| operator.cost);
        let mut symbolic = SymbolicSystem::with_costs(system, ranges, Self::limits(), costs);
        if kind == EstimateKind::Zero {
            return symbolic.best_first(&mut self.goal(), &mut ZeroEstimate, ranking);
        }
        let within = symbolic.reachable(SymbolicStrategy::Auto)?.states;
        let states = self.goal().find(&mut symbolic, &within.free)?;
        let built: Mutex<Option<CascadingTables>> = Mutex::new(None);
        let abstraction: &BuildAbstraction<'_> = &|order, values| {
            let mut values = |factors: &[FactorId]| values(factors);
            let errors = ErrorSets { order, values: &mut values };
            let tables = cascading_tables(self.view, errors, MergeBudget::QUICK);
            *built.lock().expect("no thread has panicked") = Some(tables.clone());
            tables
        };
        let errors = EstimatedErrors { states: &states, condition: &FactorExpr::TRUE, abstraction };
        let mut estimate = symbolic.estimate(kind, errors, &Self::limits)?;
        if let Some(tables) = built.into_inner().expect("no thread has panicked") {
            self.compare_tables(&mut symbolic, &mut *estimate, &tables, &within.free)?;
        }
        symbolic.best_first(&mut self.goal(), &mut *estimate, ranking)
    }

    /// Compares an abstraction as sets with its tables, state by state.
    fn compare_tables(
        &mut self,
        symbolic: &mut SymbolicSystem<'_>,
        estimate: &mut dyn SymbolicEstimate,
        tables: &CascadingTables,
        all: &Set,
    ) -> Result<(), SymbolicError> {
        let mut told: HashMap<Vec<i32>, u64> = HashMap::new();
        for (distance, states) in estimate.split(symbolic, all)? {
            told.extend(symbolic.states(&states).take(COMPARED).map(|state| (state, distance)));
        }
        let differs = |(state, distance): (&Vec<i32>, &u64)| {
            tables.distance(state).map(u64::from) != Some(*distance)
        };
        let mut others =
            symbolic.states(all).take(COMPARED).filter(|state| !told.contains_key(state));
        let is_missing = symbolic.count(all).to_u64().is_some_and(|count| count < COMPARED as u64)
            && others.any(|state| tables.distance(&state).is_some());
        if told.iter().any(differs) || is_missing {
            let why = "the abstraction as sets differs from its tables";
            self.compared.complaints.insert(format!("{}, {:?}: {why}", self.name, self.error));
        }
        self.compared.informed += told.values().filter(|&&distance| distance > 0).count();
        Ok(())
    }

    fn judge(
        &mut self,
        algorithm: &str,
        least: Option<u64>,
        outcome: Result<SymbolicOutcome, SymbolicError>,
    ) {
        let Ok(SymbolicOutcome { path, statistics }) = outcome else {
            self.compared.stopped += 1;
            return;
        };
        self.compared.searches += 1;
        let (name, error) = (self.name, self.error);
        let found = path.as_ref().map(|path| path.cost);
        let _ = writeln!(
            self.compared.table,
            "{name:40} {error:?} {algorithm:15} {found:?} {} {} {}",
            statistics.iterations, statistics.expanded, statistics.largest_frontier
        );
        let mut complain = |text: String| {
            self.compared.complaints.insert(format!("{name}, {error:?}, {algorithm}: {text}"));
        };
        if found != least {
            complain(format!("length {found:?}, not {least:?}"));
        }
        if let Some(path) = &path
            && !follows(self.machine, self.view, &path.states, error)
        {
            complain("the interpreter cannot follow the path".to_owned());
        }
    }
}

/// Whether the interpreter can follow a path to its error.
fn follows(
    machine: &Machine<'_>,
    view: &FactoredView,
    states: &[Vec<i32>],
    error: SoughtError,
) -> bool {
    let mut state = Vec::new();
    if Space::initial(machine, &mut state).is_err() || view.read(&state).as_ref() != states.first()
    {
        return false;
    }
    let mut expansion = Expansion::default();
    for next in &states[1..] {
        machine.expand(&state, &mut expansion);
        let found = expansion.states().find(|after| view.read(after).as_ref() == Some(next));
        let Some(found) = found.map(<[u8]>::to_vec) else { return false };
        state = found;
    }
    machine.expand(&state, &mut expansion);
    match error {
        SoughtError::Deadlock => expansion.deadlock,
        SoughtError::Fault(kind) => expansion.faults.iter().any(|one| one.fault.kind == kind),
    }
}

/// The errors of a machine with the least lengths of their paths. `None` if there are more states.
fn least_lengths(machine: &Machine<'_>, most: usize) -> Option<Vec<(SoughtError, LeastLengths)>> {
    let by_moves = least_costs(machine, most, u64::from)?;
    let by_transitions = least_costs(machine, most, |_| 1)?;
    let both = by_moves.into_iter().map(|(error, moves)| {
        let same = by_transitions.iter().find(|(one, _)| *one == error);
        let transitions = same.expect("both searches visit all states").1;
        (error, LeastLengths { transitions, moves })
    });
    Some(both.collect())
}

/// The least cost of each error, by Dijkstra's algorithm.
fn least_costs(
    machine: &Machine<'_>,
    most: usize,
    cost_of: impl Fn(u32) -> u64,
) -> Option<Vec<(SoughtError, u64)>> {
    let mut start = Vec::new();
    Space::initial(machine, &mut start).ok()?;
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut open = BTreeMap::from([(0, vec![start])]);
    let mut found: Vec<(SoughtError, u64)> = Vec::new();
    let mut add =
        |error: SoughtError, cost: u64| match found.iter_mut().find(|(one, _)| *one == error) {
            Some((_, least)) => *least = cost.min(*least),
            None => found.push((error, cost)),
        };
    let mut expansion = Expansion::default();
    while let Some((cost, states)) = open.pop_first() {
        for state in states {
            if known[&state] < cost {
                continue;
            }
            machine.expand(&state, &mut expansion);
            if expansion.deadlock {
                add(SoughtError::Deadlock, cost);
            }
            for one in &expansion.faults {
                if one.fault.kind != FaultKind::Exclusive {
                    add(SoughtError::Fault(one.fault.kind), cost + cost_of(one.steps));
                }
            }
            for (at, next) in expansion.states().enumerate() {
                let cost = cost + cost_of(expansion.steps(at));
                if known.get(next).is_none_or(|old| cost < *old) {
                    known.insert(next.to_vec(), cost);
                    open.entry(cost).or_insert_with(Vec::new).push(next.to_vec());
                }
            }
            if known.len() > most {
                return None;
            }
        }
    }
    Some(found)
}
