//! Best-first search against the guarantees of its configurations.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Blind, Claims, Cost, Estimate, Expander, Expansion, Fault, Space, Stop};
use beeline_search::{
    AfterHit, BestFirst, BestFirstConfig, CompactStore, Evaluation, Exploration,
    ExplorationOptions, FindingKind, GoalTest, Limits, Outcome, Progress, QueueOrder, Reopening,
    Search, SearchQuery, SearchTarget, SliceBudget, SuccessorOrder, TieBreak, Weight,
};
use beeline_test_size::one_in;

use crate::roads::{
    Oracle, Roads, TARGETS, check_paths, check_slices, city, oracles, random_roads,
};

fn make<'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    method: BestFirstConfig,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    Box::new(BestFirst::new(roads, oracle.boxed(), method, query).expect("roads do not fail"))
}

/// Runs a search to its end, and returns the cost of its first hit.
fn run(
    roads: &Roads,
    oracle: &Oracle,
    method: BestFirstConfig,
    target: SearchTarget,
) -> (Outcome, Option<u32>) {
    let mut search = make(roads, oracle, method, SearchQuery::new(target));
    let outcome = search.finish();
    let costs = check_paths(roads, target, &*search);
    assert_eq!(outcome == Outcome::Found, !costs.is_empty());
    (outcome, costs.first().copied())
}

/// All combinations of options beside the ranking.
fn variants(method: BestFirstConfig) -> impl Iterator<Item = BestFirstConfig> {
    let mut all = vec![method];
    let mut vary = |change: &dyn Fn(BestFirstConfig) -> BestFirstConfig| {
        let changed: Vec<BestFirstConfig> = all.iter().map(|&method| change(method)).collect();
        all.extend(changed);
    };
    vary(&|m| BestFirstConfig { tie_break: TieBreak::LowH, ..m });
    vary(&|m| BestFirstConfig { tie_break: TieBreak::LowG, ..m });
    vary(&|m| BestFirstConfig { queue_order: QueueOrder::Fifo, ..m });
    vary(&|m| BestFirstConfig { successor_order: SuccessorOrder::Reversed, ..m });
    vary(&|m| BestFirstConfig { evaluation: Evaluation::Lazy, ..m });
    vary(&|m| BestFirstConfig { goal_test: GoalTest::Generation, ..m });
    vary(&|m| BestFirstConfig { reopening: Reopening::Never, ..m });
    all.into_iter()
}

const HALF: Weight = Weight { over: 3, under: 2 };

#[test]
fn a_star_and_dijkstra_find_the_cheapest() {
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            let expected = truth.map_or(Outcome::Complete, |_| Outcome::Found);
            for oracle in oracles(&roads, target, seed as u64) {
                let dijkstra = run(&roads, &oracle, BestFirstConfig::DIJKSTRA, target);
                if oracle.claims.admissible {
                    assert_eq!(dijkstra, (expected, truth));
                    assert_eq!(
                        run(&roads, &oracle, BestFirstConfig::A_STAR, target),
                        (expected, truth)
                    );
                } else {
                    assert_eq!(dijkstra.0, expected);
                }
            }
        }
    }
}

#[test]
fn what_a_star_finds_is_known_to_be_cheapest() {
    let mut found = 0;
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            for oracle in oracles(&roads, target, seed as u64) {
                let mut search =
                    make(&roads, &oracle, BestFirstConfig::A_STAR, SearchQuery::new(target));
                if search.finish() == Outcome::Found {
                    found += 1;
                    let cost = search.hits()[0].cost.expect("it counts costs");
                    assert_eq!(search.is_shortest(0), search.lower_bound() == cost);
                    assert!(search.is_shortest(0) || !oracle.claims.admissible);
                }
            }
        }
    }
    assert!(found > 200);
}

