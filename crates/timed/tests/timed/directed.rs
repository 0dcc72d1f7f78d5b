//! The discrete part as a factored system against the symbolic states: each step is one of an
//! operator, each state that a query asks for is a goal. Heuristics keep their claims, and directed
//! searches with inclusion find shortest runs.

use std::collections::HashMap;

use beeline_factored::{FactoredView, Interval, Operator, RangeScratch, Ranges, holds, successors};
use beeline_heuristics::{VIEW_HEURISTICS, build_for_view};
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, Estimate, Expansion, Resources, Space, SplitMix64, StepLabel,
};
use beeline_model::{Aim, Model, System, SystemOptions};
use beeline_search::{
    BestFirst, BestFirstConfig, CoveringStore, ExactStore, Outcome, Search, SearchQuery,
    SearchTarget, StateStore,
};
use beeline_timed::discrete::DiscreteView;
use beeline_timed::model::TimedModel;
use beeline_timed::resolve::queries::QueryCode;
use beeline_timed::semantics::goal::QueryGoal;
use beeline_timed::semantics::symbolic::SymbolicEngine;

use crate::exploring::model;
use crate::fixtures::fixtures;
use crate::random::{network, seeds};

/// Larger state spaces are left out.
const MOST: usize = 1_500;

/// A random network with arrays of variables and channels, functions, selected values and
/// broadcasts.
fn data_network(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut below = |bound: usize| rng.below(bound);
    let mut text = String::from(
        "clock x;\nint[0,2] v, w;\nint[0,2] a[3];\nconst int k[3] = { 1, 0, 2 };\n\
         struct { int[0,2] f; bool g; } s[2];\nchan c[3];\nbroadcast chan b[2];\nint many;\n\
         void turn(int[0,2] i) { if (a[i] > 0) a[i]--; else a[(i + 1) % 3] = 2; }\n\
         int[0,2] most() { int[0,2] m = 0; for (i : int[0,2]) if (a[i] > m) m = a[i]; return m; }\n\
         void swap(int[0,2] &p, int[0,2] &q) { int[0,2] t = p; p = q; q = t; }\n",
    );
    let processes = 2 + below(2);
    for process in 0..processes {
        text += &format!("process P{process}() {{\nint[0,2] own;\nstate ");
        let locations = 2 + below(2);
        for location in 0..locations {
            let invariant = if below(4) == 0 { " { x <= 3 }" } else { "" };
            let end = if location + 1 == locations { ";\n" } else { ", " };
            text += &format!("L{location}{invariant}{end}");
        }
        if below(4) == 0 {
            text += "commit L1;\n";
        }
        text += "init L0;\ntrans\n";
        let edges = 4 + below(4);
        for edge in 0..edges {
            let (from, to) = (below(locations), below(locations));
            let select = if below(3) == 0 { "select i : int[0,1];" } else { "" };
            let index = match below(3) {
                0 if !select.is_empty() => "i",
                0 => "own",
                1 => "v",
                _ => "1",
            };
            let guard = [
                "",
                "guard x >= 1;",
                "guard a[w] > 0;",
                "guard v != w && x < 3;",
                "guard exists (j : int[0,2]) a[j] == 2;",
                "guard most() > 0;",
                "guard k[v] == 1 || x > 2;",
                "guard v == 1 ? a[0] == 0 : a[1] < 2;",
            ][below(8)];
            let sync = match below(8) {
                0 => format!("sync c[{index}]!;"),
                1 => format!("sync c[{index}]?;"),
                2 => format!("sync b[{index} % 2]!;"),
                3 => format!("sync b[{index} % 2]?;"),
                _ => String::new(),
            };
            let assign = match below(11) {
                0 => format!("assign v = (v + 1) % 3, a[{index}] = v;"),
                1 => "assign turn(w);".to_owned(),
                2 => "assign w = most(), x = 0;".to_owned(),
                3 => format!("assign own = k[{index}], v = own;"),
                4 => "assign s[v % 2].f = w, s[0].g = !s[0].g;".to_owned(),
                5 => "assign s[1] = s[0], x = 0;".to_owned(),
                6 => "assign swap(a[0], v);".to_owned(),
                7 => "assign w = v++, own = a[v];".to_owned(),
                8 => "assign many += 3, v = many % 3;".to_owned(),
                9 => format!("assign a[{index}] = (a[{index}] + s[0].f) % 3, w = v > 1 ? 0 : w;"),
                _ => String::new(),
            };
            let end = if edge + 1 == edges { ";\n" } else { ",\n" };
            text += &format!("L{from} -> L{to} {{ {select} {guard} {sync} {assign} }}{end}");
        }
        text += "}\n";
    }
    let names: Vec<String> = (0..processes).map(|process| format!("P{process}")).collect();
    text + &format!("system {};\n", names.join(", "))
}

