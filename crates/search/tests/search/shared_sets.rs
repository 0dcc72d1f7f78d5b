//! Breadth-first search in threads with sets that do not give states back: the compact set agrees
//! with the sequential search, the lossy ones as far as they omit nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Expansion, Fault, Space, StatePath, Stop};
use beeline_search::{
    ExplorationOptions, FindingKind, Limits, NoSetSearch, Outcome, ParallelOptions, Progress,
    Search, SharedSetKind, SliceBudget, Stats, StopCondition, explore_with_shared_set,
};

use crate::parallel::Delayed;
use crate::toys::{Graph, Grid, explore, line, random_graphs};

const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];
const COMPACT: SharedSetKind = SharedSetKind::Compact;
const HASH_COMPACT: SharedSetKind = SharedSetKind::HashCompact { seed: 1 };
const BITSTATE: SharedSetKind = SharedSetKind::Bitstate { seed: 1, bytes: 8 << 20, bits: 3 };

fn options(threads: usize) -> ParallelOptions<'static> {
    let until = StopCondition::Exhausted;
    ParallelOptions { threads, until, limits: Limits::default(), stop: None }
}

/// The result of a search: outcome, counters, and hits with their paths.
type Answer = (Outcome, Stats, Vec<(FindingKind, StatePath)>);

fn answer(search: &mut dyn Search, slice: u64) -> Answer {
    let outcome = loop {
        if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
            break outcome;
        }
    };
    let hits = search.hits();
    let mut paths: Vec<(FindingKind, StatePath)> =
        hits.iter().enumerate().map(|(at, hit)| (hit.kind, search.path(at))).collect();
    paths.sort_by_key(|(kind, _)| format!("{kind:?}"));
    let stats = Stats { store_bytes: 0, table_bytes: 0, slept: 0, ..search.stats() };
    (outcome, stats, paths)
}

fn run(space: &dyn Space, kind: SharedSetKind, options: ParallelOptions<'_>, slice: u64) -> Answer {
    let body = |search: &mut dyn Search| answer(search, slice);
    explore_with_shared_set(space, kind, options, body).expect("toys do not fail at once")
}

