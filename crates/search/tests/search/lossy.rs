//! Lossy sets: with enough memory they omit no state, with less they report the omissions, and a
//! search with one is never complete.

use std::sync::atomic::AtomicBool;

use beeline_kernel::{Expansion, Space, StatePath, Stop};
use beeline_search::{
    AfterHit, Bitstate, ExplorationOptions, FindingKind, HashCompact, Hit, Limits, Omissions,
    Outcome, Progress, Restarts, Search, SearchQuery, SearchTarget, SliceBudget, StackSearch,
    Stats, StoreLimits, Visited,
};

use crate::toys::{Graph, Grid, assertion, explore, line, random_graphs};

const LOSSY: Outcome = Outcome::Incomplete(Stop::LossyStore);
const ONCE: Restarts = Restarts { seed: 1, runs: 1 };

fn all() -> SearchQuery<'static> {
    SearchQuery {
        after_hit: AfterHit::Continue,
        keep: usize::MAX,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    }
}

fn prints() -> HashCompact {
    HashCompact::new(1, StoreLimits::NONE)
}

fn bits(bytes: usize, bits: u32) -> Bitstate {
    Bitstate::new(1, bytes, bits).expect("there is memory for a small array")
}

fn start<'a, S: Space, V: Visited>(
    space: &'a S,
    visited: V,
    again: Restarts,
    query: SearchQuery<'a>,
) -> StackSearch<'a, V> {
    StackSearch::new(space, visited, again, query).expect("toys do not fail at once")
}

/// The results of a search that has ended.
type Seen = (Outcome, Stats, Vec<Hit>, Vec<StatePath>, Omissions);

fn ended<V: Visited>(search: &StackSearch<'_, V>, outcome: Outcome) -> Seen {
    let hits = search.hits();
    let paths = (0..hits.len()).map(|hit| search.path(hit)).collect();
    (outcome, search.stats(), hits, paths, search.omissions().expect("it may overlook states"))
}

fn see<S: Space, V: Visited>(
    space: &S,
    visited: V,
    again: Restarts,
    query: SearchQuery<'_>,
) -> Seen {
    let mut search = start(space, visited, again, query);
    let outcome = search.finish();
    assert_eq!(search.advance(SliceBudget::UNLIMITED), Progress::Done(outcome));
    ended(&search, outcome)
}

/// Consecutive states of a path are connected, and the error is in the last state or after it.
fn check_paths<S: Space>(space: &S, (_, _, hits, paths, _): &Seen) {
    let mut expansion = Expansion::default();
    for (hit, path) in hits.iter().zip(paths) {
        let mut initial = Vec::new();
        space.initial(&mut initial).expect("toys do not fail at once");
        assert_eq!(path.first(), Some(&*initial));
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            space.expand(from, &mut expansion);
            assert!(expansion.states().any(|next| next == to));
        }
        space.expand(path.last().expect("it has a first state"), &mut expansion);
        assert!(match hit.kind {
            FindingKind::Deadlock => expansion.deadlock,
            FindingKind::Fault(fault) => expansion.faults.iter().any(|one| one.fault == fault),
            FindingKind::Invariant(_) => false,
        });
    }
}

/// With enough memory, counts and findings are those of an exact store.
fn check_same<S: Space, V: Visited>(space: &S, visited: V) {
    let mut exact =
        explore(space, ExplorationOptions { keep: usize::MAX, ..ExplorationOptions::default() });
    assert_eq!(exact.finish(), Outcome::Complete);
    let seen = see(space, visited, ONCE, all());
    let (outcome, stats, hits, _, _) = &seen;
    assert_eq!(*outcome, LOSSY);
    let counts = |stats: &Stats| {
        let errors = (stats.errors, stats.atomic_steps, stats.state_bytes);
        (stats.stored, stats.matched, stats.expanded, stats.generated, errors)
    };
    assert_eq!(counts(stats), counts(&exact.stats()));
    let mut found: Vec<_> = exact.findings().iter().map(|finding| finding.kind).collect();
    let mut hits: Vec<_> = hits.iter().map(|hit| hit.kind).collect();
    let key = |kind: &FindingKind| match *kind {
        FindingKind::Fault(fault) => u64::from(fault.site.0) + 1,
        _ => 0,
    };
    found.sort_by_key(key);
    hits.sort_by_key(key);
    // The same fault after one state is found once, for any number of transitions to it.
    found.dedup();
    hits.dedup();
    assert_eq!(hits, found);
    check_paths(space, &seen);
}

#[test]
fn with_room_enough_everything_is_found() {
    for graph in random_graphs() {
        check_same(&graph, prints());
        check_same(&graph, bits(1 << 20, 3));
    }
    check_same(&Grid { counters: 4, top: 6 }, prints());
    check_same(&Grid { counters: 4, top: 6 }, bits(1 << 24, 3));
    check_same(&line(2000), prints());
}

#[test]
fn of_a_million_states_64_bits_lose_none() {
    let grid = Grid { counters: 6, top: 9 };
    let (outcome, stats, _, _, omissions) = see(&grid, prints(), ONCE, all());
    assert_eq!((outcome, stats.stored), (LOSSY, 1_000_000));
    assert_eq!(stats.transitions(), grid.transitions());
    assert!(omissions.probability() < 1e-7 && (omissions.of - 1e6).abs() < 1.0, "{omissions}");
}

