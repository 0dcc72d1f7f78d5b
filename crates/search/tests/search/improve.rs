//! Shortening of paths: the result is a path, never longer, and shortest if it is called so.

use beeline_kernel::{Blind, Cost, Space};
use beeline_search::{
    AfterHit, BestFirst, BestFirstConfig, DepthFirst, DfsConfig, ExactStore, KnownPath,
    Neighbourhood, Outcome, PathImprover, Portfolio, Progress, Search, SearchQuery, SearchTarget,
    SegmentSearch, SliceBudget,
};

use crate::roads::{Roads, TARGETS, oracles, random_roads};

/// A path of depth-first search, if there is one.
fn long_way(roads: &Roads, target: SearchTarget) -> Option<KnownPath> {
    use beeline_search::{Branching, DfsGoal, Revisit};
    let dive =
        DfsConfig { revisit: Revisit::Never, goal: DfsGoal::Any, branching: Branching::Forward };
    let mut search = DepthFirst::<ExactStore>::with_store(
        roads,
        Box::new(Blind),
        dive,
        SearchQuery::new(target),
    )
    .expect("roads do not fail");
    search.finish();
    let hit = search.hits().first().copied()?;
    KnownPath::new(&mut *roads.expander(), search.path(0), hit.kind)
}

/// Every path of depth-first search, with the graph, the target and the least cost.
fn long_ways() -> impl Iterator<Item = (u64, Roads, SearchTarget, KnownPath, u32)> {
    random_roads().enumerate().flat_map(|(seed, roads)| {
        TARGETS.into_iter().filter_map(move |target| {
            let route = long_way(&roads, target)?;
            let least = roads.distances(target)[0].expect("there is one");
            Some((seed as u64, roads.clone(), target, route, least))
        })
    })
}

/// Runs a search in small slices; each path must be valid, and cheaper than the last.
fn check(
    roads: &Roads,
    target: SearchTarget,
    route: &KnownPath,
    mut search: impl Search,
) -> (u32, u32) {
    let mut best = route.cost();
    loop {
        let progress = search.advance(SliceBudget::expansions(3));
        if let Some(hit) = search.hits().first() {
            assert!(target.includes(hit.kind));
            let found = KnownPath::new(&mut *roads.expander(), search.path(0), hit.kind);
            let cost = found.expect("it is a path to what it says").cost();
            assert_eq!(hit.cost, Some(cost));
            assert!(cost <= best, "{cost:?} after {best:?}");
            best = cost;
        }
        if let Progress::Done(outcome) = progress {
            let bound = search.lower_bound().min(best);
            assert!(outcome != Outcome::Complete || bound == best);
            return (best.0, bound.0);
        }
    }
}

fn shorten(target: SearchTarget, route: &KnownPath) -> SearchQuery<'static> {
    let bound = Some(Cost(route.cost().0 - 1));
    SearchQuery { after_hit: AfterHit::Shorten, bound, ..SearchQuery::new(target) }
}

#[test]
fn depth_first_search_leaves_something_to_do() {
    let (mut all, mut longer) = (0, 0);
    for (_, _, _, route, least) in long_ways() {
        all += 1;
        longer += usize::from(route.cost().0 > least);
    }
    assert!(longer * 2 > all && longer > 20, "{longer} of {all}");
}

#[test]
fn a_bounded_search_ends_with_the_cheapest_path_whatever_directs_it() {
    for (seed, roads, target, route, least) in long_ways() {
        if route.cost() == Cost::ZERO {
            continue;
        }
        for oracle in oracles(&roads, target, seed) {
            for method in [BestFirstConfig::A_STAR, BestFirstConfig::DIJKSTRA] {
                let query = shorten(target, &route);
                let search = BestFirst::new(&roads, oracle.boxed(), method, query).expect("fine");
                assert_eq!(check(&roads, target, &route, search), (least, least));
            }
            // Without reopening nothing is proved.
            let query = shorten(target, &route);
            let search = BestFirst::new(&roads, oracle.boxed(), BestFirstConfig::GREEDY, query);
            let (found, bound) = check(&roads, target, &route, search.expect("fine"));
            assert!(bound <= least && least <= found);
        }
    }
}

#[test]
fn the_bound_saves_work() {
    let (mut bounded, mut free) = (0, 0);
    for (_, roads, target, route, least) in long_ways() {
        if route.cost().0 != least || least == 0 {
            continue;
        }
        let query = shorten(target, &route);
        let make =
            |query| BestFirst::new(&roads, Box::new(Blind), BestFirstConfig::DIJKSTRA, query);
        let mut search = make(query).expect("fine");
        search.finish();
        assert_eq!(search.lower_bound(), Cost(least), "what is known is proved to be the least");
        bounded += search.stats().expanded;
        let mut search =
            make(SearchQuery { after_hit: AfterHit::Continue, ..SearchQuery::new(target) })
                .expect("fine");
        search.finish();
        free += search.stats().expanded;
    }
    assert!(bounded < free, "{bounded} and {free}");
}

#[test]
fn around_a_path_lies_a_better_one() {
    for (_, roads, target, route, least) in long_ways() {
        let search =
            Neighbourhood::<ExactStore>::new(&roads, route.clone(), SearchQuery::new(target));
        // The search continues until all states are expanded.
        assert_eq!(check(&roads, target, &route, search), (least, least));
    }
}

#[test]
fn parts_of_a_path_become_shorter() {
    let mut better = 0;
    for (_, roads, target, route, least) in long_ways() {
        let compass = Box::new(|_: &[u8]| Box::new(Blind) as Box<_>);
        let search = SegmentSearch::new(&roads, compass, route.clone(), usize::MAX);
        let (found, bound) = check(&roads, target, &route, search);
        assert!(bound == 0 && least <= found);
        better += usize::from(found < route.cost().0);
    }
    assert!(better > 20, "{better}");
}

#[test]
fn members_of_a_portfolio_learn_from_each_other() {
    for (seed, roads, target, route, least) in long_ways() {
        if route.cost() == Cost::ZERO {
            continue;
        }
        let wild = &oracles(&roads, target, seed)[3];
        let query = shorten(target, &route);
        let greedy =
            BestFirst::new(&roads, wild.boxed(), BestFirstConfig::GREEDY, query).expect("fine");
        let dijkstra = BestFirst::new(&roads, Box::new(Blind), BestFirstConfig::DIJKSTRA, query);
        let around =
            Neighbourhood::<ExactStore>::new(&roads, route.clone(), SearchQuery::new(target));
        let members: Vec<Box<dyn PathImprover + '_>> =
            vec![Box::new(greedy), Box::new(dijkstra.expect("fine")), Box::new(around)];
        let members =
            members.into_iter().map(|search| (search.name().to_owned(), search)).collect();
        let all = Portfolio::new(&roads, members, route.clone(), usize::MAX);
        assert_eq!(check(&roads, target, &route, all), (least, least));
    }
}

#[test]
fn where_there_is_no_room_the_largest_goes_and_the_best_path_stays() {
    for (_, roads, target, route, least) in long_ways() {
        let around =
            Neighbourhood::<ExactStore>::new(&roads, route.clone(), SearchQuery::new(target));
        let all =
            Portfolio::new(&roads, vec![("around".to_owned(), Box::new(around))], route.clone(), 1);
        let (found, bound) = check(&roads, target, &route, all);
        assert!(bound <= least && least <= found && found <= route.cost().0);
    }
}
