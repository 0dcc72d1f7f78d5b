//! Depth-first search within a bound: the anomaly, its remedy, and branch and bound.

use beeline_kernel::{Claims, Stop};
use beeline_search::{
    AfterHit, Branching, DepthFirst, DfsConfig, DfsGoal, Limits, Outcome, Revisit, Search,
    SearchQuery, SearchTarget,
};

use crate::roads::{
    Oracle, Roads, TARGETS, check_paths, check_slices, city, oracles, random_roads,
};

fn make<'a>(
    roads: &'a Roads,
    oracle: &Oracle,
    dive: DfsConfig,
    query: SearchQuery<'a>,
) -> Box<dyn Search + 'a> {
    Box::new(DepthFirst::new(roads, oracle.boxed(), dive, query).expect("roads do not fail"))
}

fn bound(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const BRANCHINGS: [Branching; 3] =
    [Branching::Forward, Branching::Reversed, Branching::MostPromising];

#[test]
fn the_anomaly_of_depth_bounded_search_and_its_cure() {
    // The error is 4. The long path 0 → 1 → 2 → 3 comes first and ends at the bound; the short path
    // 0 → 3 → 4 is then blocked by 3, which was visited.
    let mut roads = Roads::plain(&[&[1, 3], &[2], &[3], &[4], &[]]);
    roads.stuck.push(4);
    let blind = Oracle::numbers(&[0; 5]);
    let run = |revisit, depth| {
        let query =
            SearchQuery { limits: bound(depth), ..SearchQuery::new(SearchTarget::DEADLOCK) };
        let mut search = make(&roads, &blind, DfsConfig { revisit, ..DfsConfig::default() }, query);
        let outcome = search.finish();
        (outcome, check_paths(&roads, SearchTarget::DEADLOCK, &*search))
    };
    let missed = (Outcome::Incomplete(Stop::Depth), vec![]);
    // As in the paper: found with some bounds, and not with larger ones.
    assert_eq!(run(Revisit::Never, 1), missed);
    assert_eq!(run(Revisit::Never, 2), (Outcome::Found, vec![2]));
    assert_eq!(run(Revisit::Never, 3), missed);
    assert_eq!(run(Revisit::Never, 4), (Outcome::Found, vec![4]));
    assert_eq!(run(Revisit::WhenCheaper, 1), missed);
    assert_eq!(run(Revisit::WhenCheaper, 2), (Outcome::Found, vec![2]));
    assert_eq!(run(Revisit::WhenCheaper, 3), (Outcome::Found, vec![2]));
    assert_eq!(run(Revisit::WhenCheaper, 4), (Outcome::Found, vec![4]));
}

#[test]
fn with_the_cure_everything_within_the_bound_is_found() {
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            for oracle in oracles(&roads, target, seed as u64) {
                for branching in BRANCHINGS {
                    for depth in [0, 1, 3, 6, 10] {
                        let dive = DfsConfig { branching, ..DfsConfig::default() };
                        let query =
                            SearchQuery { limits: bound(depth), ..SearchQuery::new(target) };
                        let mut search = make(&roads, &oracle, dive, query);
                        let outcome = search.finish();
                        let within = truth.is_some_and(|truth| truth <= depth);
                        assert_eq!(outcome == Outcome::Found, within);
                        assert!(outcome != Outcome::Complete || truth.is_none());
                        let costs = check_paths(&roads, target, &*search);
                        assert!(costs.iter().all(|&cost| cost <= depth));
                    }
                }
            }
        }
    }
}

#[test]
fn a_fault_beyond_the_bound_is_not_found_and_not_denied() {
    let mut roads = Roads::plain(&[&[0]]);
    roads.faults.insert(0, vec![(3, 7)]);
    let run = |depth| {
        let query = SearchQuery { limits: bound(depth), ..SearchQuery::new(SearchTarget::FAULT) };
        make(&roads, &Oracle::numbers(&[0]), DfsConfig::default(), query).finish()
    };
    assert_eq!(run(3), Outcome::Found);
    assert_eq!(run(2), Outcome::Incomplete(Stop::Depth));
}

#[test]
fn branch_and_bound_finds_the_cheapest() {
    let mut revisited = 0;
    for (seed, roads) in random_roads().enumerate() {
        for target in TARGETS {
            let truth = roads.distances(target)[0];
            for oracle in oracles(&roads, target, seed as u64) {
                for branching in BRANCHINGS {
                    let dive =
                        DfsConfig { branching, goal: DfsGoal::Cheapest, ..DfsConfig::default() };
                    let mut search = make(&roads, &oracle, dive, SearchQuery::new(target));
                    let outcome = search.finish();
                    let costs = check_paths(&roads, target, &*search);
                    assert_eq!(costs.first().copied(), truth);
                    assert_eq!(costs.len(), usize::from(truth.is_some()));
                    let end = truth.map_or(Outcome::Complete, |_| Outcome::Found);
                    assert_eq!(outcome, end);
                    assert!(truth.is_none() || search.is_shortest(0));
                    revisited += search.stats().reopened;
                }
            }
        }
    }
    assert!(revisited > 0, "these graphs are too easy to tell anything");
}

#[test]
fn the_most_promising_successor_comes_first() {
    let roads = city(20);
    let perfect = Oracle::from_truth(&roads, SearchTarget::DEADLOCK, Claims::ALL, |d| d);
    let dive = DfsConfig { branching: Branching::MostPromising, ..DfsConfig::default() };
    let mut search = make(&roads, &perfect, dive, SearchQuery::new(SearchTarget::DEADLOCK));
    assert_eq!(search.finish(), Outcome::Found);
    assert_eq!(search.stats().expanded, 39);
    // Estimates that lead down first, while the forward order leads right.
    let down: Vec<u32> = (0..400).map(|at| 1000 - at).collect();
    let mut search =
        make(&roads, &Oracle::numbers(&down), dive, SearchQuery::new(SearchTarget::DEADLOCK));
    search.finish();
    assert_eq!(search.path(0).get(1), Some(crate::roads::state(20)));
}

#[test]
fn slices_make_no_difference() {
    for (seed, roads) in random_roads().enumerate().step_by(4) {
        for oracle in oracles(&roads, SearchTarget::ANYTHING, seed as u64) {
            for goal in [DfsGoal::Any, DfsGoal::Cheapest] {
                let dive = DfsConfig { goal, ..DfsConfig::default() };
                let query = SearchQuery::new(SearchTarget::ANYTHING);
                let query = SearchQuery {
                    after_hit: AfterHit::Continue,
                    keep: 2,
                    limits: bound(9),
                    ..query
                };
                check_slices(|| make(&roads, &oracle, dive, query));
            }
        }
    }
}

#[test]
fn memory_limits_are_kept() {
    let roads = city(60);
    let blind = Oracle::numbers(&[0; 3600]);
    let run = |limits| {
        let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::NOTHING) };
        let mut search = make(&roads, &blind, DfsConfig::default(), query);
        (search.finish(), search.bytes())
    };
    let (outcome, needed) = run(Limits::default());
    assert_eq!(outcome, Outcome::Complete);
    for bytes in [0, 1_000, needed / 2, needed - 1] {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        assert_eq!(run(limits).0, Outcome::Incomplete(Stop::Memory));
    }
    for states in [0, 1, 3599] {
        let limits = Limits { states: Some(states), ..Limits::default() };
        assert_eq!(run(limits).0, Outcome::Incomplete(Stop::Memory));
    }
}
