//! The claims of every heuristic: in every state of hundreds of small models its estimate is
//! compared with the true distance, found by backward search from the errors.
//!
//! And the estimates of all successors at once equal the single ones.

use std::collections::{BinaryHeap, HashMap};
use std::fmt::Write as _;

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{
    Files, GoalKind, HEURISTICS, HeuristicGoal, Resources, build, build_with,
};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Estimate, Expansion, FaultKind, Heuristic, Space};
use beeline_promela::hir::{Expr, ExprKind, Model, ProcessId, Root};

use crate::rng::Rng;

/// Larger state spaces are left alone;
pub const MOST: usize = 1_500;
/// those of the corpus, which has large states, sooner.
pub const MOST_OF_CORPUS: usize = 300;

/// The limit for heuristics that consider the whole system.
const MOST_RELAXED: usize = 100;
const RELAXED: [&str; 8] = ["hpl", "hmax", "hadd", "hff", "lmcut", "lmcount", "dpa", "pdb"];

/// The distance if no error is reachable.
const NEVER: u64 = u64::MAX;

/// A whole state space.
struct Graph {
    states: Vec<Vec<u8>>,
    /// Source, target, and number of steps.
    ways: Vec<(usize, usize, u64)>,
    deadlocks: Vec<usize>,
    /// Source, fault, and number of steps.
    faults: Vec<(usize, FaultKind, u64)>,
}

impl Graph {
    /// `None` when it is too large, or has no initial state.
    fn explore(space: &dyn Space, most: usize) -> Option<Graph> {
        let mut first = Vec::new();
        space.initial(&mut first).ok()?;
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut graph = Graph {
            states: vec![first],
            ways: Vec::new(),
            deadlocks: Vec::new(),
            faults: Vec::new(),
        };
        let mut expansion = Expansion::default();
        let mut at = 0;
        while at < graph.states.len() {
            space.expand(&graph.states[at], &mut expansion);
            if expansion.deadlock {
                graph.deadlocks.push(at);
            }
            let faults = expansion.faults.iter();
            graph.faults.extend(faults.map(|way| (at, way.fault.kind, u64::from(way.steps))));
            for way in 0..expansion.len() {
                let next = expansion.state(way);
                let to = *numbers.entry(next.to_vec()).or_insert_with(|| {
                    graph.states.push(next.to_vec());
                    graph.states.len() - 1
                });
                graph.ways.push((at, to, u64::from(expansion.steps(way))));
            }
            if graph.states.len() > most {
                return None;
            }
            at += 1;
        }
        Some(graph)
    }

    /// The true distance of every state, given the distances of states with errors.
    fn distances(&self, seen: &[(usize, u64)]) -> Vec<u64> {
        let mut before = vec![Vec::new(); self.states.len()];
        for &(from, to, steps) in &self.ways {
            before[to].push((from, steps));
        }
        let mut distances = vec![NEVER; self.states.len()];
        let mut waiting = BinaryHeap::new();
        let improve = |distances: &mut Vec<u64>, waiting: &mut BinaryHeap<_>, at, distance| {
            if distance < distances[at] {
                distances[at] = distance;
                waiting.push((std::cmp::Reverse(distance), at));
            }
        };
        for &(at, distance) in seen {
            improve(&mut distances, &mut waiting, at, distance);
        }
        while let Some((std::cmp::Reverse(distance), at)) = waiting.pop() {
            if distance > distances[at] {
                continue;
            }
            for &(from, steps) in &before[at] {
                improve(&mut distances, &mut waiting, from, distance + steps);
            }
        }
        distances
    }
}

/// What was compared, so that a test that compares nothing is noticed.
#[derive(Debug, Default)]
pub struct Compared {
    /// Models that are small enough.
    pub models: usize,
    /// By kind of goal: how often an error is reachable.
    pub reachable: [usize; 5],
    /// Estimates of states.
    pub estimates: usize,
    /// Those that are dead ends.
    pub dead_ends: usize,
    /// Files of tables.
    pub files: usize,
    complaints: String,
}

fn value(estimate: Estimate) -> u64 {
    estimate.finite().map_or(NEVER, |Cost(cost)| u64::from(cost))
}

/// A model with all its states.
struct Subject<'a> {
    name: &'a str,
    machine: &'a Machine<'a>,
    /// The machine itself, or its product with the claim.
    space: &'a dyn Space,
    graph: &'a Graph,
}

