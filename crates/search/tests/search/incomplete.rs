//! Beam search and hill climbing omit states, and report it.

use beeline_kernel::{Claims, Stop};
use beeline_search::{
    AfterHit, Beam, ClimbKind, HillClimbing, Limits, Outcome, Search, SearchQuery, SearchTarget,
};

use crate::roads::{
    Oracle, Roads, TARGETS, check_paths, check_slices, city, oracles, random_roads,
};

/// An incomplete method.
#[derive(Clone, Copy)]
enum Method {
    Beam(usize),
    Climb(ClimbKind),
}

const METHODS: [Method; 5] = [
    Method::Beam(1),
    Method::Beam(3),
    Method::Beam(usize::MAX),
    Method::Climb(ClimbKind::Steepest),
    Method::Climb(ClimbKind::Enforced),
];

fn make<'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    method: Method,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    let heuristic = oracle.boxed();
    match method {
        Method::Beam(width) => {
            Box::new(Beam::new(roads, heuristic, width, query).expect("roads do not fail"))
        }
        Method::Climb(climb) => {
            Box::new(HillClimbing::new(roads, heuristic, climb, query).expect("roads do not fail"))
        }
    }
}

#[test]
fn finds_real_paths_and_never_claims_to_have_seen_all_when_it_has_not() {
    let (mut found, mut missed) = (0, 0);
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let exists = roads.distances(target)[0].is_some();
            for oracle in oracles(&roads, target, seed as u64) {
                for method in METHODS {
                    let mut search = make(&roads, &oracle, method, SearchQuery::new(target));
                    let outcome = search.finish();
                    let costs = check_paths(&roads, target, &*search);
                    assert_eq!(outcome == Outcome::Found, !costs.is_empty());
                    assert!(!exists || outcome != Outcome::Complete);
                    found += usize::from(outcome == Outcome::Found);
                    let incomplete = Outcome::Incomplete(Stop::IncompleteMethod);
                    missed += usize::from(exists && outcome == incomplete);
                }
            }
        }
    }
    assert!(found > 200 && missed > 50, "{found} {missed}");
}

#[test]
fn a_beam_that_is_wide_enough_is_breadth_first_search() {
    for roads in random_roads() {
        for target in TARGETS {
            let blind = Oracle::numbers(&vec![0; roads.edges.len()]);
            let mut beam = make(&roads, &blind, Method::Beam(usize::MAX), SearchQuery::new(target));
            let expected = match roads.distances(target)[0] {
                Some(_) => Outcome::Found,
                None => Outcome::Complete,
            };
            assert_eq!(beam.finish(), expected);
        }
    }
}

#[test]
fn a_beam_expands_no_more_than_its_width_in_each_layer() {
    let roads = city(30);
    let perfect = Oracle::from_truth(&roads, SearchTarget::DEADLOCK, Claims::ALL, |d| d);
    for width in [0, 1, 4] {
        let mut beam =
            make(&roads, &perfect, Method::Beam(width), SearchQuery::new(SearchTarget::DEADLOCK));
        assert_eq!(beam.finish(), Outcome::Found);
        let width = width.max(1) as u64;
        assert!(beam.stats().expanded <= 59 * width);
        assert!(beam.stats().expanded >= 59);
    }
    // The best state is kept: with estimates that prefer the left edge, the beam follows it.
    let left: Vec<u32> = (0..900).map(|at| at % 30).collect();
    let query = SearchQuery::new(SearchTarget::DEADLOCK);
    let mut beam = make(&roads, &Oracle::numbers(&left), Method::Beam(1), query);
    assert_eq!(beam.finish(), Outcome::Found);
    assert!(beam.path(0).iter().take(30).eq((0..30).map(|row| crate::roads::state(30 * row))));
}

#[test]
fn a_steep_climb_ends_on_a_local_summit_and_an_enforced_one_goes_on() {
    // 0 → 1 → 2 → 3, which is a deadlock; 1 and 2 have the estimate of 0. 4 has the least estimate
    // and no successors.
    let mut roads = Roads::plain(&[&[1], &[2], &[3], &[], &[]]);
    roads.stuck.push(3);
    let plateau = Oracle::numbers(&[2, 2, 2, 1, 0]);
    let run = |roads: &Roads, climb| {
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search = make(roads, &plateau, Method::Climb(climb), query);
        (search.finish(), search.stats().expanded)
    };
    let lost = Outcome::Incomplete(Stop::IncompleteMethod);
    assert_eq!(run(&roads, ClimbKind::Steepest), (lost, 1));
    assert_eq!(run(&roads, ClimbKind::Enforced), (Outcome::Found, 4));
    roads.edges[0].push((4, 1));
    assert_eq!(run(&roads, ClimbKind::Steepest), (lost, 2));
    assert_eq!(run(&roads, ClimbKind::Enforced), (lost, 2));
    // A plateau without an exit that was searched completely is the whole space.
    let circle = Roads::plain(&[&[1], &[2], &[0], &[], &[]]);
    assert_eq!(run(&circle, ClimbKind::Enforced), (Outcome::Complete, 3));
}

#[test]
fn the_steepest_way_is_the_best_successor() {
    let mut roads = Roads::plain(&[&[1, 2, 3], &[4], &[5], &[6], &[], &[], &[]]);
    roads.stuck.extend([4, 5, 6]);
    let oracle = Oracle::numbers(&[9, 8, 5, 6, 0, 0, 0]);
    let reached = |climb| {
        let query = SearchQuery::new(SearchTarget::DEADLOCK);
        let mut search = make(&roads, &oracle, Method::Climb(climb), query);
        search.finish();
        crate::roads::node(&search.path(0).get(2).expect("it has three states"))
    };
    assert_eq!(reached(ClimbKind::Steepest), 5);
    // Enforced hill climbing takes the first better state.
    assert_eq!(reached(ClimbKind::Enforced), 4);
}

#[test]
fn slices_make_no_difference() {
    for (seed, roads) in random_roads().enumerate().step_by(4) {
        for oracle in oracles(&roads, SearchTarget::ANYTHING, seed as u64) {
            for method in METHODS {
                let query = SearchQuery {
                    after_hit: AfterHit::Continue,
                    ..SearchQuery::new(SearchTarget::ANYTHING)
                };
                check_slices(|| make(&roads, &oracle, method, query));
            }
        }
    }
}

#[test]
fn limits_are_admitted() {
    let roads = city(20);
    let perfect = Oracle::from_truth(&roads, SearchTarget::DEADLOCK, Claims::ALL, |d| d);
    for method in METHODS {
        let run = |limits| {
            let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
            make(&roads, &perfect, method, query).finish()
        };
        let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
        assert_eq!(run(depth(38)), Outcome::Found);
        assert!(matches!(run(depth(37)), Outcome::Incomplete(_)));
        for states in [0, 1] {
            let limits = Limits { states: Some(states), ..Limits::default() };
            assert_eq!(run(limits), Outcome::Incomplete(Stop::Memory));
        }
        let limits = Limits { bytes: Some(1_000), ..Limits::default() };
        assert_eq!(run(limits), Outcome::Incomplete(Stop::Memory));
    }
    let wide = |depth| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::DEADLOCK) };
        make(&roads, &perfect, Method::Beam(usize::MAX), query).finish()
    };
    assert_eq!(wide(37), Outcome::Incomplete(Stop::Depth));
}
