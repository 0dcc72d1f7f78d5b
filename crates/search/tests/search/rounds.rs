//! Best-first and beam search in rounds: the guarantees of one thread, and the same results in
//! every run with any number of threads.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use beeline_kernel::{
    Blind, Claims, Cost, Estimate, Expansion, Fault, Heuristic, Space, SplitMix64, Stop,
};
use beeline_search::{
    AfterHit, BestFirstConfig, Evaluation, FindingKind, Limits, Outcome, Progress, QueueOrder,
    Reopening, RoundKind, RoundSetup, Search, SearchHeuristics, SearchQuery, SearchSetup,
    SearchTarget, SliceBudget, Stats, TieBreak, Weight, search_in_rounds,
};
use beeline_test_size::one_in;

use crate::roads::{Oracle, Roads, Seen, TARGETS, check_paths, node, oracles, random_roads};
use crate::toys::Grid;

const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// Roads whose expansions are delayed at random.
struct Delayed<'a> {
    roads: &'a Roads,
    seed: AtomicU32,
}

impl<'a> Delayed<'a> {
    fn new(roads: &'a Roads) -> Delayed<'a> {
        Delayed { roads, seed: AtomicU32::new(1) }
    }
}

impl Space for Delayed<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.roads.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let mut rng = SplitMix64::new(u64::from(self.seed.fetch_add(1, Ordering::Relaxed)));
        if rng.below(20) == 0 {
            std::thread::yield_now();
        }
        self.roads.expand(state, expansion);
    }
}

/// An oracle that claims to take so long that every round is worth several threads.
#[derive(Clone)]
struct Slow {
    oracle: Oracle,
    estimates: u64,
}

impl Slow {
    fn boxed(oracle: &Oracle) -> Box<dyn Heuristic> {
        Box::new(Slow { oracle: oracle.clone(), estimates: 0 })
    }
}

impl Heuristic for Slow {
    fn name(&self) -> &str {
        "slow oracle"
    }

    fn claims(&self) -> Claims {
        self.oracle.claims
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.estimates += 1;
        self.oracle.estimate(state)
    }

    fn effort(&self) -> u64 {
        self.estimates * 100_000
    }
}

fn run<R>(
    space: &dyn Space,
    heuristic: Box<dyn Heuristic>,
    kind: RoundKind,
    query: SearchQuery<'_>,
    threads: usize,
    mut look: impl FnMut(&mut dyn Search) -> R,
) -> R {
    let setup = RoundSetup { space, heuristic, query, threads };
    let mut seen = None;
    let body = &mut |search: &mut dyn Search| seen = Some(look(search));
    search_in_rounds(kind, setup, body).expect("roads do not fail");
    seen.expect("the body is called")
}

/// Runs a search to its end in slices, without the counters that depend on the run.
fn seen(search: &mut dyn Search, slice: u64) -> Seen {
    let outcome = loop {
        if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
            break outcome;
        }
    };
    let stats = Stats { store_bytes: 0, table_bytes: 0, effort: 0, ..search.stats() };
    let hits = search.hits();
    let paths = (0..hits.len()).map(|hit| search.path(hit)).collect();
    (outcome, stats, hits, paths, search.lower_bound())
}

/// Runs a search with each number of threads, checks its paths, and returns what all have seen.
fn same(roads: &Roads, oracle: &Oracle, kind: RoundKind, query: SearchQuery<'_>) -> Seen {
    let delayed = Delayed::new(roads);
    let mut first = None;
    for (threads, slice) in THREADS.into_iter().zip([u64::MAX, 7, 1, 100, 33, 5]) {
        let found = run(&delayed, Slow::boxed(oracle), kind, query, threads, |search| {
            let found = seen(search, slice);
            check_paths(roads, query.target, search);
            found
        });
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(found, *first, "{threads} threads");
    }
    first.expect("there are several numbers of threads")
}

fn configs() -> Vec<BestFirstConfig> {
    let weighted = BestFirstConfig::weighted(Weight { over: 3, under: 2 });
    let mixed = BestFirstConfig::mixed(Weight { over: 1, under: 3 });
    vec![
        BestFirstConfig::A_STAR,
        BestFirstConfig::DIJKSTRA,
        BestFirstConfig::GREEDY,
        weighted,
        BestFirstConfig { tie_break: TieBreak::LowH, ..BestFirstConfig::A_STAR },
        BestFirstConfig { queue_order: QueueOrder::Fifo, ..BestFirstConfig::A_STAR },
        BestFirstConfig { tie_break: TieBreak::LowG, ..mixed },
        BestFirstConfig { reopening: Reopening::Never, ..BestFirstConfig::A_STAR },
        BestFirstConfig { reopening: Reopening::Always, ..BestFirstConfig::GREEDY },
    ]
}