/// Checks one heuristic on a state space.
fn check(
    name: &str,
    heuristic: &mut dyn Heuristic,
    subject: &Subject<'_>,
    seen: &[(usize, u64)],
    compared: &mut Compared,
) {
    let &Subject { space, graph, .. } = subject;
    let complaints = compared.complaints.len();
    let distances = graph.distances(seen);
    let claims = heuristic.claims();
    let estimates: Vec<Estimate> =
        graph.states.iter().map(|state| heuristic.estimate(state)).collect();
    compared.estimates += estimates.len();
    let mut complain = |what: &str, state: usize, estimate: Estimate, truth: u64| {
        if compared.complaints.len() < complaints + 1 {
            let _ = writeln!(
                compared.complaints,
                "{name}: not {what}: {estimate:?} in state {state}, the truth is {truth}"
            );
        }
    };
    for (at, &estimate) in estimates.iter().enumerate() {
        compared.dead_ends += usize::from(estimate == Estimate::DeadEnd);
        if claims.admissible && value(estimate) > distances[at] {
            complain("admissible", at, estimate, distances[at]);
        }
        if claims.safe && estimate == Estimate::DeadEnd && distances[at] != NEVER {
            complain("safe", at, estimate, distances[at]);
        }
    }
    if claims.consistent {
        for &(from, to, steps) in &graph.ways {
            if value(estimates[from]) > value(estimates[to]).saturating_add(steps) {
                let truth = value(estimates[to]).saturating_add(steps);
                complain("consistent", from, estimates[from], truth);
            }
        }
        for &(at, distance) in seen {
            if value(estimates[at]) > distance {
                complain("consistent at the error", at, estimates[at], distance);
            }
        }
    }
    let (mut expansion, mut all) = (Expansion::default(), Vec::new());
    let mut way = graph.ways.iter();
    for (at, state) in graph.states.iter().enumerate() {
        space.expand(state, &mut expansion);
        heuristic.estimate_all(state, &expansion, &mut all);
        let each: Vec<Estimate> =
            way.by_ref().take(expansion.len()).map(|&(_, to, _)| estimates[to]).collect();
        if all != each {
            let _ = writeln!(
                compared.complaints,
                "{name}: successors of state {at}: {all:?} together, {each:?} alone"
            );
            return;
        }
    }
    let last = graph.states.len() - 1;
    assert_eq!(heuristic.fork().estimate(&graph.states[last]), estimates[last], "{name}: fork");
}

/// All heuristics for a goal, some with arguments.
fn specs(goal: GoalKind) -> Vec<String> {
    let rows = HEURISTICS.iter().filter(|row| row.build.goals.contains(&goal));
    let apart = ["max", "sum", "weighted", "fsm", "pdb", "dpa"];
    let named = rows.filter(|row| !apart.contains(&row.name));
    let mut all: Vec<String> = named.map(|row| row.name.to_owned()).collect();
    all.extend(["pdb(states=20)", "pdb(auto, states=1000)"].map(str::to_owned));
    all.push("weighted(active, 1.5)".to_owned());
    all.push("sum(active, h1)".to_owned());
    all.push("dpa(n=20)".to_owned());
    all.push("dpa(n=20, labels=combined, shrink=bisimulation)".to_owned());
    all.push("dpa(n=20, bytes=100000)".to_owned());
    all.extend(
        match goal {
            GoalKind::Deadlock => {
                vec!["max(h3, h0)", "h3(half)", "weighted(h3, 0.5)", "h8(group=3)", "h6(4)"]
            }
            GoalKind::Assertions => vec!["assertion-distance(assertions)"],
            GoalKind::State => {
                vec![
                    "hamming(values)",
                    "hm(max)",
                    "hm(half)",
                    "max(hm(max), weighted(hm(max), 0.7))",
                ]
            }
            GoalKind::Invariant | GoalKind::Claim => vec![],
        }
        .into_iter()
        .map(str::to_owned),
    );
    all
}

fn check_goal(
    subject: &Subject<'_>,
    goal: &HeuristicGoal,
    seen: &[(usize, u64)],
    compared: &mut Compared,
) {
    let &Subject { name, machine, graph, .. } = subject;
    compared.reachable[goal.kind() as usize] += usize::from(!seen.is_empty());
    for text in specs(goal.kind()) {
        // Heuristics that consider the whole system are slow.
        if graph.states.len() > MOST_RELAXED && RELAXED.iter().any(|one| text.starts_with(one)) {
            continue;
        }
        let spec = Spec::parse(&text).expect("our specs are well formed");
        let mut heuristic = build(&spec, machine, goal).unwrap_or_else(|error| panic!("{error}"));
        let name = format!("{name}, {}, {text}", goal.kind().name());
        check(&name, &mut *heuristic, subject, seen, compared);
    }
    if graph.states.len() <= MOST_RELAXED {
        check_files(subject, goal, seen, compared);
    }
}

