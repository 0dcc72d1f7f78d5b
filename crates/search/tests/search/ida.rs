//! IDA\* has the results of A\*.

use beeline_kernel::{Blind, Claims, Cost, Estimate, Stop};
use beeline_search::{
    AfterHit, GoalTest, IdaConfig, IdaMemory, IdaStar, Limits, Outcome, Search, SearchQuery,
    SearchTarget, SuccessorOrder,
};

use crate::roads::{
    Oracle, Roads, TARGETS, check_paths, check_slices, city, oracles, random_roads,
};

const MEMORIES: [IdaMemory; 3] =
    [IdaMemory::Path, IdaMemory::Table(5), IdaMemory::Table(usize::MAX)];
const TABLE: IdaConfig = IdaConfig {
    memory: IdaMemory::Table(usize::MAX),
    goal_test: GoalTest::Expansion,
    successor_order: SuccessorOrder::Forward,
};

fn make<'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    deepening: IdaConfig,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    Box::new(IdaStar::new(roads, oracle.boxed(), deepening, query).expect("roads do not fail"))
}

/// Graphs small enough for a search that keeps only its path.
fn small_roads() -> impl Iterator<Item = Roads> {
    let small = (1..=12).map(|seed| Roads::random(seed, 8 + seed as u32, 2, 1 + seed as u32 % 3));
    small.chain(random_roads().step_by(4))
}

