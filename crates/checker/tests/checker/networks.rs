//! Networks: verdicts, lengths of shortest trails, and the claims of heuristics.

use std::collections::HashMap;
use std::sync::Arc;

use beeline_checker::{
    CheckError, CheckReport, HeuristicNames, NoObserver, Plan, Store, count, parse_search,
    parse_store,
};
use beeline_heuristics::merge_and_shrink::{
    Abstraction, Dpa, MergeAndShrinkOptions, MergeAndShrinkSettings, MergeBudget,
};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Estimate, Expansion, Heuristic, Resources, Space, Stop};
use beeline_model::{Model as _, Reason, Verdict};
use beeline_network::generate::{Hanoi, arbiter, draw_random, hanoi, random};
use beeline_network::{
    Composition, NETWORK_HEURISTICS, Network, NetworkComponents, NetworkModel,
    build_network_heuristic, read,
};
use beeline_test_size::portion;

/// A network with an unreachable error.
const SAFE: &str = "\
process a\nstates 3\ninit 0\nerror 2\ntrans 0 x 1\ntrans 1 y 2\n
process b\nstates 3\ninit 0\nerror all\ntrans 0 y 1\ntrans 1 x 2\n";

fn network(text: &str) -> Network {
    read(text).expect("it is a network")
}

fn plan(search: &str) -> Plan {
    let listed = NETWORK_HEURISTICS.iter().map(|row| row.name).collect();
    let names = HeuristicNames { listed, others: vec!["active"] };
    let search = parse_search(search, 1, &names).expect("there is such a search");
    Plan { search, ..Plan::default() }
}

/// Checks the one property of a network.
fn check_with(network: &Network, plan: &Plan) -> Result<CheckReport, CheckError> {
    let model = NetworkModel::of(network.clone());
    beeline_checker::check(&model, &model.properties(), plan, false, &mut NoObserver)
}

fn check(network: &Network, search: &str) -> CheckReport {
    check_with(network, &plan(search)).expect("it is confirmed")
}

/// The verdict on the one property of a network.
fn verdict(report: &CheckReport) -> &Verdict {
    &report.properties[0].verdict
}

fn holds(report: &CheckReport) -> bool {
    matches!(verdict(report), Verdict::Holds)
}

/// The length of the trail, and whether it is proved to be shortest.
fn length(network: &Network, search: &str) -> Option<(u64, bool)> {
    match verdict(&check(network, search)) {
        Verdict::Violated(found) => Some((found[0].length.steps, found[0].is_shortest())),
        Verdict::Holds => None,
        Verdict::Unknown(why) => panic!("{search}: {why}"),
    }
}

/// The length of the trail as the paper counts it: states and steps.
fn counted(network: &Network, search: &str) -> u64 {
    let (steps, is_shortest) = length(network, search).expect("there is an error");
    assert!(is_shortest, "{search}");
    2 * steps + 1
}

#[test]
fn a_star_finds_trails_as_long_as_those_of_the_paper() {
    for h in ["fsm", "dpa", "dpa(n=100)"] {
        let search = format!("astar({h})");
        assert_eq!(counted(&arbiter(2), &search), 25);
        assert_eq!(counted(&arbiter(3), &search), 35);
        for (disks, expected) in [(4, 105), (5, 229), (6, 481), (7, 989)] {
            assert_eq!(counted(&hanoi(disks, Hanoi::Top), &search), expected, "{h}");
        }
        for (disks, expected) in [(4, 105), (5, 229)] {
            assert_eq!(counted(&hanoi(disks, Hanoi::Deciding), &search), expected, "{h}");
        }
    }
}

#[test]
fn greedy_search_with_an_abstraction_solves_what_is_large() {
    for large in [arbiter(5), hanoi(7, Hanoi::Deciding)] {
        let report = check(&large, "gbfs(dpa(n=100))");
        let Verdict::Violated(found) = verdict(&report) else { panic!("{report:?}") };
        assert!(found[0].length.steps > 0 && found[0].length.lower_bound > 1);
        assert!(report.stats.expanded < 2_000_000, "{}", report.stats.expanded);
    }
}

