//! Directed searches with lossy closed lists: with enough memory they have the hits of the exact
//! ones, with less memory only real hits.

use beeline_kernel::{Claims, Cost, Stop};
use beeline_search::{
    AfterHit, BestFirstConfig, Bitstate, Evaluation, ExplorationOptions, GoalTest, HashCompact,
    IdaConfig, IdaStar, Limits, LossyTable, Outcome, PartialSearch, QueueOrder, RepeatedSet,
    Restarts, Search, SearchQuery, SearchTarget, StoreLimits, SuccessorOrder, TieBreak, Visited,
    Weight,
};

use crate::roads::{Oracle, Roads, TARGETS, check_paths, check_slices, oracles, random_roads};
use crate::toys::{Grid, explore, line};

const LOSSY: Outcome = Outcome::Incomplete(Stop::LossyStore);
const ONCE: Restarts = Restarts { seed: 1, runs: 1 };

fn prints() -> HashCompact {
    HashCompact::new(1, StoreLimits::NONE)
}

fn bits(bytes: usize, bits: u32) -> Bitstate {
    Bitstate::new(1, bytes, bits).expect("there is memory for a small array")
}

/// The search.
#[derive(Clone, Copy)]
enum How {
    Best(BestFirstConfig),
    Ida(IdaConfig),
}

const A_STAR: How = How::Best(BestFirstConfig::A_STAR);
const IDA: How = How::Ida(IdaConfig {
    memory: beeline_search::IdaMemory::Path,
    goal_test: GoalTest::Expansion,
    successor_order: SuccessorOrder::Forward,
});

fn ways() -> Vec<How> {
    let greedy = BestFirstConfig::GREEDY;
    let goal_test = GoalTest::Generation;
    vec![
        A_STAR,
        How::Best(BestFirstConfig::DIJKSTRA),
        How::Best(greedy),
        How::Best(BestFirstConfig {
            tie_break: TieBreak::LowG,
            queue_order: QueueOrder::Fifo,
            ..greedy
        }),
        How::Best(BestFirstConfig { evaluation: Evaluation::Lazy, ..greedy }),
        How::Best(BestFirstConfig { evaluation: Evaluation::Lazy, ..BestFirstConfig::A_STAR }),
        How::Best(BestFirstConfig {
            goal_test,
            successor_order: SuccessorOrder::Reversed,
            ..BestFirstConfig::A_STAR
        }),
        How::Best(BestFirstConfig::weighted(Weight { over: 3, under: 1 })),
        How::Best(BestFirstConfig { tie_break: TieBreak::Heuristic, ..BestFirstConfig::A_STAR }),
        IDA,
        How::Ida(IdaConfig {
            goal_test,
            successor_order: SuccessorOrder::Reversed,
            ..IdaConfig::default()
        }),
    ]
}

fn make<'a, V: Visited + 'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    how: How,
    set: RepeatedSet<V>,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    let fine = "roads do not fail";
    match how {
        How::Best(method) => {
            let search = PartialSearch::new(roads, oracle.boxed(), method, set, query).expect(fine);
            Box::new(search.with_tie_breaker(Oracle::numbers(&vec![1; roads.edges.len()]).boxed()))
        }
        How::Ida(deepening) => {
            let search: IdaStar<'_, LossyTable<V>> =
                IdaStar::partial(roads, oracle.boxed(), deepening, set, query).expect(fine);
            Box::new(search)
        }
    }
}

/// A set without collisions on these graphs.
fn roomy<'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    how: How,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    make(roads, oracle, how, RepeatedSet { visited: prints(), restarts: ONCE }, query)
}

#[test]
fn with_room_enough_what_is_there_is_found() {
    let mut found = 0;
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            let expected = truth.map_or(LOSSY, |_| Outcome::Found);
            for oracle in oracles(&roads, target, seed as u64) {
                for how in ways() {
                    let mut search = roomy(&roads, &oracle, how, SearchQuery::new(target));
                    assert_eq!(search.finish(), expected);
                    assert!(search.omissions().is_some_and(|some| some.probability() < 1e-9));
                    let costs = check_paths(&roads, target, &*search);
                    found += costs.len();
                    for (hit, &cost) in costs.iter().enumerate() {
                        assert!(!search.is_shortest(hit) || Some(cost) == truth);
                    }
                    // No state is reopened, which a consistent estimate makes unnecessary.
                    let is_a_star =
                        matches!(how, How::Best(method) if method == BestFirstConfig::A_STAR);
                    if is_a_star && oracle.claims.consistent {
                        assert_eq!(costs.first().copied(), truth);
                    }
                }
            }
        }
    }
    assert!(found > 500);
}