#[test]
fn every_variant_finds_real_paths_and_lies_about_nothing() {
    let rankings = [
        BestFirstConfig::A_STAR,
        BestFirstConfig::DIJKSTRA,
        BestFirstConfig::GREEDY,
        BestFirstConfig::weighted(HALF),
        BestFirstConfig::mixed(Weight { over: 2, under: 3 }),
    ];
    for (seed, roads) in random_roads().enumerate().skip(5).step_by(one_in(8)) {
        for target in TARGETS {
            let exists = roads.distances(target)[0].is_some();
            let expected = if exists { Outcome::Found } else { Outcome::Complete };
            for oracle in oracles(&roads, target, seed as u64) {
                for method in rankings.into_iter().flat_map(variants) {
                    // `run` checks the paths and the lower bound.
                    assert_eq!(run(&roads, &oracle, method, target).0, expected, "{method:?}");
                }
            }
        }
    }
}

#[test]
fn weighted_a_star_stays_within_its_weight() {
    let mut worse = 0;
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let Some(truth) = roads.distances(target)[0] else { continue };
            for oracle in oracles(&roads, target, seed as u64) {
                if !oracle.claims.admissible {
                    continue;
                }
                for (over, under) in [(3, 2), (2, 1), (10, 1)] {
                    let method = BestFirstConfig::weighted(Weight { over, under });
                    let cost = run(&roads, &oracle, method, target).1.expect("there is one");
                    assert!(cost * u32::from(under) <= truth * u32::from(over));
                    worse += u32::from(cost > truth);
                }
                let half = BestFirstConfig::mixed(Weight { over: 1, under: 2 });
                assert_eq!(run(&roads, &oracle, half, target).1, Some(truth));
            }
        }
    }
    assert!(worse > 0, "these graphs are too easy to tell anything");
}

/// 0 → 1 → 2 → 3 → 4, and 0 → 2 at a cost of three. The estimate of 1 delays its expansion until 2
/// and 3 have been expanded.
fn detour() -> (Roads, Oracle) {
    let edges = vec![vec![(1, 1), (2, 3)], vec![(2, 1)], vec![(3, 1)], vec![(4, 3)], vec![]];
    let roads = Roads { edges, stuck: vec![4], ..Roads::default() };
    let admissible = Claims { consistent: false, ..Claims::ALL };
    (roads, Oracle { claims: admissible, ..Oracle::numbers(&[0, 4, 0, 0, 0]) })
}

#[test]
fn reopens_a_closed_state_on_a_shorter_path() {
    let (roads, oracle) = detour();
    let stats = |method| {
        let mut search = make(&roads, &oracle, method, SearchQuery::new(SearchTarget::DEADLOCK));
        assert_eq!(search.finish(), Outcome::Found);
        let cost = search.hits()[0].cost.expect("it counts costs").0;
        (search.stats().expanded, search.stats().reopened, cost, search.is_shortest(0))
    };
    assert_eq!(stats(BestFirstConfig::A_STAR), (7, 2, 6, true));
    let never = BestFirstConfig { reopening: Reopening::Never, ..BestFirstConfig::A_STAR };
    assert_eq!(stats(never), (5, 0, 7, false));
}

#[test]
fn a_fault_waits_for_a_cheaper_one() {
    // A fault two steps after 0; one step to 1, where another one leads to a deadlock. The fault of
    // three steps is generated first and must wait for both.
    let mut roads = Roads::plain(&[&[1], &[]]);
    roads.faults.insert(0, vec![(3, 7), (2, 8)]);
    roads.stuck.push(1);
    let first = |target| {
        let mut search = make(
            &roads,
            &Oracle::numbers(&[0, 0]),
            BestFirstConfig::A_STAR,
            SearchQuery::new(target),
        );
        assert_eq!(search.finish(), Outcome::Found);
        (search.hits()[0].kind, search.hits()[0].cost, search.path(0).len())
    };
    assert_eq!(first(SearchTarget::ANYTHING), (FindingKind::Deadlock, Some(Cost(1)), 2));
    let fault = FindingKind::Fault(crate::toys::assertion(8));
    assert_eq!(first(SearchTarget::FAULT), (fault, Some(Cost(2)), 1));
}