#[test]
fn searches_in_rounds_keep_their_promises_and_are_the_same_in_every_run() {
    let mut shortest = 0;
    for (seed, roads) in random_roads().enumerate().step_by(3) {
        let target = TARGETS[seed % TARGETS.len()];
        let truth = roads.distances(target)[0];
        let expected = if truth.is_some() { Outcome::Found } else { Outcome::Complete };
        for (number, oracle) in oracles(&roads, target, seed as u64).iter().enumerate() {
            for config in configs().into_iter().skip((seed + number) % 2).step_by(2) {
                let kind = RoundKind::BestFirst(config);
                let (outcome, _, hits, _, bound) =
                    same(&roads, oracle, kind, SearchQuery::new(target));
                assert_eq!(outcome, expected, "{config:?}");
                let cost = hits.first().and_then(|hit| hit.cost).map(|cost| cost.0);
                let is_optimal = config.ranking == BestFirstConfig::DIJKSTRA.ranking
                    || config.ranking == BestFirstConfig::A_STAR.ranking
                        && oracle.claims.admissible
                        && (config.reopening == Reopening::Always || oracle.claims.consistent);
                if is_optimal {
                    assert_eq!(cost, truth, "{config:?}");
                    assert_eq!(cost.unwrap_or(u32::MAX), bound.0, "{config:?}");
                    shortest += u32::from(cost.is_some());
                }
            }
        }
    }
    assert!(shortest > 20, "{shortest}");
}

#[test]
fn large_spaces_are_the_same_in_every_run() {
    for (seed, target) in [(1, SearchTarget::NOTHING), (2, SearchTarget::ANYTHING)] {
        let mut roads = Roads::random(seed, 3_000, 5, 3);
        if target != SearchTarget::NOTHING {
            // Errors far away only.
            roads.stuck = vec![2_990];
            roads.faults.clear();
            roads.broken.clear();
        }
        let halves: Vec<u32> = (0..3_000).map(|node| (3_000 - node) / 16).collect();
        for config in [
            BestFirstConfig::A_STAR,
            BestFirstConfig::DIJKSTRA,
            BestFirstConfig::GREEDY,
            BestFirstConfig { reopening: Reopening::Always, ..BestFirstConfig::GREEDY },
        ]
        .into_iter()
        .step_by(one_in(1))
        {
            let kind = RoundKind::BestFirst(config);
            let oracle = Oracle::numbers(&halves);
            let (outcome, stats, ..) = same(&roads, &oracle, kind, SearchQuery::new(target));
            assert_eq!(outcome == Outcome::Complete, target == SearchTarget::NOTHING);
            assert!(stats.expanded > 100, "{stats:?}");
        }
    }
}

/// Estimates by the number of steps to the greatest values.
#[derive(Clone)]
struct Remaining(u8);

impl Heuristic for Remaining {
    fn name(&self) -> &str {
        "remaining"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        Estimate::Finite(Cost(state.iter().map(|&value| u32::from(self.0 - value)).sum()))
    }
}

#[test]
fn counts_are_those_of_the_space_if_all_of_it_is_searched() {
    let grid = Grid { counters: 5, top: 6 };
    for threads in THREADS {
        for (heuristic, config) in [
            (Box::new(Blind) as Box<dyn Heuristic>, BestFirstConfig::DIJKSTRA),
            (Box::new(Remaining(6)), BestFirstConfig::A_STAR),
            (Box::new(Remaining(6)), BestFirstConfig::GREEDY),
        ] {
            let kind = RoundKind::BestFirst(config);
            let query = SearchQuery::new(SearchTarget::NOTHING);
            run(&grid, heuristic, kind, query, threads, |search| {
                assert_eq!(search.finish(), Outcome::Complete);
                let stats = search.stats();
                assert_eq!((stats.stored, stats.expanded), (grid.stored(), grid.stored()));
                assert_eq!(stats.transitions(), grid.transitions());
                assert_eq!(stats.depth, grid.diameter());
                assert_eq!(search.lower_bound(), Cost(u32::MAX));
            });
        }
    }
}