/// The states of a model, with its steps.
struct Graph {
    states: Vec<Vec<u8>>,
    steps: Vec<(usize, StepLabel, usize)>,
    /// By state: the goals that it meets.
    met: Vec<Vec<u32>>,
    /// The states with failing steps.
    failing: Vec<usize>,
}

impl Graph {
    /// `None` if there are too many states, or none.
    fn new(space: &dyn Space) -> Option<Graph> {
        let mut first = Vec::new();
        space.initial(&mut first).ok()?;
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let (mut states, mut steps) = (vec![first], Vec::new());
        let (mut met, mut failing) = (Vec::new(), Vec::new());
        let mut expansion = Expansion::default();
        while met.len() < states.len() {
            let at = met.len();
            space.expand(&states[at], &mut expansion);
            met.push(expansion.violated_invariants.clone());
            if expansion.faults.iter().any(|fault| fault.steps > 0) {
                failing.push(at);
            }
            for (next, way) in expansion.states().zip(expansion.successors.transitions()) {
                let to = *numbers.entry(next.to_vec()).or_insert_with(|| {
                    states.push(next.to_vec());
                    states.len() - 1
                });
                steps.push((at, way.label, to));
            }
            if states.len() > MOST {
                return None;
            }
        }
        Some(Graph { states, steps, met, failing })
    }

    /// By state: the number of steps to a state that is wanted.
    fn distances(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let mut distances: Vec<Option<u32>> =
            (0..self.states.len()).map(|at| is_wanted(at).then_some(0)).collect();
        loop {
            let mut is_changed = false;
            for &(from, _, to) in &self.steps {
                let by = distances[to].map(|distance| distance + 1);
                if let Some(by) = by
                    && distances[from].is_none_or(|known| by < known)
                {
                    distances[from] = Some(by);
                    is_changed = true;
                }
            }
            if !is_changed {
                return distances;
            }
        }
    }
}

/// The goals of the queries of a model, in the order of the engine's invariants.
fn goals(model: &TimedModel) -> Vec<QueryGoal> {
    let goals = model.queries().iter().filter_map(|query| match &query.code {
        QueryCode::Possibly(code) => Some(QueryGoal { code: code.clone(), holds: true }),
        QueryCode::Invariantly(code) => Some(QueryGoal { code: code.clone(), holds: false }),
        _ => None,
    });
    goals.collect()
}

/// Runs something with the system of a model, and with the target of each goal.
fn with_goals(model: &TimedModel, run: &mut dyn FnMut(&dyn System, &[SearchTarget])) {
    let properties = model.properties();
    model.with_system(&properties, SystemOptions::default(), &mut |system| {
        let targets: Vec<SearchTarget> =
            properties.iter().filter_map(|property| system.target(property)).collect();
        run(system, &targets);
    });
}

/// Whether an operator may lead from these values to those.
fn leads(step: &Operator, view: &FactoredView, from: &[i32], to: &[i32]) -> bool {
    let mut is_found = false;
    if successors(step, from, &mut |after| is_found |= after == to).is_ok() {
        return is_found;
    }
    // Too many outcomes to enumerate: each value must be possible.
    let single = from.iter().map(|&value| Interval::one(value)).collect();
    let mut scratch = RangeScratch::default();
    let ranges = Ranges::given(&view.system, single);
    let Some(set) = ranges.outcome(&step.actions, &mut scratch) else { return false };
    let mut after: Vec<Interval> = from.iter().map(|&value| Interval::one(value)).collect();
    for &(factor, values) in set {
        after[factor.index()] = values;
    }
    after.iter().zip(to).all(|(values, &value)| values.contains(value))
}