/// Compares with the sequential search.
fn check<S: Space>(space: &S, slice: u64) {
    let expected = answer(&mut explore(space, ExplorationOptions::default()), u64::MAX);
    for threads in THREADS {
        for kind in [COMPACT, HASH_COMPACT, BITSTATE] {
            let found = run(space, kind, options(threads), slice);
            if kind == COMPACT {
                assert_eq!(found.0, expected.0, "{threads} threads");
            } else {
                assert_eq!(found.0, Outcome::Incomplete(Stop::LossyStore));
            }
            if kind == BITSTATE {
                // A state may be expanded twice.
                let (stored, least) = (found.1.stored, expected.1.stored);
                assert!((least..least + 50 + least / 10).contains(&stored), "{stored} {least}");
            } else {
                assert_eq!(found.1, expected.1, "{threads} threads, {kind:?}");
            }
            assert_eq!(found.2.len(), expected.2.len());
            for ((kind, path), (other, shortest)) in found.2.iter().zip(&expected.2) {
                assert_eq!((kind, path.transitions()), (other, shortest.transitions()));
                assert_connected(space, path);
            }
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
fn counts_and_lengths_are_those_of_one_thread() {
    random_graphs().for_each(|graph| check(&graph, 7));
    for seed in 0..2 {
        check(&Graph::random(seed, 8_000, 3), 100);
        let graph = Graph::random(50 + seed, 3_000, 3);
        check(&Delayed::new(&graph, seed as u32), 64);
    }
    for (counters, top) in [(1, 0), (12, 1), (5, 7)] {
        check(&Grid { counters, top }, 1_000);
    }
}

#[test]
fn the_compact_set_takes_few_bytes() {
    let grid = Grid { counters: 6, top: 7 };
    for threads in [1, 4] {
        let (stats, bytes) = explore_with_shared_set(&grid, COMPACT, options(threads), |search| {
            assert_eq!(search.finish(), Outcome::Complete);
            let stats = search.stats();
            (stats, stats.store_bytes - stats.table_bytes)
        })
        .expect("it has an initial state");
        assert_eq!(stats.stored, 262_144);
        // Three bits for each of the counters, a code, a length; in chunks of up to four megabytes.
        let room = 6 * stats.stored + threads as u64 * (1 << 20);
        assert!(bytes <= room, "{bytes} > {room}");
    }
}

#[test]
fn limits_end_a_search() {
    let grid = Grid { counters: 5, top: 7 };
    for threads in THREADS {
        let limited =
            |kind, limits| run(&grid, kind, ParallelOptions { limits, ..options(threads) }, 64);
        for kind in [COMPACT, HASH_COMPACT] {
            let (outcome, stats, _) = limited(kind, Limits { depth: Some(3), ..Limits::default() });
            assert_eq!(outcome, Outcome::Incomplete(Stop::Depth));
            assert_eq!((stats.depth, stats.expanded, stats.stored), (3, 56, 126));
            let limits = Limits { states: Some(5_000), ..Limits::default() };
            let (outcome, stats, _) = limited(kind, limits);
            assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
            assert!((2_000..=5_000).contains(&stats.stored), "{}", stats.stored);
            for bytes in [1, 100_000] {
                let (outcome, ..) =
                    limited(kind, Limits { bytes: Some(bytes), ..Limits::default() });
                assert_eq!(outcome, Outcome::Incomplete(Stop::Memory), "{kind:?} {bytes}");
            }
            let (_, stats, _) = limited(kind, Limits { bytes: Some(8 << 20), ..Limits::default() });
            assert_eq!(stats.stored, 32_768);
        }
        let bytes = Some(BITS + 20_000);
        let (outcome, ..) = limited(SMALL, Limits { bytes, ..Limits::default() });
        assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
    }
}

/// Memory ends anywhere: in the set, in the states of a level, in the links to parents, or never.
#[test]
fn memory_may_run_out_at_any_moment() {
    let grid = Grid { counters: 5, top: 7 };
    let (mut full, mut all) = (0, 0);
    for (number, bytes) in (60_000..3_000_000).step_by(90_000).enumerate() {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        let options = ParallelOptions { limits, ..options(THREADS[number % 3]) };
        let (outcome, stats, _) = run(&grid, [COMPACT, HASH_COMPACT][number % 2], options, 64);
        match outcome {
            Outcome::Incomplete(Stop::Memory) => full += 1,
            Outcome::Complete | Outcome::Incomplete(Stop::LossyStore) => {
                assert_eq!(stats.stored, 32_768);
                all += 1;
            }
            outcome => panic!("{outcome:?} with {bytes} bytes"),
        }
    }
    assert!(full > 2 && all > 2, "{full} {all}");
}

const BITS: usize = 1 << 16;
const SMALL: SharedSetKind = SharedSetKind::Bitstate { seed: 1, bytes: BITS, bits: 3 };

#[test]
fn a_small_array_omits_states_and_says_how_many() {
    let grid = Grid { counters: 6, top: 7 };
    let kind = SharedSetKind::Bitstate { seed: 3, bytes: 1 << 17, bits: 2 };
    for threads in [1, 4] {
        let (stats, omissions) = explore_with_shared_set(&grid, kind, options(threads), |search| {
            assert_eq!(search.finish(), Outcome::Incomplete(Stop::LossyStore));
            (search.stats(), search.omissions().expect("the set is lossy"))
        })
        .expect("there is memory");
        assert!(stats.stored < 262_000, "{}", stats.stored);
        assert!(omissions.expected > 100.0, "{omissions}");
    }
    let too_large = SharedSetKind::Bitstate { seed: 3, bytes: usize::MAX / 2, bits: 2 };
    let started = explore_with_shared_set(&grid, too_large, options(2), |_| ());
    assert_eq!(started, Err(NoSetSearch::Memory));
}

#[test]
fn a_flag_stops_a_search_and_a_caller_may_leave_it() {
    let grid = Grid { counters: 6, top: 9 };
    for (threads, kind) in [(1, COMPACT), (2, HASH_COMPACT), (4, COMPACT), (16, BITSTATE)] {
        let stop = AtomicBool::new(false);
        let stopped = ParallelOptions { stop: Some(&stop), ..options(threads) };
        let outcome = explore_with_shared_set(&grid, kind, stopped, |search| {
            assert_eq!(search.advance(SliceBudget::expansions(9_000)), Progress::Paused);
            stop.store(true, Ordering::Relaxed);
            search.finish()
        });
        assert_eq!(outcome, Ok(Outcome::Incomplete(Stop::Interrupted)));
        let progress = explore_with_shared_set(&grid, kind, options(threads), |search| {
            search.advance(SliceBudget::expansions(5_000))
        });
        assert_eq!(progress, Ok(Progress::Paused));
    }
}

#[test]
fn a_search_for_the_first_finding_ends_with_its_level() {
    let graph = line(30);
    let until = StopCondition::FirstDeadlock;
    for kind in [COMPACT, HASH_COMPACT, BITSTATE] {
        let (outcome, stats, hits) = run(&graph, kind, ParallelOptions { until, ..options(2) }, 7);
        assert_eq!((outcome, stats.stored, hits.len()), (Outcome::Found, 31, 1));
        assert_eq!(hits[0].1.transitions(), 30);
    }
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
    for (threads, kind) in [(1, COMPACT), (2, HASH_COMPACT), (4, BITSTATE), (16, COMPACT)] {
        let result = std::panic::catch_unwind(|| run(&broken, kind, options(threads), 64));
        let payload = result.expect_err("one state is broken");
        let text = payload.downcast_ref::<String>().expect("a message");
        assert!(text.contains("this state is broken"), "{text}");
    }
}