#[test]
fn a_small_array_loses_states_and_knows_how_many() {
    let grid = Grid { counters: 5, top: 9 };
    for (bytes, k) in [(1 << 17, 3), (1 << 16, 3), (1 << 16, 2), (1 << 16, 1), (1 << 15, 3)] {
        let (_, stats, _, _, omissions) = see(&grid, bits(bytes, k), ONCE, all());
        let lost = (grid.stored() - stats.stored) as f64;
        let ratio = omissions.expected / lost;
        assert!(lost > 100.0 && (1.0 / 3.0..3.0).contains(&ratio), "{bytes} {k}: {lost} {ratio}");
        assert!(stats.expanded == stats.stored);
    }
}

#[test]
fn another_seed_overlooks_other_states() {
    let grid = Grid { counters: 4, top: 9 };
    let seen = |seed, runs| {
        let array = Bitstate::new(seed, 4000, 2).expect("there is memory for a small array");
        see(&grid, array, Restarts { seed, runs }, all())
    };
    assert_eq!(seen(1, 1), seen(1, 1));
    assert_ne!(seen(1, 1).1, seen(2, 1).1);
    let (outcome, stats, _, _, omissions) = seen(1, 5);
    assert_eq!(outcome, LOSSY);
    let singly = seen(1, 1);
    assert!(stats.stored >= singly.1.stored && stats.stored <= grid.stored());
    assert!(omissions.expected < singly.4.expected / 100.0, "{omissions}, {}", singly.4);
}

#[test]
fn several_runs_gather_what_each_finds() {
    // Each of many leaves has its own fault, and an array of one word is soon full.
    let leaves = 200;
    let mut graph = Graph::new(vec![(1..=leaves).collect()]);
    graph.edges.resize(leaves as usize + 1, vec![0]);
    graph.faults = (1..=leaves).map(|leaf| (leaf, vec![assertion(leaf)])).collect();
    let found = |runs| {
        let seen = see(&graph, bits(16, 1), Restarts { seed: 7, runs }, all());
        check_paths(&graph, &seen);
        seen.2.len()
    };
    let counts = [1, 3, 10].map(found);
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    // A finding of an earlier run is not recorded again.
    assert_eq!(see(&line(9), prints(), Restarts { seed: 1, runs: 4 }, all()).2.len(), 1);
}

#[test]
fn one_by_one_is_all_at_once() {
    let check = |space: &Graph, query: SearchQuery<'_>, again: Restarts| {
        let whole = see(space, bits(100, 2), again, query);
        for slice in [1, 7] {
            let mut search = start(space, bits(100, 2), again, query);
            let outcome = loop {
                if let Progress::Done(outcome) = search.advance(SliceBudget::expansions(slice)) {
                    break outcome;
                }
            };
            assert_eq!(ended(&search, outcome), whole);
        }
    };
    for graph in random_graphs() {
        check(&graph, all(), ONCE);
        check(&graph, all(), Restarts { seed: 3, runs: 3 });
        check(&graph, SearchQuery::new(SearchTarget::FAULT), ONCE);
        let limits = Limits { depth: Some(3), states: Some(50), bytes: None };
        check(&graph, SearchQuery { limits, ..all() }, ONCE);
    }
}

#[test]
fn the_first_one_is_enough_for_who_asks_for_it() {
    let (outcome, _, hits, paths, _) =
        see(&line(5), prints(), ONCE, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!((outcome, hits.len(), paths[0].len()), (Outcome::Found, 1, 6));
    // An error outside the target is counted and otherwise ignored.
    let (outcome, stats, hits, _, _) =
        see(&line(5), prints(), ONCE, SearchQuery::new(SearchTarget::FAULT));
    assert_eq!((outcome, stats.errors, hits.len()), (LOSSY, 1, 0));
}

#[test]
fn limits_are_kept_and_named() {
    let grid = Grid { counters: 4, top: 9 };
    let run = |limits| {
        let mut search = start(&grid, prints(), ONCE, SearchQuery { limits, ..all() });
        let outcome = search.finish();
        (outcome, search.stats(), search.bytes())
    };
    let limit = |depth, states, bytes| Limits { depth, states, bytes };
    let (outcome, stats, _) = run(limit(Some(5), None, None));
    assert_eq!((outcome, stats.depth), (Outcome::Incomplete(Stop::Depth), 5));
    let (outcome, stats, _) = run(limit(None, Some(100), None));
    assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
    assert!(stats.stored <= 101);
    for bytes in [0, 700, 2000, 20_000] {
        let ceiling = StoreLimits { bytes, states: usize::MAX };
        let query = SearchQuery { limits: limit(None, None, Some(bytes)), ..all() };
        let mut search = start(&grid, HashCompact::new(1, ceiling), ONCE, query);
        assert_eq!(search.finish(), Outcome::Incomplete(Stop::Memory));
        // A growing set does not account for the stack.
        let most = (bytes + bytes / 4).max(512);
        assert!(search.bytes() <= most, "{} of {bytes}", search.bytes());
    }
    assert_eq!(run(limit(Some(36), Some(10_000), None)).0, LOSSY);
}

#[test]
fn whoever_raises_the_flag_ends_it() {
    let stop = AtomicBool::new(true);
    let query = SearchQuery { stop: Some(&stop), ..all() };
    let (outcome, stats, ..) = see(&line(5), prints(), ONCE, query);
    assert_eq!((outcome, stats.expanded), (Outcome::Incomplete(Stop::Interrupted), 0));
}