/// All reachable states, with their successors and their distances to an error.
struct Graph {
    states: Vec<Vec<u8>>,
    /// With the costs of the steps.
    successors: Vec<Vec<(usize, u32)>>,
    distances: Vec<Option<u32>>,
}

impl Graph {
    /// `None` if there are more than `most` states.
    fn of(network: &Network, most: usize) -> Option<Graph> {
        let space = Composition::new(network);
        let mut initial = Vec::new();
        space.initial(&mut initial).expect("it begins");
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let (mut states, mut successors, mut errors) = (vec![initial], Vec::new(), Vec::new());
        let mut expansion = Expansion::default();
        while successors.len() < states.len() {
            let at = successors.len();
            space.expand(&states[at].clone(), &mut expansion);
            if !expansion.violated_invariants.is_empty() {
                errors.push(at);
            }
            let number = |way: usize| {
                let next = expansion.state(way).to_vec();
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                (number, expansion.steps(way))
            };
            successors.push((0..expansion.len()).map(number).collect::<Vec<_>>());
            if states.len() > most {
                return None;
            }
        }
        let mut distances = vec![None; states.len()];
        errors.iter().for_each(|&error| distances[error] = Some(0));
        loop {
            let mut is_same = true;
            for (at, next) in successors.iter().enumerate().rev() {
                let through = |&(to, cost): &(usize, u32)| distances[to].map(|d: u32| d + cost);
                let best = next.iter().filter_map(through).min();
                if best.is_some_and(|best| distances[at].is_none_or(|known| best < known)) {
                    (distances[at], is_same) = (best, false);
                }
            }
            if is_same {
                return Some(Graph { states, successors, distances });
            }
        }
    }

    /// Asserts that a heuristic keeps its claims in every state. Returns the numbers of dead ends
    /// that it detects and of all dead ends.
    fn hold_to_its_claims(&self, heuristic: &mut dyn Heuristic, what: &str) -> (usize, usize) {
        let claims = heuristic.claims();
        let estimates: Vec<Estimate> =
            self.states.iter().map(|state| heuristic.estimate(state)).collect();
        for (at, estimate) in estimates.iter().enumerate() {
            let truth = self.distances[at];
            match estimate.finite() {
                None => assert!(!claims.safe || truth.is_none(), "{what}: not a dead end: {at}"),
                Some(Cost(h)) => {
                    let is_less = truth.is_none_or(|truth| h <= truth);
                    assert!(!claims.admissible || is_less, "{what}: {h} is more than {truth:?}");
                }
            }
            for &(to, cost) in &self.successors[at] {
                let keeps = match (estimate, estimates[to]) {
                    (_, Estimate::DeadEnd) => true,
                    (Estimate::DeadEnd, Estimate::Finite(_)) => false,
                    (Estimate::Finite(h), Estimate::Finite(next)) => h.0 <= next.0 + cost,
                };
                assert!(!claims.consistent || keeps, "{what}: {at} to {to}");
            }
        }
        let proved = estimates.iter().filter(|&&one| one == Estimate::DeadEnd).count();
        (proved, self.distances.iter().filter(|one| one.is_none()).count())
    }
}

const HEURISTICS: &[&str] = &[
    "blind",
    "fsm",
    "fsm(sum)",
    "dpa(n=1)",
    "dpa(n=2)",
    "dpa(n=7)",
    "dpa(n=7, order=default)",
    "dpa(n=7, buckets=far)",
    "dpa(n=40, order=default, buckets=far)",
    "dpa(n=40)",
    "dpa(n=7, shrink=bisimulation)",
    "dpa(n=7, labels=combined, shrink=bisimulation, seconds=3600)",
    "dpa(n=40, bytes=0)",
    "dpa(n=40, bytes=3000)",
    "dpa(n=40, bytes=30000, shrink=bisimulation)",
    "dpa(n=40, seconds=0)",
    "max(dpa, fsm, blind)",
    "sum(dpa, fsm)",
];