/// Compares a model with its factored view. Returns the numbers of steps and goals compared.
pub(crate) fn compare(model: &TimedModel, name: &str) -> (usize, usize) {
    let mut compared = (0, 0);
    with_goals(model, &mut |system, _| {
        let Some(graph) = Graph::new(system.space()) else { return };
        let goals = goals(model);
        let engine = SymbolicEngine::new(model.network(), goals.clone());
        let view = DiscreteView::new(model.network(), &engine.layout).expect("it is small");
        let faults = view.for_faults();
        let values: Vec<Vec<i32>> =
            graph.states.iter().map(|state| faults.read(state).expect("it is read")).collect();
        assert_eq!(values[0], faults.system.initial, "{name}");
        for of_state in &values {
            for (factor, &value) in faults.system.factors.iter().zip(of_state) {
                assert!(factor.domain.contains(value), "{name}: {} = {value}", factor.name);
            }
        }
        for &(from, label, to) in &graph.steps {
            let mut fitting = faults.system.steps.iter().filter(|step| step.label == label);
            let is_there = fitting.any(|step| leads(step, &faults, &values[from], &values[to]));
            let (from, to) = (&values[from], &values[to]);
            assert!(is_there, "{name}: no operator {label:?} leads from {from:?} to {to:?}");
            compared.0 += 1;
        }
        let failed: Vec<&Operator> =
            faults.system.steps.iter().filter(|step| step.fails.is_some()).collect();
        for &at in &graph.failing {
            let single = values[at].iter().map(|&value| Interval::one(value)).collect();
            let ranges = Ranges::given(&faults.system, single);
            let mut scratch = RangeScratch::default();
            let mut failed = failed.iter();
            let may_fail = failed.any(|step| ranges.allow(&step.actions, &mut scratch));
            assert!(may_fail, "{name}: no operator fails in {:?}", values[at]);
        }
        for (number, goal) in goals.iter().enumerate() {
            let view = view.for_goal(goal);
            for (at, met) in graph.met.iter().enumerate() {
                if met.contains(&(number as u32)) {
                    let mut all = view.system.goals.iter();
                    let is_goal = all.any(|goal| holds(goal, &values[at]) != Ok(false));
                    assert!(is_goal, "{name}: {number} is no goal in {:?}", values[at]);
                    compared.1 += 1;
                }
            }
        }
    });
    compared
}

const QUERIES: [&str; 6] = [
    "E<> P0.L1 and v == 2",
    "E<> P0.L1 and x > 2",
    "A[] v < 2 or P1.L0",
    "E<> a[v] == 2 and (w == 1 or P1.L1)",
    "E<> s[0].f == 2 or s[1].g and not P0.L0",
    "A[] forall (i : int[0,2]) forall (j : int[0,2]) i == j or a[i] + a[j] < 3",
];

#[test]
fn each_step_is_one_of_an_operator_and_each_goal_a_goal() {
    let (mut steps, mut met) = (0, 0);
    let mut add = |(some, others): (usize, usize)| {
        steps += some;
        met += others;
    };
    for (name, text, queries) in fixtures() {
        let queries: Vec<&str> = queries.iter().map(|query| &**query).collect();
        add(compare(&model(&text, &queries), &name));
    }
    for seed in 0..seeds(100) {
        let text = network(seed, false);
        let queries = ["E<> P0.L1", "E<> v == 2 and x < 1", "A[] v < 2 or P0.L0"];
        add(compare(&model(&text, &queries), &format!("{seed}\n{text}")));
    }
    for seed in 0..seeds(150) {
        let text = data_network(seed);
        add(compare(&model(&text, &QUERIES), &format!("{seed}\n{text}")));
    }
    assert!(steps > 400 && met > 180, "{steps} steps, {met} goals");
}

fn build(view: &FactoredView, spec: &str) -> BoxedHeuristic<'static> {
    let spec = Spec::parse(spec).expect("it is a spec");
    build_for_view(&spec, view, Resources::default()).expect("it is known")
}

/// All heuristics, with the arguments that matter here.
fn specs() -> Vec<String> {
    let named = VIEW_HEURISTICS.iter().map(|row| row.name.to_owned());
    let named = named.filter(|name| !["max", "sum"].contains(&&**name));
    let others = ["fsm(combine=sum)", "dpa(n=4)", "hpl(values=intervals)", "max(fsm, hpl)"];
    named.chain(others.map(str::to_owned)).collect()
}

