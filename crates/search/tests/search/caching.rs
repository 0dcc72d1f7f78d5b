//! A search with a bounded cache expands all states, for any size of the cache.

use beeline_kernel::Stop;
use beeline_search::{
    AfterHit, CachingSearch, ExplorationOptions, FindingKind, Limits, Outcome, Progress, Search,
    SearchQuery, SearchTarget, SliceBudget, StoreLimits,
};

use crate::toys::{Graph, Grid, explore, line, random_graphs};

fn start<'a, S: beeline_kernel::Space>(
    space: &'a S,
    states: usize,
    query: SearchQuery<'a>,
) -> CachingSearch<'a> {
    let room = StoreLimits { states, bytes: usize::MAX };
    CachingSearch::new(space, room, query).expect("toys do not fail at once")
}

fn all() -> SearchQuery<'static> {
    SearchQuery {
        after_hit: AfterHit::Continue,
        keep: usize::MAX,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    }
}

fn kinds(mut kinds: Vec<FindingKind>) -> Vec<String> {
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    kinds.iter().map(|kind| format!("{kind:?}")).collect()
}

/// Small graphs: without a cache, every path without a cycle is followed.
fn small_graphs() -> impl Iterator<Item = Graph> {
    random_graphs().filter(|graph| graph.edges.len() < 40)
}

#[test]
fn with_room_enough_each_state_is_expanded_once() {
    for graph in random_graphs() {
        let mut exact = explore(
            &graph,
            ExplorationOptions { keep: usize::MAX, ..ExplorationOptions::default() },
        );
        assert_eq!(exact.finish(), Outcome::Complete);
        let mut search = start(&graph, 100_000, all());
        assert_eq!((search.finish(), search.forgotten()), (Outcome::Complete, 0));
        let counts = |stats: beeline_search::Stats| {
            let errors = (stats.errors, stats.atomic_steps);
            (stats.stored, stats.matched, stats.expanded, stats.generated, errors)
        };
        assert_eq!(counts(search.stats()), counts(exact.stats()));
        let found = exact.findings().iter().map(|finding| finding.kind).collect();
        let hits = search.hits().iter().map(|hit| hit.kind).collect();
        assert_eq!(kinds(hits), kinds(found));
    }
}

#[test]
fn with_a_small_cache_everything_is_found() {
    let mut again = 0;
    for graph in small_graphs() {
        let mut exact = explore(
            &graph,
            ExplorationOptions { keep: usize::MAX, ..ExplorationOptions::default() },
        );
        exact.finish();
        for states in [8, 16] {
            let mut search = start(&graph, states, all());
            let Progress::Done(outcome) = search.advance(SliceBudget::expansions(1_000_000)) else {
                continue;
            };
            assert_eq!(outcome, Outcome::Complete);
            let found = exact.findings().iter().map(|finding| finding.kind).collect();
            let hits = search.hits().iter().map(|hit| hit.kind).collect();
            assert_eq!(kinds(hits), kinds(found));
            assert!(search.stats().expanded >= exact.stats().expanded);
            assert!(search.stats().stored <= states as u64);
            again += usize::from(search.stats().expanded > exact.stats().expanded);
        }
    }
    assert!(again > 0);
    // Half of the states are enough for a grid, at the price of some repeated expansions.
    let grid = Grid { counters: 4, top: 6 };
    let mut search = start(&grid, grid.stored() as usize / 2, all());
    assert_eq!(search.finish(), Outcome::Complete);
    assert!(search.forgotten() > 0 && search.stats().expanded > grid.stored());
}

#[test]
fn a_cycle_is_noticed_without_any_cache() {
    let ring = Graph::new((0..100).map(|node| vec![(node + 1) % 100]).collect());
    let mut search = start(&ring, 0, all());
    assert_eq!((search.finish(), search.stats().expanded), (Outcome::Complete, 100));
}

#[test]
fn limits_are_kept_and_named() {
    let run = |limits| {
        let line = line(50);
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
        let mut search = start(&line, 10, query);
        (search.finish(), search.hits().len())
    };
    let limit = |depth, states, bytes| Limits { depth, states, bytes };
    assert_eq!(run(limit(Some(50), None, None)), (Outcome::Found, 1));
    assert_eq!(run(limit(Some(49), None, None)), (Outcome::Incomplete(Stop::Depth), 0));
    assert_eq!(run(limit(None, Some(20), None)), (Outcome::Incomplete(Stop::Memory), 0));
    assert_eq!(run(limit(None, None, Some(600))), (Outcome::Incomplete(Stop::Memory), 0));
}