fn keep_their_claims(network: &Network, graph: &Graph, name: &str) -> [usize; 2] {
    let factored = NetworkComponents::new(network);
    let mut sums = [0, 0];
    for text in HEURISTICS {
        let spec = Spec::parse(text).expect("it is well formed");
        let mut built = build_network_heuristic(&spec, &factored, Resources::default())
            .expect("there is such a one");
        let (proved, all) = graph.hold_to_its_claims(&mut *built, &format!("{name}, {text}"));
        if text.starts_with("dpa") {
            sums[0] += proved;
            sums[1] += all;
        }
        let mut fork = built.fork();
        assert_eq!(fork.name(), Spec::parse(text).expect("it is well formed").name);
        graph.hold_to_its_claims(&mut *fork, text);
    }
    sums
}

#[test]
fn heuristics_keep_their_claims_in_known_networks() {
    for (name, network) in [
        ("arbiter 2", arbiter(2)),
        ("hanoi 3 b", hanoi(3, Hanoi::Top)),
        ("hanoi 3 d", hanoi(3, Hanoi::Deciding)),
        ("safe", self::network(SAFE)),
    ] {
        let graph = Graph::of(&network, 100_000).expect("it is small");
        keep_their_claims(&network, &graph, name);
    }
}

#[test]
fn heuristics_keep_their_claims_in_a_hundred_random_networks() {
    let (mut tried, mut proved, mut all) = (0, 0, 0);
    for seed in 0.. {
        let network = random(2 + seed as usize % 4, seed);
        let Some(graph) = Graph::of(&network, 3_000) else { continue };
        let sums = keep_their_claims(&network, &graph, &format!("seed {seed}"));
        (proved, all) = (proved + sums[0], all + sums[1]);
        tried += 1;
        if tried == portion(100) {
            break;
        }
    }
    assert!(proved * 4 > all && proved <= all, "{proved} of {all} dead ends are proved");
}

#[test]
fn a_large_abstraction_is_exact() {
    for seed in 0..portion(40) {
        let network = random(3, seed);
        let Some(graph) = Graph::of(&network, 3_000) else { continue };
        let factored = NetworkComponents::new(&network);
        let settings = MergeAndShrinkSettings { n: 100_000, ..MergeAndShrinkSettings::default() };
        let abstraction = Abstraction::new(factored.components(), settings.into());
        assert!(abstraction.is_whole());
        let mut dpa = Dpa::new(abstraction.into(), Arc::new(&factored));
        for (state, truth) in graph.states.iter().zip(&graph.distances) {
            let expected = truth.map_or(Estimate::DeadEnd, |d| Estimate::Finite(Cost(d)));
            assert_eq!(dpa.estimate(state), expected, "seed {seed}");
        }
    }
}

#[test]
fn without_room_for_work_an_abstraction_is_still_consistent() {
    for (work, pairs) in [(0, 1_000_000), (u64::MAX, 20), (u64::MAX, 5), (3_000, 400)] {
        for seed in 0..portion(20) {
            let network = random(4, seed);
            let Some(graph) = Graph::of(&network, 3_000) else { continue };
            let factored = NetworkComponents::new(&network);
            let settings = MergeAndShrinkSettings { n: 6, ..MergeAndShrinkSettings::default() };
            let budget = MergeBudget { work, pairs, ..MergeBudget::AMPLE };
            let options = MergeAndShrinkOptions { settings, budget };
            let abstraction = Abstraction::new(factored.components(), options);
            assert!(work > 0 || !abstraction.is_whole());
            let mut dpa = Dpa::new(abstraction.into(), Arc::new(&factored));
            graph.hold_to_its_claims(&mut dpa, &format!("seed {seed}, work {work}, pairs {pairs}"));
        }
    }
}