#[test]
fn with_too_little_room_what_is_found_is_there() {
    let (mut found, mut missed) = (0, 0);
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            for oracle in oracles(&roads, target, seed as u64) {
                for how in ways() {
                    for runs in [1, 3] {
                        let set = RepeatedSet {
                            visited: bits(8, 2),
                            restarts: Restarts { seed: 5, runs },
                        };
                        let mut search = make(&roads, &oracle, how, set, SearchQuery::new(target));
                        match search.finish() {
                            Outcome::Found => found += 1,
                            outcome => {
                                assert_eq!(outcome, LOSSY);
                                missed += usize::from(roads.distances(target)[0].is_some());
                            }
                        }
                        check_paths(&roads, target, &*search);
                    }
                }
            }
        }
    }
    assert!(found > 500 && missed > 100, "{found} found, {missed} missed");
}

#[test]
fn slices_make_no_difference() {
    for (seed, roads) in random_roads().enumerate().step_by(5) {
        for oracle in oracles(&roads, SearchTarget::FAULT, seed as u64) {
            for how in ways() {
                let query = SearchQuery {
                    after_hit: AfterHit::Continue,
                    keep: 2,
                    ..SearchQuery::new(SearchTarget::FAULT)
                };
                check_slices(|| {
                    make(
                        &roads,
                        &oracle,
                        how,
                        RepeatedSet { visited: bits(16, 2), restarts: ONCE },
                        query,
                    )
                });
            }
        }
    }
}

#[test]
fn a_cheaper_way_to_a_state_that_waits_is_taken() {
    // 0 → 2 for 5, 0 → 1 → 2 for 2; 2 → 3.
    let edges = vec![vec![(2, 5), (1, 1)], vec![(2, 1)], vec![(3, 1)], vec![]];
    let roads = Roads { edges, stuck: vec![3], ..Roads::default() };
    let oracle = Oracle { claims: Claims::ALL, ..Oracle::numbers(&[3, 0, 0, 0]) };
    let mut search = roomy(&roads, &oracle, A_STAR, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!((search.hits()[0].cost, search.path(0).len()), (Some(Cost(3)), 4));
    // The estimate of the initial state proves that the path is cheapest.
    assert!(search.is_shortest(0));
    let modest = Oracle { claims: Claims::ALL, ..Oracle::numbers(&[2, 0, 0, 0]) };
    let mut search = roomy(&roads, &modest, A_STAR, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!((search.finish(), search.is_shortest(0)), (Outcome::Found, false));
}

#[test]
fn breadth_first_counts_what_an_exact_store_counts() {
    let grid = Grid { counters: 4, top: 6 };
    let query =
        SearchQuery { after_hit: AfterHit::Continue, ..SearchQuery::new(SearchTarget::ANYTHING) };
    let mut exact = explore(&grid, ExplorationOptions::default());
    exact.finish();
    let mut search = PartialSearch::breadth_first(
        &grid,
        RepeatedSet { visited: prints(), restarts: ONCE },
        query,
    )
    .expect("fine");
    assert_eq!(search.finish(), LOSSY);
    let counts = |stats: beeline_search::Stats| {
        (stats.stored, stats.matched, stats.expanded, stats.generated, stats.depth)
    };
    assert_eq!(counts(search.stats()), counts(exact.stats()));
    let mut search = PartialSearch::breadth_first(
        &grid,
        RepeatedSet { visited: bits(200, 2), restarts: ONCE },
        query,
    )
    .expect("fine");
    search.finish();
    let lost = (grid.stored() - search.stats().stored) as f64;
    let expected = search.omissions().expect("it may overlook states").expected;
    assert!(lost > 100.0 && (0.2..5.0).contains(&(expected / lost)), "{lost} {expected}");
}

#[test]
fn several_runs_see_more_than_one() {
    let grid = Grid { counters: 4, top: 9 };
    let query =
        SearchQuery { after_hit: AfterHit::Continue, ..SearchQuery::new(SearchTarget::ANYTHING) };
    let overlooked = |runs| {
        let set = RepeatedSet { visited: bits(4000, 2), restarts: Restarts { seed: 9, runs } };
        let mut search = PartialSearch::breadth_first(&grid, set, query).expect("fine");
        assert_eq!(search.finish(), LOSSY);
        search.omissions().expect("it may overlook states").expected
    };
    assert!(overlooked(3) < overlooked(1) / 10.0);
}

#[test]
fn limits_are_kept_and_named() {
    let run = |limits| {
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
        let line = line(50);
        let mut search = PartialSearch::breadth_first(
            &line,
            RepeatedSet { visited: prints(), restarts: ONCE },
            query,
        )
        .expect("fine");
        search.finish()
    };
    let limit = |depth, states, bytes| Limits { depth, states, bytes };
    assert_eq!(run(limit(Some(50), None, None)), Outcome::Found);
    assert_eq!(run(limit(Some(49), None, None)), Outcome::Incomplete(Stop::Depth));
    assert_eq!(run(limit(None, Some(20), None)), Outcome::Incomplete(Stop::Memory));
    assert_eq!(run(limit(None, None, Some(600))), Outcome::Incomplete(Stop::Memory));
}