#[test]
fn heuristics_keep_their_claims() {
    let (mut estimates, mut dead_ends, mut informed) = (0, 0, 0);
    let mut check = |text: &str, queries: &[&str], name: &str| {
        let model = model(text, queries);
        with_goals(&model, &mut |system, _| {
            let Some(graph) = Graph::new(system.space()) else { return };
            let engine = SymbolicEngine::new(model.network(), Vec::new());
            let view = DiscreteView::new(model.network(), &engine.layout).expect("it is small");
            for (number, goal) in goals(&model).iter().enumerate() {
                let distances = graph.distances(|at| graph.met[at].contains(&(number as u32)));
                let view = view.for_goal(goal);
                for spec in specs() {
                    let mut heuristic = build(&view, &spec);
                    let claims = heuristic.claims();
                    let found: Vec<Estimate> =
                        graph.states.iter().map(|state| heuristic.estimate(state)).collect();
                    for (estimate, distance) in found.iter().zip(&distances) {
                        let at = || format!("{spec} for {number}: {estimate:?}\n{name}");
                        match (estimate, distance) {
                            (Estimate::DeadEnd, Some(distance)) if claims.safe => {
                                panic!("not safe at {distance}: {}", at())
                            }
                            (Estimate::Finite(h), Some(distance)) if claims.admissible => {
                                assert!(h.0 <= *distance, "not admissible at {distance}: {}", at());
                                informed += usize::from(h.0 > 0);
                            }
                            (Estimate::DeadEnd, None) => dead_ends += 1,
                            _ => {}
                        }
                        estimates += 1;
                    }
                    if !claims.consistent {
                        continue;
                    }
                    let value = |at: usize| match found[at] {
                        Estimate::Finite(h) => u64::from(h.0),
                        Estimate::DeadEnd => u64::MAX - 1,
                    };
                    for &(from, _, to) in &graph.steps {
                        assert!(value(from) <= value(to) + 1, "{spec} is not consistent\n{name}");
                    }
                }
            }
        });
    };
    for (name, text, queries) in fixtures() {
        let queries: Vec<&str> = queries.iter().map(|query| &**query).collect();
        check(&text, &queries, &name);
    }
    for seed in 0..seeds(40) {
        let text = data_network(1_000 + seed);
        check(&text, &QUERIES, &format!("{seed}\n{text}"));
    }
    assert!(estimates > 4_000, "{estimates}");
    assert!(dead_ends > 40, "{dead_ends}");
    assert!(informed > 400, "{informed}");
}

/// The cost of the first hit of a search, and whether it claims that none is cheaper.
fn first_hit<T: StateStore>(
    system: &dyn System,
    target: SearchTarget,
    config: BestFirstConfig,
    spec: &str,
) -> Option<(u32, bool)> {
    let spec = Spec::parse(spec).expect("it is a spec");
    let aim = Aim::Error(target);
    let heuristic = system.heuristic(&spec, aim, Resources::default()).expect("it is known");
    let query = SearchQuery::new(target);
    let search = BestFirst::<T>::with_store(system.space(), heuristic, config, query);
    let mut search = search.expect("there is an initial state");
    let outcome = search.finish();
    let Some(hit) = Search::hits(&search).first().copied() else {
        assert_eq!(outcome, Outcome::Complete);
        return None;
    };
    let path = Search::path(&search, 0);
    let violation = system.witness(&path, hit.kind, &|_| 0).expect("the run is executed");
    assert_eq!(violation.length.steps, path.transitions() as u64);
    Some((path.transitions() as u32, search.is_shortest(0)))
}

#[test]
fn directed_searches_with_inclusion_find_shortest_runs() {
    let (mut reached, mut unreached) = (0, 0);
    let mut check = |text: &str, queries: &[&str], name: &str| {
        let model = model(text, queries);
        with_goals(&model, &mut |system, targets| {
            let Some(graph) = Graph::new(system.space()) else { return };
            // After a fault, a state may be unexplored.
            for (number, &target) in targets.iter().enumerate() {
                if target.faults != beeline_kernel::Faults::NONE {
                    continue;
                }
                let wanted = |at: usize| graph.met[at].contains(&(number as u32));
                let distance = graph.distances(wanted)[0];
                for spec in ["blind", "hpl", "dpa", "fsm", "max(hpl, dpa)"] {
                    let found =
                        first_hit::<CoveringStore>(system, target, BestFirstConfig::A_STAR, spec);
                    let length = found.map(|(length, _)| length);
                    assert_eq!(length, distance, "astar({spec}) for {number}\n{name}");
                    assert!(found.is_none_or(|(_, is_shortest)| is_shortest), "{spec} {name}");
                }
                for spec in ["hff", "hadd", "dpa"] {
                    let config = BestFirstConfig::GREEDY;
                    let found = first_hit::<CoveringStore>(system, target, config, spec);
                    assert_eq!(found.is_some(), distance.is_some(), "gbfs({spec})\n{name}");
                    let exact = first_hit::<ExactStore>(system, target, config, spec);
                    assert_eq!(exact.is_some(), distance.is_some(), "gbfs({spec})\n{name}");
                }
                if distance.is_some() { reached += 1 } else { unreached += 1 }
            }
        });
    };
    for (name, text, queries) in fixtures() {
        let queries: Vec<&str> = queries.iter().map(|query| &**query).collect();
        check(&text, &queries, &name);
    }
    for seed in 0..seeds(60) {
        let text = network(seed, false);
        check(&text, &["E<> P0.L1", "E<> v == 2 and x < 1 and y > 1"], &format!("{seed}\n{text}"));
    }
    for seed in 0..seeds(60) {
        let text = data_network(2_000 + seed);
        check(&text, &QUERIES, &format!("{seed}\n{text}"));
    }
    assert!(reached > 24 && unreached > 8, "{reached} {unreached}");
}