#[test]
fn an_abstraction_that_is_not_complete_says_so() {
    let remarks = |search: &str| check(&arbiter(2), search).properties[0].remarks.join("\n");
    for whole in ["auto", "astar(dpa)", "astar(dpa(seconds=3600))", "gbfs(dpa(bytes=100000000))"] {
        assert_eq!(remarks(whole), "", "{whole}");
    }
    let stopped = "dpa is cut short:";
    let lower = "so its estimates are lower than they could be";
    let late = format!("{stopped} its time limit was reached, {lower}");
    let full = format!("{stopped} its memory limit was reached (`bytes`), {lower}");
    assert_eq!(remarks("astar(dpa(seconds=0))"), late);
    assert_eq!(remarks("gbfs(max(fsm, dpa(bytes=10)))"), full);
    assert_eq!(remarks("astar(fsm, ties=dpa(seconds=0))"), late);
    for search in ["astar(dpa(seconds=0))", "astar(dpa(bytes=10))"] {
        assert_eq!(length(&arbiter(2), search), Some((12, true)), "{search}");
    }
}

#[test]
fn processes_that_can_begin_in_several_ways_are_estimated_soundly() {
    let text = "process a\nstates 4\ninit 0 3\nerror 2\ntrans 0 x 1\ntrans 1 y 2\ntrans 3 tau 0\n\
                process b\nstates 3\ninit 0 1 2\nerror all\ntrans 0 x 1\ntrans 1 y 2\n";
    let network = network(text);
    let graph = Graph::of(&network, 1_000).expect("it is small");
    keep_their_claims(&network, &graph, "several");
    for search in ["bfs", "astar(dpa)", "auto", "dijkstra"] {
        assert_eq!(length(&network, search), Some((2, true)), "{search}");
    }
}

#[test]
fn what_an_abstraction_proves_is_not_searched() {
    let network = network(SAFE);
    for search in ["gbfs(dpa)", "astar(dpa(n=3))"] {
        let report = check(&network, search);
        assert!(holds(&report), "{search}");
        assert_eq!(report.stats.expanded, 0);
        let remarks = &report.properties[0].remarks;
        assert!(remarks[0].contains("proves that no error can be reached"), "{report:?}");
    }
    let report = check(&network, "gbfs(blind)");
    assert!(holds(&report) && report.properties[0].remarks.is_empty());
    assert!(report.stats.expanded > 0);
}

#[test]
fn the_automatic_strategy_is_told_what_its_estimates_look_at() {
    for search in ["auto", "auto(estimates=whole)", "auto(estimates=local)", "auto(greedy=late)"] {
        assert_eq!(length(&arbiter(2), search), Some((12, true)), "{search}");
        assert!(holds(&check(&network(SAFE), search)), "{search}");
    }
    // Breadth-first search takes long here, so that a greedy search finds the error first.
    let found_by = |search| check(&arbiter(5), search).properties[0].by.clone();
    assert_eq!(found_by("auto"), Some("gbfs(dpa)".to_owned()));
    assert_eq!(found_by("auto(estimates=local)"), Some("gbfs(fsm)".to_owned()));
}

#[test]
fn all_searches_agree_on_random_networks() {
    let (mut violated, mut safe) = (0, 0);
    for seed in 0..60 {
        let network = random(2 + seed as usize % 3, seed);
        let truth = length(&network, "bfs");
        for search in [
            "auto",
            "auto(estimates=local)",
            "astar(dpa)",
            "astar(fsm)",
            "dijkstra",
            "ida(dpa, table=100000)",
        ] {
            if truth.is_none() && search.starts_with("ida") {
                continue;
            }
            let found = length(&network, search);
            assert_eq!(found.map(|one| one.0), truth.map(|one| one.0), "{search}, seed {seed}");
        }
        for search in ["dfs", "random-dfs", "gbfs(dpa)", "gbfs(fsm(sum))", "gbfs(dpa, ties=fsm)"] {
            let found = length(&network, search);
            assert_eq!(found.is_some(), truth.is_some(), "{search}, seed {seed}");
            assert!(found >= truth.map(|one| (one.0, false)), "{search}, seed {seed}");
        }
        violated += u32::from(truth.is_some());
        safe += u32::from(truth.is_none());
    }
    assert!(violated > 5 && safe > 5, "{violated} and {safe}");
}