#[test]
fn of_equals_a_fault_comes_first() {
    let mut roads = Roads::plain(&[&[1], &[0]]);
    roads.faults.insert(0, vec![(1, 7)]);
    let query = SearchQuery::new(SearchTarget::FAULT);
    let mut search = make(&roads, &Oracle::numbers(&[0, 0]), BestFirstConfig::A_STAR, query);
    assert_eq!((search.finish(), search.stats().expanded), (Outcome::Found, 1));
}

#[test]
fn goes_on_for_more_and_keeps_the_cheapest_way_to_each() {
    let (roads, oracle) = detour();
    let query = SearchQuery {
        after_hit: AfterHit::Continue,
        keep: 9,
        ..SearchQuery::new(SearchTarget::DEADLOCK)
    };
    // A greedy ranking, but with reopening: the first path to 4 is the costly one.
    let method = BestFirstConfig { reopening: Reopening::Always, ..BestFirstConfig::GREEDY };
    let mut search = make(&roads, &oracle, method, query);
    assert_eq!(search.finish(), Outcome::Complete);
    assert_eq!(search.hits().len(), 1);
    assert_eq!(check_paths(&roads, SearchTarget::DEADLOCK, &*search), [6]);
    assert_eq!(search.lower_bound(), Cost(6));
}

#[test]
fn hits_that_are_not_kept_do_not_make_others_look_cheap() {
    for (seed, roads) in random_roads().enumerate() {
        for oracle in oracles(&roads, SearchTarget::ANYTHING, seed as u64) {
            for method in
                [BestFirstConfig::A_STAR, BestFirstConfig::GREEDY, BestFirstConfig::weighted(HALF)]
            {
                let query = SearchQuery {
                    after_hit: AfterHit::Continue,
                    ..SearchQuery::new(SearchTarget::ANYTHING)
                };
                let mut search = make(&roads, &oracle, method, query);
                assert_eq!(search.finish(), Outcome::Complete);
                let costs = check_paths(&roads, SearchTarget::ANYTHING, &*search);
                if method == BestFirstConfig::A_STAR
                    && oracle.claims.admissible
                    && !costs.is_empty()
                {
                    assert!(search.is_shortest(0), "it was when it was found");
                }
            }
        }
    }
}

#[test]
fn a_safe_dead_end_is_left_out_and_an_unsafe_one_comes_last() {
    // 0 → 1 → 2, where 1 is a dead end by its estimate, and 0 → 3 → 4.
    let mut roads = Roads::plain(&[&[1, 3], &[2], &[], &[4], &[]]);
    let mut oracle = Oracle::numbers(&[0, 0, 0, 9, 9]);
    oracle.estimates[1] = Estimate::DeadEnd;
    let order = |roads: &Roads, claims, method| {
        let oracle = Oracle { claims, ..oracle.clone() };
        let mut search = make(roads, &oracle, method, SearchQuery::new(SearchTarget::DEADLOCK));
        let outcome = search.finish();
        let path = search.hits().first().map(|_| search.path(0).len());
        (outcome, search.stats().expanded, path)
    };
    let safe = Claims { safe: true, ..Claims::NONE };
    for method in
        variants(BestFirstConfig::A_STAR).filter(|method| method.goal_test == GoalTest::Expansion)
    {
        assert_eq!(order(&roads, safe, method), (Outcome::Complete, 3, None));
        assert_eq!(order(&roads, Claims::NONE, method), (Outcome::Complete, 5, None));
    }
    roads.stuck = vec![2, 4];
    // 4 is found before any successor of 1 is expanded.
    assert_eq!(order(&roads, Claims::NONE, BestFirstConfig::A_STAR), (Outcome::Found, 3, Some(3)));
    roads.stuck = vec![2];
    assert_eq!(order(&roads, Claims::NONE, BestFirstConfig::A_STAR), (Outcome::Found, 5, Some(3)));
    assert_eq!(order(&roads, safe, BestFirstConfig::A_STAR), (Outcome::Complete, 3, None));
}