/// A pattern file in memory.
#[derive(Debug)]
struct Text(String);

impl Files for Text {
    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn write(&self, _: &str, _: &[u8]) -> std::io::Result<()> {
        Err(std::io::Error::other("nothing is written here"))
    }
}

/// Checks tables of pattern files with random contents.
fn check_files(
    subject: &Subject<'_>,
    goal: &HeuristicGoal,
    seen: &[(usize, u64)],
    compared: &mut Compared,
) {
    let &Subject { name, machine, graph, .. } = subject;
    let sought = match goal {
        HeuristicGoal::Deadlock => FactoredGoal::Deadlock,
        HeuristicGoal::Assertions => FactoredGoal::Faults,
        HeuristicGoal::Invariant(invariant) => FactoredGoal::Violation(invariant.clone()),
        HeuristicGoal::Claim => FactoredGoal::Claim,
        HeuristicGoal::State(state) => FactoredGoal::State(state.clone()),
    };
    let view = relaxed_view(machine, &sought).expect("others looked at it");
    let factors = view.system.factors.iter().filter(|factor| !factor.is_summary);
    let names: Vec<&str> = factors.map(|factor| factor.name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let mut rng = Rng::new(graph.states.len() as u64 + 31 * names.len() as u64);
    let mut below = |bound: usize| rng.below(bound as u32) as usize;
    let mut text = ["combine max\n", "combine sum\n"][below(2)].to_owned();
    for table in 0..2 {
        let _ = writeln!(text, "table t{table}");
        for name in &names {
            let _ = match below(8) {
                0 | 1 => writeln!(text, "keep \"{name}\""),
                2 => writeln!(text, "classes \"{name}\" = modulo {}", 2 + below(2)),
                3 => writeln!(text, "classes \"{name}\" = ..0, {{1, 3}}, {}..", 4 + below(5)),
                _ => Ok(()),
            };
        }
        let (one, two) = (names[below(names.len())], names[below(names.len())]);
        let sign = ["<", "<=", "==", "!="][below(4)];
        let _ = writeln!(text, "predicate \"{one}\" {sign} \"{two}\" + {}", below(3));
        let _ = writeln!(text, "predicate !(\"{two}\" > {} && \"{one}\" == 1)", below(4));
    }
    let spec = Spec::parse("pdb(file=f, states=2000)").expect("it is well formed");
    let files = Text(text.clone());
    match build_with(&spec, machine, goal, Resources { files: &files, ..Resources::default() }) {
        Ok(mut heuristic) => {
            compared.files += 1;
            let name = format!("{name}, {}\n{text}", goal.kind().name());
            check(&name, &mut *heuristic, subject, seen, compared);
        }
        Err(error) => assert!(error.to_string().contains("too many"), "{error}\n{text}"),
    }
}

/// Checks all heuristics for all goals on a model.
pub fn check_model(name: &str, model: &Model, options: AutomataOptions, compared: &mut Compared) {
    let machine = Machine::new(model, options);
    check_machine(name, &machine, MOST, compared);
}

/// The same for a machine with settings of its own, unless it has more than `most` states.
pub fn check_machine(name: &str, machine: &Machine<'_>, most: usize, compared: &mut Compared) {
    let model = machine.model();
    let Some(graph) = Graph::explore(machine, most) else { return };
    compared.models += 1;
    let subject = Subject { name, machine, space: machine, graph: &graph };
    let mut goal = |goal: &HeuristicGoal, seen: &[(usize, u64)]| {
        check_goal(&subject, goal, seen, compared);
    };
    let deadlocks: Vec<(usize, u64)> = graph.deadlocks.iter().map(|&at| (at, 0)).collect();
    goal(&HeuristicGoal::Deadlock, &deadlocks);
    let faults: Vec<(usize, u64)> =
        graph.faults.iter().map(|&(from, _, steps)| (from, steps)).collect();
    goal(&HeuristicGoal::Assertions, &faults);
    for invariant in global_guards(model) {
        let holds = |state| {
            let now = machine.decode(state);
            machine.value(&invariant, &now, 0).is_some_and(|value| value != 0)
        };
        let broken = (0..graph.states.len()).filter(|&at| !holds(&graph.states[at]));
        let broken: Vec<(usize, u64)> = broken.map(|at| (at, 0)).collect();
        goal(&HeuristicGoal::Invariant(invariant), &broken);
    }
    let middle = graph.states.len() / 2;
    for at in [middle, graph.states.len() - 1] {
        goal(&HeuristicGoal::State(graph.states[at].clone()), &[(at, 0)]);
    }
    let claims = (0..model.processes.len()).filter_map(|number| machine.never(number));
    for claim in claims.filter(|claim| machine.claim_obstacle(*claim).is_none()) {
        check_claim(name, machine, claim, compared);
    }
}

/// Checks all heuristics for a claim that watches a machine.
///
/// # Panics
///
/// When the claim cannot watch the machine.
pub fn check_claim(name: &str, machine: &Machine<'_>, claim: ProcessId, compared: &mut Compared) {
    let machine = &machine.clone().watched_by(machine.never_claim(claim));
    let product = Product::new(machine, machine).expect("the claim watches");
    let Some(graph) = Graph::explore(&product, MOST) else { return };
    let violated = graph.faults.iter().filter(|(_, kind, _)| *kind == FaultKind::Claim);
    let violated: Vec<(usize, u64)> = violated.map(|&(at, _, steps)| (at, steps)).collect();
    let subject = Subject { name, machine, space: &product, graph: &graph };
    check_goal(&subject, &HeuristicGoal::Claim, &violated, compared);
}

/// Some guards of a model over globals only, as invariants.
fn global_guards(model: &Model) -> Vec<Expr> {
    let mut guards = Vec::new();
    for process in &model.processes {
        for stmt in &process.body {
            stmt.visit_exprs(&mut |guard| guards.push(guard.clone()));
        }
    }
    let is_global = |expr: &Expr| {
        let global = |part: &Expr| match &part.kind {
            ExprKind::Read(access) | ExprKind::Channel(_, access) => {
                matches!(access.root, Root::Global(_))
            }
            ExprKind::Const(_) | ExprKind::Mtype { .. } | ExprKind::RemoteLabel { .. } => true,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..) => true,
            _ => false,
        };
        matches!(expr.kind, ExprKind::Binary(..) | ExprKind::Channel(..) | ExprKind::Unary(..))
            && !expr.any(|part| !global(part))
    };
    guards.retain(is_global);
    guards.truncate(2);
    guards
}

