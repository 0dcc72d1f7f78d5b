//! Frontier search has the hits of breadth-first search, and drops old layers.

use beeline_kernel::{Cost, Stop};
use beeline_search::{
    AfterHit, Exploration, ExplorationOptions, FindingKind, FrontierSearch, Limits, Outcome,
    Search, SearchQuery, SearchTarget,
};

use crate::roads::{Roads, TARGETS, check_paths, check_slices, city, random_roads};

fn make<'a>(roads: &'a Roads, query: SearchQuery<'a>) -> FrontierSearch<'a> {
    FrontierSearch::new(roads, query).expect("roads do not fail")
}

/// The fewest moves to a state of the target, breadth-first.
fn fewest_moves(roads: &Roads, target: SearchTarget) -> Option<usize> {
    let options = ExplorationOptions { keep: usize::MAX, ..ExplorationOptions::default() };
    let mut exploration = Exploration::new(roads, options).expect("roads do not fail");
    exploration.finish();
    let hits = exploration.hits().into_iter().enumerate();
    hits.filter(|(_, hit)| target.includes(hit.kind))
        .map(|(at, _)| exploration.path(at).len())
        .min()
}

#[test]
fn finds_as_few_moves_as_breadth_first_search() {
    let mut found = 0;
    for roads in random_roads() {
        for target in TARGETS {
            let mut search = make(&roads, SearchQuery::new(target));
            let outcome = search.finish();
            check_paths(&roads, target, &search);
            let expected = fewest_moves(&roads, target);
            assert_eq!(search.hits().first().map(|_| search.path(0).len()), expected);
            let end = expected.map_or(Outcome::Complete, |_| Outcome::Found);
            assert_eq!(outcome, end);
            found += usize::from(outcome == Outcome::Found);
        }
    }
    assert!(found > 50);
}

#[test]
fn finds_everything_there_is() {
    for roads in random_roads() {
        let query = SearchQuery {
            after_hit: AfterHit::Continue,
            keep: usize::MAX,
            ..SearchQuery::new(SearchTarget::ANYTHING)
        };
        let mut search = make(&roads, query);
        assert_eq!(search.finish(), Outcome::Complete);
        check_paths(&roads, SearchTarget::ANYTHING, &search);
        let options = ExplorationOptions { keep: usize::MAX, ..ExplorationOptions::default() };
        let mut exploration = Exploration::new(&roads, options).expect("roads do not fail");
        exploration.finish();
        // Equal errors of a state are one hit.
        let place = |search: &dyn Search| {
            let hits = search.hits().into_iter().enumerate();
            let mut places: Vec<(String, Vec<u8>, usize)> = hits
                .map(|(at, hit)| {
                    let path = search.path(at);
                    (
                        format!("{:?}", hit.kind),
                        path.last().expect("not empty").to_vec(),
                        path.len(),
                    )
                })
                .collect();
            places.sort();
            places.dedup();
            places
        };
        assert_eq!(place(&search), place(&exploration));
    }
}

#[test]
fn ends_where_states_come_back_for_ever() {
    // Cycles of different lengths through 0, so that 0 occurs in ever different layers.
    let roads = Roads::plain(&[&[1, 3], &[2], &[0], &[4], &[5], &[6], &[7], &[0]]);
    let mut search = make(&roads, SearchQuery::new(SearchTarget::ANYTHING));
    assert_eq!(search.finish(), Outcome::Complete);
    assert!(search.stats().expanded > 8);
    for length in 1..20 {
        let edges: Vec<Vec<(u32, u32)>> =
            (0..length).map(|n| vec![((n + 1) % length, 1)]).collect();
        let circle = Roads { edges, ..Roads::default() };
        let mut search = make(&circle, SearchQuery::new(SearchTarget::ANYTHING));
        assert_eq!(search.finish(), Outcome::Complete);
    }
}

#[test]
fn holds_a_fraction_of_the_states() {
    let roads = city(60);
    let mut search = make(&roads, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!(search.hits()[0].kind, FindingKind::Deadlock);
    assert_eq!(check_paths(&roads, SearchTarget::DEADLOCK, &search), [118]);
    assert!(search.is_shortest(0));
    assert!(search.stats().stored <= 3 * 60);
    // One search, and one more for each halving of the path.
    assert!(search.stats().expanded < 3_600 * 8);
}

/// The search stops in the middle of a layer: another state there may fail in fewer steps.
#[test]
fn what_was_not_looked_at_may_be_nearer() {
    let edges = vec![vec![(1, 10), (2, 10)], vec![], vec![]];
    let faults = [(1, vec![(10, 0)]), (2, vec![(1, 1)])];
    let roads = Roads { edges, faults: faults.into(), ..Roads::default() };
    let mut search = make(&roads, SearchQuery::new(SearchTarget::FAULT));
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!(check_paths(&roads, SearchTarget::FAULT, &search), [20]);
    assert_eq!((search.lower_bound(), search.is_shortest(0)), (Cost(11), false));
}

#[test]
fn slices_make_no_difference() {
    for roads in random_roads().step_by(4) {
        for (target, after_hit) in
            [(SearchTarget::FAULT, AfterHit::Stop), (SearchTarget::ANYTHING, AfterHit::Continue)]
        {
            let query = SearchQuery { after_hit, keep: 2, ..SearchQuery::new(target) };
            check_slices(|| Box::new(make(&roads, query)));
        }
    }
}

#[test]
fn limits_are_admitted() {
    let roads = city(30);
    let run = |limits| {
        make(&roads, SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) }).finish()
    };
    let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
    assert_eq!(run(depth(58)), Outcome::Found);
    assert_eq!(run(depth(57)), Outcome::Incomplete(Stop::Depth));
    let states = |states| Limits { states: Some(states), ..Limits::default() };
    for few in [0, 1, 50] {
        assert_eq!(run(states(few)), Outcome::Incomplete(Stop::Memory));
    }
    assert_eq!(run(states(90)), Outcome::Found);
    let bytes = |bytes| Limits { bytes: Some(bytes), ..Limits::default() };
    for few in [0, 1_000, 3_000] {
        assert_eq!(run(bytes(few)), Outcome::Incomplete(Stop::Memory), "{few}");
    }
}