#[test]
fn all_kinds_of_errors_are_found_if_asked() {
    for (seed, roads) in random_roads().enumerate().step_by(5) {
        let target = SearchTarget::ANYTHING;
        let query = SearchQuery { after_hit: AfterHit::Continue, ..SearchQuery::new(target) };
        let oracle = &oracles(&roads, target, seed as u64)[2];
        for config in [BestFirstConfig::A_STAR, BestFirstConfig::GREEDY] {
            let (outcome, _, hits, ..) = same(&roads, oracle, RoundKind::BestFirst(config), query);
            assert_eq!(outcome, Outcome::Complete);
            let mut alone = beeline_search::BestFirst::new(&roads, oracle.boxed(), config, query)
                .expect("roads do not fail");
            assert_eq!(alone.finish(), Outcome::Complete);
            let kinds = |hits: &[beeline_search::Hit]| {
                let mut kinds: Vec<String> =
                    hits.iter().map(|hit| format!("{:?}", hit.kind)).collect();
                kinds.sort();
                kinds
            };
            assert_eq!(kinds(&hits), kinds(&alone.hits()));
        }
    }
}

#[test]
fn a_beam_is_the_same_in_every_run_and_proves_only_if_it_drops_nothing() {
    let (mut found, mut dropped) = (0, 0);
    for (seed, roads) in random_roads().enumerate().skip(2).step_by(3) {
        let target = TARGETS[seed % TARGETS.len()];
        let exists = roads.distances(target)[0].is_some();
        for oracle in &oracles(&roads, target, seed as u64)[..3] {
            for width in [1, 5, 10_000] {
                let (outcome, ..) =
                    same(&roads, oracle, RoundKind::Beam(width), SearchQuery::new(target));
                found += u32::from(outcome == Outcome::Found);
                match outcome {
                    Outcome::Found => assert!(exists),
                    Outcome::Complete => assert!(!exists),
                    Outcome::Incomplete(stop) => {
                        assert_eq!(stop, Stop::IncompleteMethod);
                        dropped += 1;
                        assert!(width < 10_000);
                    }
                }
            }
        }
    }
    assert!(found > 20 && dropped > 0, "{found} {dropped}");
}

#[test]
fn limits_end_a_search() {
    let grid = Grid { counters: 5, top: 7 };
    for threads in THREADS {
        let limited = |limits| {
            let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
            let kind = RoundKind::BestFirst(BestFirstConfig::DIJKSTRA);
            run(&grid, Box::new(Blind), kind, query, threads, |search| {
                let outcome = search.finish();
                assert!(search.lower_bound() < Cost(u32::MAX) || outcome == Outcome::Complete);
                (outcome, search.stats())
            })
        };
        let (outcome, stats) = limited(Limits { depth: Some(3), ..Limits::default() });
        assert_eq!(outcome, Outcome::Incomplete(Stop::Depth));
        assert_eq!((stats.depth, stats.expanded, stats.stored), (3, 56, 126));
        let (outcome, _) = limited(Limits { depth: Some(35), ..Limits::default() });
        assert_eq!(outcome, Outcome::Complete);
        let (outcome, stats) = limited(Limits { states: Some(5_000), ..Limits::default() });
        assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
        assert!((2_000..=5_000).contains(&stats.stored), "{}", stats.stored);
        for bytes in [1, 100_000, 300_000] {
            let (outcome, _) = limited(Limits { bytes: Some(bytes), ..Limits::default() });
            assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
        }
        let (outcome, stats) = limited(Limits { bytes: Some(16 << 20), ..Limits::default() });
        assert_eq!((outcome, stats.stored), (Outcome::Complete, 32_768));
    }
}