/// Prints what was compared.
///
/// # Panics
///
/// When a heuristic does not keep its claims.
pub fn conclude(compared: &Compared) {
    let Compared { models, reachable, estimates, dead_ends, files, complaints } = compared;
    println!(
        "{models} models, {estimates} estimates, {dead_ends} dead ends, {files} files, {reachable:?}"
    );
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// Compares what is told about all successors with what is told about each, in the first
/// states of a model that may be large.
///
/// # Panics
///
/// When they differ.
pub fn check_start(name: &str, model: &Model, most: usize) {
    let machine = Machine::new(model, AutomataOptions::OPTIMISED);
    let mut first = Vec::new();
    if Space::initial(&machine, &mut first).is_err() {
        return;
    }
    let mut states = vec![first];
    let (mut expansion, mut all) = (Expansion::default(), Vec::new());
    let mut heuristics = Vec::new();
    for goal in [
        HeuristicGoal::Deadlock,
        HeuristicGoal::Assertions,
        HeuristicGoal::State(states[0].clone()),
    ] {
        // Heuristics that consider the whole system have no faster method for all successors.
        let is_fast = |text: &&String| !RELAXED.iter().any(|one| text.starts_with(one));
        for text in specs(goal.kind()).iter().filter(is_fast) {
            let spec = Spec::parse(text).expect("our specs are well formed");
            heuristics.push(build(&spec, &machine, &goal).expect("it is for this goal"));
        }
    }
    let mut at = 0;
    while at < states.len().min(most) {
        machine.expand(&states[at], &mut expansion);
        for heuristic in &mut heuristics {
            heuristic.estimate_all(&states[at], &expansion, &mut all);
            let each: Vec<Estimate> =
                expansion.states().map(|state| heuristic.estimate(state)).collect();
            assert_eq!(all, each, "{name}, {}: state {at}", heuristic.name());
        }
        states.extend(expansion.states().map(<[u8]>::to_vec));
        states.truncate(most);
        at += 1;
    }
}