#[test]
fn stores_that_overlook_states_never_say_holds() {
    let network = network(SAFE);
    for store in ["bitstate", "hash-compact", "cache", "compact"] {
        let store = parse_store(store).expect("there is such a store");
        for search in ["auto", "dfs", "gbfs(blind)"] {
            let plan = Plan { store, bytes: Some(1 << 24), ..plan(search) };
            let holds = holds(&check_with(&network, &plan).expect("it is confirmed"));
            let is_directed_cache = matches!(store, Store::Cache { .. }) && search != "dfs";
            if store.is_lossy() {
                assert!(!holds, "{store:?} {search}");
            } else if !is_directed_cache {
                assert!(holds, "{store:?} {search}");
            }
            let report = check_with(&arbiter(2), &plan).expect("it is confirmed");
            let Verdict::Violated(found) = verdict(&report) else { continue };
            assert!(found[0].length.steps >= 12 && found[0].length.lower_bound <= 12);
        }
    }
}

#[test]
fn limits_are_named_and_nothing_is_claimed() {
    let plan = Plan { depth: Some(3), ..plan("bfs") };
    let report = check_with(&arbiter(2), &plan).expect("it is confirmed");
    let Verdict::Unknown(why) = verdict(&report) else { panic!("a verdict") };
    assert_eq!(*why, Reason::Stopped(Stop::Depth));
    let report = check(&arbiter(2), "astar(dpa, cost=switches)");
    let Verdict::Unknown(why) = verdict(&report) else { panic!("a verdict") };
    assert!(why.to_string().contains("leave out `cost`"));
    // A cycle search explores all states, too.
    assert_eq!(length(&arbiter(2), "ndfs").map(|(steps, _)| steps >= 12), Some(true));
}

#[test]
fn heuristics_that_are_not_for_networks_are_refused_with_those_that_are() {
    let wrong = |search: &str| {
        let report = check_with(&arbiter(2), &plan(search));
        let Err(CheckError::Heuristic(why)) = report else { panic!("{search}: {report:?}") };
        why.to_string()
    };
    assert!(wrong("gbfs(active)").contains("there are: dpa, fsm, blind, max, sum"));
    assert!(wrong("gbfs(dpa(n=0))").contains("`n` must be a number from 1 to 100000"));
    assert!(wrong("gbfs(dpa(order=best))").contains("`order` must be one of ranking, default"));
    assert!(wrong("gbfs(dpa(size=3))").contains("no argument `size`"));
    assert!(
        wrong("gbfs(dpa(shrink=all))").contains("`shrink` must be one of buckets, bisimulation")
    );
    assert!(wrong("gbfs(dpa(bytes=-1))").contains("`bytes` must be a number, at least 0"));
    assert!(wrong("gbfs(dpa(seconds=-1))").contains("`seconds` must be a number, at least 0"));
    assert!(wrong("gbfs(dpa(seconds=soon))").contains("`seconds` must be a number, at least 0"));
    assert!(wrong("gbfs(fsm(combine=half))").contains("`combine` must be one of max, sum"));
    assert!(wrong("gbfs(max)").contains("takes heuristics"));
    assert!(wrong("gbfs(max(3))").contains("`3` is not a heuristic"));
}

#[test]
fn counting_sees_every_state() {
    let counted = |network: &Network, plan: &Plan| {
        let model = NetworkModel::of(network.clone());
        let report = count(&model, plan, &mut NoObserver).expect("there is no reduction");
        (report.stopped.is_none(), report.stats.stored)
    };
    assert_eq!(counted(&arbiter(2), &Plan::default()), (true, 343));
    let compact = Plan { store: Store::Compact, ..Plan::default() };
    assert_eq!(counted(&hanoi(4, Hanoi::Deciding), &compact), (true, 9_849));
}

#[test]
fn random_networks_that_are_drawn_have_an_error() {
    for seed in 1..6 {
        let network = draw_random(4, seed).expect("one was drawn");
        assert!(length(&network, "bfs").is_some(), "seed {seed}");
        assert_eq!(network, draw_random(4, seed).expect("one was drawn"));
    }
}