#[test]
fn without_a_target_it_is_an_exploration() {
    for roads in random_roads() {
        let mut exploration =
            Exploration::new(&roads, ExplorationOptions::default()).expect("no failure");
        exploration.finish();
        let explored = exploration.stats();
        let wild = Oracle::numbers(&vec![3; roads.edges.len()]);
        for method in variants(BestFirstConfig::A_STAR) {
            let mut search = make(&roads, &wild, method, SearchQuery::new(SearchTarget::NOTHING));
            assert_eq!(search.finish(), Outcome::Complete);
            let stats = search.stats();
            assert_eq!(stats.stored, explored.stored);
            assert_eq!(stats.expanded, explored.expanded + stats.reopened);
            assert_eq!(stats.generated, stats.stored + stats.matched - 1);
            let lazy = method.evaluation == Evaluation::Lazy;
            assert_eq!(stats.evaluated, if lazy { stats.expanded } else { stats.stored });
            if stats.reopened == 0 {
                assert_eq!(stats.matched, explored.matched);
                assert_eq!(stats.errors, explored.errors);
            }
            assert_eq!((stats.h_initial, stats.h_min, stats.h_max), (Some(3), Some(3), Some(3)));
            assert_eq!(search.lower_bound(), Cost(u32::MAX));
        }
    }
}

#[test]
fn slices_and_stores_make_no_difference() {
    for (seed, roads) in random_roads().enumerate().step_by(3) {
        for target in [SearchTarget::NOTHING, SearchTarget::FAULT, SearchTarget::ANYTHING] {
            for oracle in oracles(&roads, target, seed as u64) {
                for method in [
                    BestFirstConfig::A_STAR,
                    BestFirstConfig::GREEDY,
                    BestFirstConfig::weighted(HALF),
                ] {
                    for after_hit in [AfterHit::Stop, AfterHit::Continue] {
                        let query = SearchQuery { after_hit, keep: 3, ..SearchQuery::new(target) };
                        let (outcome, stats, hits, ..) =
                            check_slices(|| make(&roads, &oracle, method, query));
                        let heuristic = oracle.boxed();
                        let mut compact: BestFirst<'_, CompactStore> =
                            BestFirst::with_store(&roads, heuristic, method, query)
                                .expect("roads do not fail");
                        assert_eq!((compact.finish(), compact.hits()), (outcome, hits));
                        assert_eq!(compact.stats().expanded, stats.expanded);
                    }
                }
            }
        }
    }
}

#[test]
fn a_depth_limit_bounds_costs_and_is_admitted() {
    for (seed, roads) in random_roads().enumerate() {
        let Some(truth) = roads.distances(SearchTarget::DEADLOCK)[0] else { continue };
        for oracle in oracles(&roads, SearchTarget::DEADLOCK, seed as u64) {
            let limited = |depth| {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
                let mut search = make(&roads, &oracle, BestFirstConfig::A_STAR, query);
                (search.finish(), check_paths(&roads, SearchTarget::DEADLOCK, &*search))
            };
            let (outcome, costs) = limited(truth);
            assert_eq!(outcome, Outcome::Found);
            assert_eq!(costs, [truth]);
            if truth > 0 {
                assert_eq!(limited(truth - 1), (Outcome::Incomplete(Stop::Depth), vec![]));
            }
        }
    }
}

#[test]
fn a_state_beyond_the_limit_comes_back_on_a_cheaper_way() {
    // 1 is beyond the limit on the first path.
    let edges = vec![vec![(1, 5), (2, 1)], vec![], vec![(1, 1)]];
    let roads = Roads { edges, stuck: vec![1], ..Roads::default() };
    for method in variants(BestFirstConfig::GREEDY).chain(variants(BestFirstConfig::A_STAR)) {
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
        let mut search = make(&roads, &Oracle::numbers(&[0; 3]), method, query);
        assert_eq!(search.finish(), Outcome::Found, "{method:?}");
        assert_eq!(check_paths(&roads, SearchTarget::DEADLOCK, &*search), [2]);
    }
}

