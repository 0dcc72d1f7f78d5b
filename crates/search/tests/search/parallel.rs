//! The parallel exploration agrees with the sequential one, for any number of threads.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use beeline_kernel::{Expansion, Fault, Space, SplitMix64, StatePath, Stop};
use beeline_search::{
    ExplorationOptions, ExplorationOrder, FindingKind, Limits, Outcome, ParallelOptions, Progress,
    Search, SliceBudget, Stats, StopCondition, explore_in_parallel,
};

use crate::toys::{Graph, Grid, explore, line, random_graphs};

const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];

fn options(threads: usize) -> ParallelOptions<'static> {
    let until = StopCondition::Exhausted;
    ParallelOptions { threads, until, limits: Limits::default(), stop: None }
}

/// The result of a search: outcome, counters, and hits with their paths.
type Answer = (Outcome, Stats, Vec<(FindingKind, StatePath)>);

fn run(space: &dyn Space, options: ParallelOptions<'_>, slice: u64) -> Answer {
    let body = |search: &mut dyn Search| {
        let outcome = loop {
            if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
                break outcome;
            }
        };
        let hits = search.hits();
        let paths = hits.iter().enumerate().map(|(at, hit)| (hit.kind, search.path(at)));
        // These may differ between runs.
        let stats = Stats { table_bytes: 0, slept: 0, ..search.stats() };
        (outcome, stats, paths.collect())
    };
    explore_in_parallel(space, options, body).expect("toys do not fail at once")
}

fn sequentially<S: Space>(space: &S) -> Answer {
    let order = ExplorationOrder::Breadth;
    let mut search = explore(space, ExplorationOptions { order, ..ExplorationOptions::default() });
    let outcome = search.finish();
    let hits = search.hits();
    let paths = hits.iter().enumerate().map(|(at, hit)| (hit.kind, search.path(at))).collect();
    (outcome, Stats { store_bytes: 0, table_bytes: 0, slept: 0, ..search.stats() }, paths)
}

/// Compares with the sequential search, and all runs with each other.
fn check<S: Space>(space: &S, runs: u64) {
    let (outcome, stats, hits) = sequentially(space);
    let mut first: Option<Answer> = None;
    for threads in THREADS {
        for run_number in 0..runs {
            let found = run(space, options(threads), 1 + 100 * run_number);
            let counts = Stats { store_bytes: 0, ..found.1 };
            assert_eq!((found.0, counts), (outcome, stats), "{threads} threads");
            for (kind, path) in &found.2 {
                let shortest = hits.iter().find(|(other, _)| other == kind);
                let shortest = shortest.map(|(_, path)| path.transitions());
                assert_eq!(Some(path.transitions()), shortest);
                assert_connected(space, path);
            }
            assert_eq!(found.2.len(), hits.len());
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!(found.2, first.2, "{threads} threads");
        }
    }
}

fn assert_connected<S: Space>(space: &S, path: &StatePath) {
    let mut expansion = Expansion::default();
    let mut pairs = path.pairs();
    while let Some((from, to)) = pairs.advance() {
        space.expand(from, &mut expansion);
        assert!(expansion.states().any(|state| state == to));
    }
}

#[test]
fn counts_hits_and_paths_are_the_same_with_any_number_of_threads() {
    for graph in random_graphs() {
        check(&graph, 1);
    }
    for seed in 0..4 {
        check(&Graph::random(seed, 20_000, 3), 2);
    }
    for (counters, top) in [(1, 0), (1, 9), (12, 1), (5, 7)] {
        check(&Grid { counters, top }, 2);
    }
}

/// Delays expansions at random.
pub(crate) struct Delayed<'a> {
    graph: &'a Graph,
    seed: AtomicU32,
}

impl<'a> Delayed<'a> {
    pub(crate) fn new(graph: &'a Graph, seed: u32) -> Delayed<'a> {
        Delayed { graph, seed: AtomicU32::new(seed) }
    }
}

impl Space for Delayed<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.graph.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let mut rng = SplitMix64::new(u64::from(self.seed.fetch_add(1, Ordering::Relaxed)));
        if rng.below(20) == 0 {
            std::thread::yield_now();
        }
        self.graph.expand(state, expansion);
    }
}

#[test]
fn delays_change_nothing() {
    for seed in 0..6 {
        let graph = Graph::random(100 + seed, 4_000, 3);
        check(&Delayed::new(&graph, seed as u32), 1);
    }
}