/// Memory ends anywhere: when a node is written, when the table or the open list grows, or never.
#[test]
fn memory_may_run_out_at_any_moment() {
    let grid = Grid { counters: 5, top: 7 };
    let (mut full, mut complete) = (0, 0);
    for (number, bytes) in (60_000..8_000_000).step_by(200_000).enumerate() {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
        let kind = RoundKind::BestFirst(BestFirstConfig::DIJKSTRA);
        let (outcome, stats) =
            run(&grid, Box::new(Blind), kind, query, THREADS[number % 3], |search| {
                (search.finish(), search.stats())
            });
        match outcome {
            Outcome::Complete => {
                assert_eq!(stats.stored, 32_768);
                complete += 1;
            }
            outcome => {
                assert_eq!(outcome, Outcome::Incomplete(Stop::Memory), "{bytes} bytes");
                full += 1;
            }
        }
    }
    assert!(full > 2 && complete > 2, "{full} {complete}");
}

#[test]
fn a_flag_stops_a_search_and_a_caller_may_leave_it() {
    let grid = Grid { counters: 6, top: 9 };
    let kind = RoundKind::BestFirst(BestFirstConfig::A_STAR);
    for threads in THREADS {
        let stop = AtomicBool::new(false);
        let target = SearchTarget::NOTHING;
        let query = SearchQuery { stop: Some(&stop), ..SearchQuery::new(target) };
        run(&grid, Box::new(Blind), kind, query, threads, |search| {
            assert_eq!(search.advance(SliceBudget::expansions(9_000)), Progress::Paused);
            stop.store(true, Ordering::Relaxed);
            assert_eq!(search.finish(), Outcome::Incomplete(Stop::Interrupted));
            assert!(search.lower_bound() < Cost(40));
        });
        run(&grid, Box::new(Blind), kind, SearchQuery::new(target), threads, |search| {
            assert_eq!(search.advance(SliceBudget::expansions(5_000)), Progress::Paused);
        });
    }
}

/// Panics when it estimates one node.
#[derive(Clone)]
struct Broken(Oracle);

impl Heuristic for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn claims(&self) -> Claims {
        self.0.claims
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        assert_ne!(node(state), 77, "this estimate is broken");
        self.0.estimate(state)
    }

    fn effort(&self) -> u64 {
        1 << 40
    }
}

#[test]
fn a_panic_of_any_thread_is_one_of_the_search() {
    let roads = Roads::random(3, 200, 4, 2);
    let broken = Broken(Oracle::numbers(&[1; 200]));
    let kind = RoundKind::BestFirst(BestFirstConfig::DIJKSTRA);
    for threads in THREADS {
        let query = SearchQuery::new(SearchTarget::NOTHING);
        let result = std::panic::catch_unwind(|| {
            run(&roads, Box::new(broken.clone()), kind, query, threads, |search| search.finish())
        });
        let payload = result.expect_err("one estimate is broken");
        let text = payload.downcast_ref::<String>().expect("a message");
        assert!(text.contains("this estimate is broken"), "{text}");
    }
}

/// A long search changes to rounds; a short one has the results of one thread.
#[test]
fn long_searches_only_are_in_rounds() {
    use beeline_search::{DirectedAlgorithm, SearchStore};
    let grid = Grid { counters: 5, top: 7 };
    let searched = |target, config: BestFirstConfig, threads| {
        let heuristics = SearchHeuristics::only(Box::new(Remaining(7)));
        let query = SearchQuery::new(target);
        let setup = SearchSetup { space: &grid, heuristics, query, reduction: None };
        let mut told = None;
        let body = &mut |search: &mut dyn Search| {
            let outcome = search.finish();
            let deadlocks =
                search.hits().into_iter().filter(|hit| hit.kind == FindingKind::Deadlock);
            told = Some((outcome, search.name(), deadlocks.count(), search.stats().expanded));
        };
        config.run_with(setup, SearchStore::Exact, threads, body).expect("it starts");
        told.expect("the body is called")
    };
    let (deadlock, nothing) = (SearchTarget::DEADLOCK, SearchTarget::NOTHING);
    let a_star = BestFirstConfig::A_STAR;
    let short = searched(deadlock, a_star, 4);
    assert_eq!(short, (Outcome::Found, "best-first", 1, 36));
    assert_eq!(short, searched(deadlock, a_star, 1));
    let (outcome, name, _, expanded) = searched(nothing, a_star, 4);
    assert_eq!((outcome, name, expanded), (Outcome::Complete, "best-first in rounds", 32_768));
    assert_eq!(searched(nothing, a_star, 1).1, "best-first");
    let lazy = BestFirstConfig { evaluation: Evaluation::Lazy, ..a_star };
    assert_eq!(searched(nothing, lazy, 4).1, "best-first");
}