#[test]
fn finds_the_cheapest() {
    let mut found = 0;
    for (seed, roads) in small_roads().enumerate() {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            let expected = truth.map_or(Outcome::Complete, |_| Outcome::Found);
            for oracle in oracles(&roads, target, seed as u64) {
                let small = roads.edges.len() < 22;
                for memory in MEMORIES.into_iter().filter(|&m| small || m == TABLE.memory) {
                    for successor_order in [SuccessorOrder::Forward, SuccessorOrder::Reversed] {
                        let deepening = IdaConfig { memory, successor_order, ..TABLE };
                        let mut search = make(&roads, &oracle, deepening, SearchQuery::new(target));
                        assert_eq!(search.finish(), expected);
                        let costs = check_paths(&roads, target, &*search);
                        if oracle.claims.admissible {
                            assert_eq!(costs.first().copied(), truth);
                            assert!(costs.is_empty() || search.is_shortest(0));
                            found += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(found > 500);
}

#[test]
fn a_test_at_generation_finds_real_paths() {
    for (seed, roads) in small_roads().enumerate() {
        for target in TARGETS {
            let exists = roads.distances(target)[0].is_some();
            for oracle in oracles(&roads, target, seed as u64) {
                let deepening = IdaConfig { goal_test: GoalTest::Generation, ..TABLE };
                let mut search = make(&roads, &oracle, deepening, SearchQuery::new(target));
                let expected = if exists { Outcome::Found } else { Outcome::Complete };
                assert_eq!(search.finish(), expected);
                check_paths(&roads, target, &*search);
            }
        }
    }
}

/// 0 → 1, 2; 1 → 3; 2 → 3; 3 → 4, which is stuck. Blind, so thresholds 0 to 3.
fn diamond() -> Roads {
    let mut roads = Roads::plain(&[&[1, 2], &[3], &[3], &[4], &[]]);
    roads.stuck.push(4);
    roads
}

#[test]
fn expansions_are_summed_over_iterations() {
    let roads = diamond();
    let expanded = |memory, goal_test| {
        let deepening = IdaConfig { memory, goal_test, ..TABLE };
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search = make(&roads, &Oracle::numbers(&[0; 5]), deepening, query);
        assert_eq!(search.finish(), Outcome::Found);
        search.stats().expanded
    };
    // Up to cost 0, 1, 2, 3: 0; 0 1 2; 0 1 3 2 (3); 0 1 3 4.
    assert_eq!(expanded(TABLE.memory, GoalTest::Expansion), 1 + 3 + 4 + 4);
    assert_eq!(expanded(IdaMemory::Path, GoalTest::Expansion), 1 + 3 + 5 + 4);
    // 4 is tested as soon as 3 is expanded.
    assert_eq!(expanded(TABLE.memory, GoalTest::Generation), 1 + 3 + 3);
}

#[test]
fn a_state_met_on_a_cheaper_way_is_searched_again() {
    // 0 → 2 for 3, 0 → 1 → 2 for 2; 2 → 3 for 1: with threshold 3 the costly path comes first and
    // does not reach 3.
    let edges = vec![vec![(2, 3), (1, 1)], vec![(2, 1)], vec![(3, 1)], vec![]];
    let roads = Roads { edges, stuck: vec![3], ..Roads::default() };
    let claims = Claims { consistent: false, ..Claims::ALL };
    let oracle = Oracle { claims, ..Oracle::numbers(&[3, 0, 0, 0]) };
    let mut search = make(&roads, &oracle, TABLE, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!((search.hits()[0].cost, search.path(0).len()), (Some(Cost(3)), 4));
}

#[test]
fn an_unsafe_dead_end_is_looked_behind_in_the_end() {
    let mut roads = Roads::plain(&[&[1, 2], &[3], &[], &[]]);
    roads.stuck.push(3);
    let mut oracle = Oracle::numbers(&[0, 0, 0, 0]);
    oracle.estimates[1] = Estimate::DeadEnd;
    for memory in MEMORIES {
        let run = |claims| {
            let oracle = Oracle { claims, ..oracle.clone() };
            let deepening = IdaConfig { memory, ..TABLE };
            let mut search =
                make(&roads, &oracle, deepening, SearchQuery::new(SearchTarget::DEADLOCK));
            (search.finish(), search.hits().len())
        };
        assert_eq!(run(Claims::NONE), (Outcome::Found, 1));
        // The heuristic claims that its dead ends are safe.
        assert_eq!(run(Claims::ALL), (Outcome::Complete, 0));
    }
}

#[test]
fn slices_make_no_difference() {
    for (seed, roads) in small_roads().enumerate().take(12) {
        for oracle in oracles(&roads, SearchTarget::FAULT, seed as u64) {
            for memory in MEMORIES {
                for goal_test in [GoalTest::Expansion, GoalTest::Generation] {
                    let deepening = IdaConfig { memory, goal_test, ..TABLE };
                    let query = SearchQuery {
                        after_hit: AfterHit::Continue,
                        keep: 2,
                        ..SearchQuery::new(SearchTarget::FAULT)
                    };
                    check_slices(|| make(&roads, &oracle, deepening, query));
                    let mut search = make(&roads, &oracle, deepening, query);
                    assert_eq!(search.finish(), Outcome::Complete);
                    check_paths(&roads, SearchTarget::FAULT, &*search);
                }
            }
        }
    }
}

#[test]
fn limits_are_admitted() {
    let roads = city(8);
    let run = |memory, limits| {
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
        let deepening = IdaConfig { memory, ..TABLE };
        let mut search = IdaStar::new(&roads, Box::new(Blind), deepening, query).expect("fine");
        search.finish()
    };
    for memory in MEMORIES {
        let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
        assert_eq!(run(memory, depth(14)), Outcome::Found);
        assert_eq!(run(memory, depth(13)), Outcome::Incomplete(Stop::Depth));
        let states = |states| Limits { states: Some(states), ..Limits::default() };
        assert_eq!(run(memory, states(15)), Outcome::Found);
        assert_eq!(run(memory, states(13)), Outcome::Incomplete(Stop::Memory));
        let bytes = Limits { bytes: Some(900), ..Limits::default() };
        assert_eq!(run(memory, bytes), Outcome::Incomplete(Stop::Memory));
    }
    // A full table does not end the search.
    let bytes = Limits { bytes: Some(60_000), ..Limits::default() };
    assert_eq!(run(TABLE.memory, bytes), Outcome::Found);
}