#[test]
fn memory_limits_are_kept_and_nodes_and_queues_count() {
    let roads = city(120);
    let blind = || Box::new(Blind);
    for method in [
        BestFirstConfig::A_STAR,
        BestFirstConfig { tie_break: TieBreak::LowH, ..BestFirstConfig::GREEDY },
    ] {
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let mut free = BestFirst::new(&roads, blind(), method, query).expect("no failure");
        assert_eq!(free.finish(), Outcome::Complete);
        let (needed, stored) = (free.bytes(), free.stats().store_bytes as usize);
        assert!(needed >= stored + 12 * 14_400, "{needed} {stored}");
        for bytes in [0, 1_000, 10_000, needed / 2, needed - 1] {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let query = SearchQuery { limits, ..query };
            let mut search = BestFirst::new(&roads, blind(), method, query).expect("no failure");
            assert_eq!(search.finish(), Outcome::Incomplete(Stop::Memory), "{bytes}");
        }
        for states in [0, 1, 2, 14_399] {
            let limits = Limits { states: Some(states), ..Limits::default() };
            let query = SearchQuery { limits, ..query };
            let mut search = BestFirst::new(&roads, blind(), method, query).expect("no failure");
            assert_eq!(search.finish(), Outcome::Incomplete(Stop::Memory));
            assert_eq!(search.stats().stored, states as u64);
            // A state with missing successors counts as open.
            assert!(states == 0 || search.lower_bound() < Cost(u32::MAX));
        }
    }
}

#[test]
fn a_raised_flag_stops_the_next_slice() {
    let (roads, flag) = (city(30), AtomicBool::new(false));
    let query = SearchQuery { stop: Some(&flag), ..SearchQuery::new(SearchTarget::DEADLOCK) };
    let mut search = BestFirst::new(&roads, Box::new(Blind), BestFirstConfig::A_STAR, query)
        .expect("no failure");
    assert_eq!(search.advance(SliceBudget::expansions(10)), Progress::Paused);
    flag.store(true, Ordering::Relaxed);
    assert_eq!(search.finish(), Outcome::Incomplete(Stop::Interrupted));
    assert_eq!(search.stats().expanded, 10);
}

#[test]
fn other_costs_are_another_space() {
    /// Costs one for a move to a node with an odd number, zero for others.
    struct Odd<'a>(&'a Roads);
    impl Space for Odd<'_> {
        fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
            self.0.initial(state)
        }
        fn expand(&self, state: &[u8], expansion: &mut Expansion) {
            self.0.expand(state, expansion);
            let odd = |at: usize| u32::from(crate::roads::node(expansion.state(at)) % 2 == 1);
            let costs: Vec<u32> = (0..expansion.len()).map(odd).collect();
            let (_, ways, _) = expansion.successors.parts();
            ways.iter_mut().zip(costs).for_each(|(way, cost)| way.steps = cost);
        }
        fn expander(&self) -> Box<dyn Expander + '_> {
            struct Own<'a>(&'a Odd<'a>);
            impl Expander for Own<'_> {
                fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
                    self.0.expand(state, expansion);
                }
            }
            Box::new(Own(self))
        }
    }
    // The path 0 → 1 → 7 is short; 0 → 2 → 4 → 6 → 7 has fewer odd nodes.
    let mut roads = Roads::plain(&[&[1, 2], &[7], &[4], &[], &[6], &[], &[7], &[]]);
    roads.stuck.push(7);
    let odd = Odd(&roads);
    let query = SearchQuery::new(SearchTarget::DEADLOCK);
    let mut search =
        BestFirst::new(&odd, Box::new(Blind), BestFirstConfig::A_STAR, query).expect("fine");
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!((search.hits()[0].cost, search.path(0).len()), (Some(Cost(1)), 5));
    assert!(search.is_shortest(0));
}

#[test]
fn a_good_heuristic_saves_work() {
    let roads = city(20);
    let perfect = Oracle::from_truth(&roads, SearchTarget::DEADLOCK, Claims::ALL, |d| d);
    let expanded = |method| {
        let mut search = make(&roads, &perfect, method, SearchQuery::new(SearchTarget::DEADLOCK));
        assert_eq!(search.finish(), Outcome::Found);
        search.stats().expanded
    };
    assert_eq!(expanded(BestFirstConfig::DIJKSTRA), 400);
    assert_eq!(expanded(BestFirstConfig::A_STAR), 39);
    assert_eq!(expanded(BestFirstConfig::GREEDY), 39);
}