#[test]
fn limits_end_a_search() {
    let grid = Grid { counters: 5, top: 7 };
    for threads in THREADS {
        let limited = |limits| run(&grid, ParallelOptions { limits, ..options(threads) }, 64);
        let (outcome, stats, _) = limited(Limits { depth: Some(3), ..Limits::default() });
        assert_eq!(outcome, Outcome::Incomplete(Stop::Depth));
        assert_eq!((stats.depth, stats.expanded, stats.stored), (3, 56, 126));
        let (outcome, ..) = limited(Limits { depth: Some(35), ..Limits::default() });
        assert_eq!(outcome, Outcome::Complete);
        let (outcome, stats, _) = limited(Limits { states: Some(5_000), ..Limits::default() });
        assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
        assert!((2_000..=5_000).contains(&stats.stored), "{}", stats.stored);
        for bytes in [1, 100_000, 300_000] {
            let (outcome, ..) = limited(Limits { bytes: Some(bytes), ..Limits::default() });
            assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
        }
        let (outcome, stats, _) = limited(Limits { bytes: Some(8 << 20), ..Limits::default() });
        assert_eq!((outcome, stats.stored), (Outcome::Complete, 32_768));
    }
}

#[test]
fn a_flag_stops_a_search_and_a_caller_may_leave_it() {
    let grid = Grid { counters: 6, top: 9 };
    for threads in THREADS {
        let stop = AtomicBool::new(false);
        let stopped = ParallelOptions { stop: Some(&stop), ..options(threads) };
        let outcome = explore_in_parallel(&grid, stopped, |search| {
            assert_eq!(search.advance(SliceBudget::expansions(9_000)), Progress::Paused);
            stop.store(true, Ordering::Relaxed);
            search.finish()
        });
        assert_eq!(outcome, Ok(Outcome::Incomplete(Stop::Interrupted)));
        let progress = explore_in_parallel(&grid, options(threads), |search| {
            search.advance(SliceBudget::expansions(5_000))
        });
        assert_eq!(progress, Ok(Progress::Paused));
    }
}

/// A caller leaves or stops the search after any number of slices: between levels, in the middle of
/// them, and while the table grows.
#[test]
fn a_search_ends_at_any_moment() {
    let grid = Grid { counters: 5, top: 7 };
    for (number, slices) in (0..600).step_by(13).enumerate() {
        let stop = AtomicBool::new(false);
        let threads = THREADS[number % 4];
        let stopped = ParallelOptions { stop: Some(&stop), ..options(threads) };
        let outcome = explore_in_parallel(&grid, stopped, |search| {
            for _ in 0..slices {
                if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(40)) {
                    return Some(outcome);
                }
            }
            if number % 2 == 0 {
                return None;
            }
            stop.store(true, Ordering::Relaxed);
            Some(search.finish())
        });
        let complete = Some(Outcome::Complete);
        let interrupted = Some(Outcome::Incomplete(Stop::Interrupted));
        let is_expected = |outcome| outcome == complete || outcome == interrupted;
        assert!(outcome.is_ok_and(|outcome| outcome.is_none() || is_expected(outcome)));
    }
}

/// Memory ends anywhere: when a record is written, when the table grows beside the old one or in its
/// place, or never.
#[test]
fn memory_may_run_out_at_any_moment() {
    let grid = Grid { counters: 5, top: 7 };
    let (mut stored, mut complete) = ([0; 2], 0);
    for (number, bytes) in (60_000..2_400_000).step_by(60_000).enumerate() {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        let threads = THREADS[number % 3];
        let (outcome, stats, _) = run(&grid, ParallelOptions { limits, ..options(threads) }, 64);
        assert!(stats.store_bytes as usize <= bytes);
        match outcome {
            Outcome::Complete => {
                assert_eq!(stats.stored, 32_768);
                complete += 1;
            }
            outcome => assert_eq!(outcome, Outcome::Incomplete(Stop::Memory), "{bytes} bytes"),
        }
        stored[usize::from(number >= 20)] += stats.stored;
    }
    assert!(complete > 10 && stored[0] < stored[1], "{complete} {stored:?}");
}

#[test]
fn a_search_for_the_first_finding_ends_with_its_level() {
    let graph = line(30);
    let until = StopCondition::FirstDeadlock;
    let (outcome, stats, hits) = run(&graph, ParallelOptions { until, ..options(2) }, 7);
    assert_eq!((outcome, stats.stored, hits.len()), (Outcome::Found, 31, 1));
    assert_eq!(hits[0].1.transitions(), 30);
}

/// Panics in one state.
struct Broken(Grid);

impl Space for Broken {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.0.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        assert_ne!(state, [3, 1, 4, 1, 5], "this state is broken");
        self.0.expand(state, expansion);
    }
}

#[test]
fn a_panic_of_any_thread_is_one_of_the_search() {
    let broken = Broken(Grid { counters: 5, top: 7 });
    for threads in THREADS {
        let result = std::panic::catch_unwind(|| run(&broken, options(threads), 64));
        let payload = result.expect_err("one state is broken");
        let text = payload.downcast_ref::<String>().expect("a message");
        assert!(text.contains("this state is broken"), "{text}");
    }
}
