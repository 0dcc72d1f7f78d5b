//! A\* with an admissible heuristic finds trails as short as those of Dijkstra's algorithm, on
//! every corpus model with a near enough error, and proves that they are shortest. `BEELINE_STATES`
//! is the limit of stored states (default 20,000).

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, FaultKind, Faults};
use beeline_search::{
    BestFirst, BestFirstConfig, Limits, Outcome, Search, SearchQuery, SearchTarget,
};
use beeline_testkit::{corpus, model};

/// The hit of a search: its cost, and whether it is proved to be least.
fn search(
    machine: &Machine<'_>,
    heuristic: &str,
    method: BestFirstConfig,
    (target, goal): (SearchTarget, &HeuristicGoal),
    states: usize,
) -> Option<(Cost, bool)> {
    let spec = Spec::parse(heuristic).expect("it is well formed");
    let heuristic = build(&spec, machine, goal).expect("it is for this goal");
    let limits = Limits { states: Some(states), ..Limits::default() };
    let query = SearchQuery { limits, ..SearchQuery::new(target) };
    let mut search = BestFirst::new(machine, heuristic, method, query).ok()?;
    match search.finish() {
        Outcome::Found => {
            let cost = search.hits()[0].cost.expect("best-first search counts");
            Some((cost, search.is_shortest(0)))
        }
        Outcome::Complete | Outcome::Incomplete(_) => None,
    }
}

#[test]
fn admissible_heuristics_find_shortest_trails_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("shortest trails on the corpus") else {
        return;
    };
    let states = std::env::var("BEELINE_STATES").ok().and_then(|n| n.parse().ok());
    let states = states.unwrap_or(20_000);
    let faults = Faults::all_but(&[FaultKind::Trace, FaultKind::Claim]);
    let deadlock = (SearchTarget::DEADLOCK, HeuristicGoal::Deadlock, "dangerous-states(half)");
    let failing = (
        SearchTarget { faults, ..SearchTarget::NOTHING },
        HeuristicGoal::Assertions,
        "assertion-distance",
    );
    let mut compared = [0, 0];
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let wrong = ["dfs1_nopor", "bfs1", "full"].iter().any(|config| {
            let row = corpus.result(&entry.name, config);
            row.is_some_and(|row| row.errors.is_some_and(|errors| errors > 0))
        });
        let front = model::read(&entry.file).expect("corpus files can be read");
        if !wrong || model::first_error(&front).is_some() {
            continue;
        }
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        for (at, (target, goal, heuristic)) in [&deadlock, &failing].into_iter().enumerate() {
            let task = (*target, goal);
            let Some((shortest, proved)) =
                search(&machine, "blind", BestFirstConfig::DIJKSTRA, task, states)
            else {
                continue;
            };
            assert!(proved, "{}: Dijkstra's algorithm is sure", entry.name);
            let found = search(&machine, heuristic, BestFirstConfig::A_STAR, task, 2 * states);
            assert_eq!(found, Some((shortest, true)), "{}: {heuristic}", entry.name);
            compared[at] += 1;
        }
    }
    println!("{} deadlocks and {} faults compared", compared[0], compared[1]);
    assert!(compared[0] >= 50 && compared[1] >= 10, "only {compared:?} compared");
}
