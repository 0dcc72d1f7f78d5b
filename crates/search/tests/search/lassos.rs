//! Lassos: the shortest one is shortest, directed search finds one if there is one, and improvement
//! never makes one longer.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Blind, Claims, Cost, Estimate, Heuristic, Space, Stop};
use beeline_search::{
    BestFirstConfig, CycleSearch, DirectedLasso, GoalHeuristics, Lasso, LassoImprovement, Limits,
    Outcome, Progress, Search, SearchQuery, SearchTarget, ShortestLasso, SliceBudget,
};
use beeline_test_size::portion;

use crate::loops::{Chain, Clocks, Loops};
use crate::roads::{Dice, Oracle, node};

fn seeds() -> u64 {
    if cfg!(debug_assertions) { 400 } else { portion(4000) }
}

fn query() -> SearchQuery<'static> {
    SearchQuery::new(SearchTarget::NOTHING)
}

/// Runs a search in slices; bounds rise, and lassos are valid and become shorter.
fn check(loops: &Loops, search: &mut dyn CycleSearch, slice: u64) -> (Outcome, Option<u32>) {
    let least = loops.shortest().unwrap_or(u32::MAX);
    let (mut bound, mut best) = (Cost::ZERO, u32::MAX);
    loop {
        let progress = search.advance(SliceBudget::expansions(slice));
        assert!(search.lower_bound() >= bound);
        bound = search.lower_bound();
        assert!(bound.0 <= least, "{bound} is more than {least}");
        if let Some(lasso) = search.lasso() {
            let cost = loops.cost(&lasso);
            assert!(cost <= best);
            best = cost;
        }
        if let Progress::Done(outcome) = progress {
            assert_eq!(search.advance(SliceBudget::UNLIMITED), progress);
            return (outcome, search.lasso().map(|_| best));
        }
    }
}

/// Two uninformed heuristics: a blind one, and one with random estimates.
fn ignorant(loops: &Loops, seed: u64) -> [Box<dyn Heuristic>; 2] {
    let mut dice = Dice(seed);
    let mut guess = || match dice.below(9) {
        0 => Estimate::DeadEnd,
        h => Estimate::Finite(Cost(h)),
    };
    let estimates = loops.ways.iter().map(|_| guess()).collect();
    [Box::new(Blind), Box::new(Oracle { estimates, claims: Claims::NONE })]
}

/// A perfect heuristic for a goal state: the number of moves to it.
fn compass(loops: &Loops) -> GoalHeuristics<'_> {
    Box::new(move |goal: &[u8]| {
        let nodes = 0..loops.ways.len() as u32;
        let estimate = |from| loops.moves(from, node(goal)).map(Cost);
        let estimates =
            nodes.map(|from| estimate(from).map_or(Estimate::DeadEnd, Estimate::Finite));
        Box::new(Oracle { estimates: estimates.collect(), claims: Claims::ALL })
    })
}

/// A shortest lasso, if there is one.
fn some_lasso(loops: &Loops) -> Option<Lasso> {
    let mut search = ShortestLasso::new(loops, None, query()).expect("loops do not fail");
    search.finish();
    search.lasso()
}

#[test]
fn the_shortest_lasso_is_what_brute_force_finds() {
    let mut some = 0;
    for seed in 0..seeds() {
        let loops = Loops::random(seed);
        let least = loops.shortest();
        some += u64::from(least.is_some());
        for slice in [1, 7, u64::MAX] {
            let mut search = ShortestLasso::new(&loops, None, query()).expect("fine");
            let (outcome, found) = check(&loops, &mut search, slice);
            assert_eq!(found, least, "seed {seed}");
            let expected = if least.is_some() { Outcome::Found } else { Outcome::Complete };
            assert_eq!((outcome, search.lower_bound().0), (expected, least.unwrap_or(u32::MAX)));
            assert_eq!((search.is_least(), search.cost().map(|c| c.0)), (least.is_some(), least));
        }
    }
    assert!((seeds() / 4..seeds() * 3 / 4).contains(&some), "{some} of {}", seeds());
}

#[test]
fn a_known_lasso_or_a_bound_leaves_only_shorter_ones() {
    for seed in 0..seeds() {
        let loops = Loops::random(seed);
        let Some(known) = some_lasso(&loops) else { continue };
        let least = loops.cost(&known);
        // A second round makes it longer.
        let twice = known.cycle.iter().chain(&known.cycle).collect();
        let longer = Lasso { cycle: twice, ..known.clone() };
        for known in [known, longer] {
            let mut search = ShortestLasso::new(&loops, Some(known), query()).expect("fine");
            assert_eq!(check(&loops, &mut search, 5), (Outcome::Found, Some(least)));
            assert!(search.is_least());
        }
        for bound in [least, least - 1] {
            let bounded = SearchQuery { bound: Some(Cost(bound)), ..query() };
            let mut search = ShortestLasso::new(&loops, None, bounded).expect("fine");
            let (outcome, found) = check(&loops, &mut search, 5);
            let is_within = bound == least;
            assert_eq!(found, is_within.then_some(least));
            assert_eq!(outcome == Outcome::Found, is_within);
            assert_eq!(search.lower_bound(), Cost(least));
        }
    }
}

#[test]
fn limits_leave_bounds_that_hold() {
    let (mut early, mut useful) = (0, 0);
    for seed in 0..seeds() {
        let loops = Loops::random(seed);
        let depth = Limits { depth: Some(seed as u32 % 7), ..Limits::default() };
        let states = Limits { states: Some(1 + seed as usize % 11), ..Limits::default() };
        for (limits, stop) in [(depth, Stop::Depth), (states, Stop::Memory)] {
            let mut search =
                ShortestLasso::new(&loops, None, SearchQuery { limits, ..query() }).expect("fine");
            let (outcome, found) = check(&loops, &mut search, 3);
            match outcome {
                Outcome::Incomplete(why) => {
                    assert_eq!(why, stop);
                    early += 1;
                    useful += u64::from(search.lower_bound().0 > 1);
                }
                _ => assert_eq!(found, loops.shortest()),
            }
        }
    }
    assert!(early > seeds() / 8 && useful > seeds() / 20, "{early} and {useful}");
}

#[test]
fn a_directed_search_finds_a_lasso_if_there_is_one() {
    for seed in 0..seeds() {
        let loops = Loops::random(seed);
        let exists = loops.shortest().is_some();
        for method in [BestFirstConfig::A_STAR, BestFirstConfig::GREEDY] {
            for heuristic in ignorant(&loops, seed) {
                let slices = [1, 7, u64::MAX];
                let seen = slices.map(|slice| {
                    let guide = heuristic.fork();
                    let mut search =
                        DirectedLasso::new(&loops, guide, compass(&loops), method, query())
                            .expect("fine");
                    let (outcome, found) = check(&loops, &mut search, slice);
                    assert_eq!(found.is_some(), exists, "seed {seed}");
                    let expected = if exists { Outcome::Found } else { Outcome::Complete };
                    assert_eq!(outcome, expected);
                    (search.lasso(), search.stats())
                });
                assert!(seen.iter().all(|other| *other == seen[0]), "slices make a difference");
            }
        }
    }
}

#[test]
fn a_path_to_the_target_counts_as_a_lasso_does() {
    let (mut hits, mut lassos) = (0, 0);
    for seed in 0..seeds() {
        let mut loops = Loops::random(seed);
        let nodes = loops.ways.len() as u32;
        loops.broken = vec![Dice(seed).below(nodes)];
        let (lasso, broken) = (loops.shortest(), loops.nearest_broken());
        let least = lasso.into_iter().chain(broken).min();
        let target = SearchQuery::new(SearchTarget::invariant(0));
        let mut shortest = ShortestLasso::new(&loops, None, target).expect("fine");
        let outcome = shortest.finish();
        let (is_hit, is_lasso) = (!shortest.hits().is_empty(), shortest.lasso().is_some());
        assert!(!is_hit || broken == least);
        assert!(!is_lasso || lasso == least);
        assert_eq!(usize::from(is_hit) + usize::from(is_lasso), usize::from(least.is_some()));
        assert_eq!(outcome == Outcome::Found, least.is_some());
        assert_eq!(shortest.lower_bound().0, least.unwrap_or(u32::MAX));
        if is_hit {
            assert_eq!(shortest.hits()[0].cost.map(|cost| cost.0), broken);
            assert_eq!(shortest.path(0).last().map(node), Some(loops.broken[0]));
        }
        let mut directed =
            DirectedLasso::new(&loops, Box::new(Blind), blind(), BestFirstConfig::A_STAR, target)
                .expect("fine");
        let outcome = directed.finish();
        assert_eq!(outcome == Outcome::Found, least.is_some());
        let found = directed.hits().len() + usize::from(directed.lasso().is_some());
        assert_eq!(found, usize::from(least.is_some()));
        hits += u64::from(is_hit);
        lassos += u64::from(is_lasso);
    }
    assert!(hits > seeds() / 10 && lassos > seeds() / 10, "{hits} and {lassos}");
}

/// The same cycle twice, entered at another state.
fn longer(lasso: &Lasso, turn: usize) -> Lasso {
    let turn = turn % lasso.cycle.len();
    let (before, behind) = (lasso.cycle.part(0, turn), lasso.cycle.part(turn, lasso.cycle.len()));
    let stem = lasso.stem.iter().chain(&lasso.cycle).chain(&before).collect();
    Lasso { stem, cycle: behind.iter().chain(&lasso.cycle).chain(&before).collect() }
}

#[test]
fn improvement_never_lengthens_and_helps() {
    let (mut all, mut shortest) = (0, 0);
    for seed in 0..seeds() {
        let loops = Loops::random(seed);
        let guide = || ignorant(&loops, seed).into_iter().next_back().expect("two");
        let mut search =
            DirectedLasso::new(&loops, guide(), compass(&loops), BestFirstConfig::GREEDY, query())
                .expect("fine");
        search.finish();
        let Some(found) = search.lasso() else { continue };
        let least = loops.shortest().expect("there is one");
        for known in [longer(&found, seed as usize % 5), found] {
            let before = loops.cost(&known);
            let costs = [1, 1000].map(|slice| {
                let known = known.clone();
                let mut search = LassoImprovement::new(&loops, known, compass(&loops), query())
                    .expect("fine")
                    .expect("it is a lasso");
                let (outcome, cost) = check(&loops, &mut search, slice);
                assert_eq!(outcome, Outcome::Incomplete(Stop::IncompleteMethod));
                assert_eq!(Some(search.length().total().0), cost);
                cost.expect("it never loses it")
            });
            assert!(costs[0] == costs[1] && costs[0] <= before && costs[0] >= least);
            all += 1;
            shortest += u64::from(costs[0] == least);
        }
    }
    assert!(shortest * 10 > all * 8, "{shortest} of {all}");
}

#[test]
fn what_is_not_a_lasso_is_not_improved() {
    let edges = vec![vec![(1, 1)], vec![(0, 1)]];
    let loops = Loops::plain(&edges, vec![false, false]);
    let cycle = [crate::roads::state(0), crate::roads::state(1)].iter().collect();
    let known = Lasso { cycle, ..Lasso::default() };
    let search = LassoImprovement::new(&loops, known, compass(&loops), query());
    assert!(search.expect("fine").is_none());
}

fn blind<'a>() -> GoalHeuristics<'a> {
    Box::new(|_: &[u8]| Box::new(Blind) as Box<dyn Heuristic>)
}

#[test]
fn long_cycles_are_no_different() {
    let mut some = 0;
    for seed in 0..80 {
        let loops = Loops::long(seed, 40 + seed as u32, seed as u32 % 4);
        let least = loops.shortest();
        some += usize::from(least.is_some());
        let mut search = ShortestLasso::new(&loops, None, query()).expect("fine");
        assert_eq!(check(&loops, &mut search, 100).1, least, "seed {seed}");
        let mut search = DirectedLasso::new(
            &loops,
            Box::new(Blind),
            compass(&loops),
            BestFirstConfig::GREEDY,
            query(),
        )
        .expect("fine");
        let (_, found) = check(&loops, &mut search, 100);
        assert_eq!(found.is_some(), least.is_some(), "seed {seed}");
        let Some(lasso) = search.lasso() else { continue };
        let shorter = LassoImprovement::new(&loops, lasso, compass(&loops), query());
        let mut shorter = shorter.expect("fine").expect("it is a lasso");
        assert!(check(&loops, &mut shorter, 100).1 <= found);
    }
    assert!((20..70).contains(&some), "{some}");
}

/// Runs a search with at most this much work, and returns outcome, cost and expansions.
fn within(space: &dyn Space, work: u64, mut search: impl CycleSearch) -> (Outcome, u32, u64) {
    let Progress::Done(outcome) = search.advance(SliceBudget::expansions(work)) else {
        panic!("{} is not done, with {:?}", search.name(), search.stats());
    };
    let lasso = search.lasso();
    assert!(lasso.iter().all(|lasso| lasso.is_valid(space)));
    let length = lasso.and_then(|lasso| lasso.length(&mut *space.expander()));
    (outcome, length.map_or(0, |length| length.total().0), search.stats().expanded)
}

#[test]
fn one_large_component_takes_about_as_much_work_as_it_has_states() {
    let clocks = |accepting| Clocks { counters: 3, top: 49, accepting };
    let spaces: [(Clocks, u32, u64); 4] = [
        // A single accepting state, at the greatest distance; then once around.
        (clocks(Some(|state| state == [25, 25, 25])), 100, 300_000),
        (clocks(Some(|state| state[0] == 25)), 50, 300_000),
        (clocks(Some(|state| state[0] >= 25)), 50, 300_000),
        // Each clock must make a round.
        (Clocks { counters: 3, top: 14, accepting: None }, 45, 2_000_000),
    ];
    for (space, cost, work) in &spaces {
        let shortest = ShortestLasso::new(space, None, query()).expect("fine");
        let (outcome, found, _) = within(space, *work, shortest);
        assert_eq!((outcome, found), (Outcome::Found, *cost));
        let directed =
            DirectedLasso::new(space, Box::new(Blind), blind(), BestFirstConfig::A_STAR, query())
                .expect("fine");
        let (outcome, found, _) = within(space, *work, directed);
        assert!(outcome == Outcome::Found && found >= *cost);
    }
}

#[test]
fn a_hundred_thousand_seeds_that_do_not_lead_back_are_soon_dismissed() {
    let chain = Chain(100_000);
    let directed =
        DirectedLasso::new(&chain, Box::new(Blind), blind(), BestFirstConfig::A_STAR, query())
            .expect("fine");
    let (outcome, _, expanded) = within(&chain, 1_000_000, directed);
    assert_eq!(outcome, Outcome::Complete);
    assert!((100_000..500_000).contains(&expanded), "{expanded}");
}

#[test]
fn memory_is_a_limit_and_what_was_found_stays() {
    let space = Clocks { counters: 3, top: 49, accepting: Some(|state| state[0] == 25) };
    let mut early = 0;
    for bytes in [1_000, 100_000, 500_000, 1_000_000, 100_000_000] {
        let limits = Limits { bytes: Some(bytes), ..Limits::default() };
        let limited = SearchQuery { limits, ..query() };
        let mut shortest = ShortestLasso::new(&space, None, limited).expect("fine");
        let outcome = loop {
            if let Progress::Done(outcome) = shortest.advance(SliceBudget::expansions(100)) {
                break outcome;
            }
            assert!(shortest.bytes() <= bytes + 100_000);
        };
        assert!(shortest.lower_bound() <= Cost(50));
        assert_eq!(shortest.is_least(), outcome == Outcome::Found);
        assert!(outcome == Outcome::Found || outcome == Outcome::Incomplete(Stop::Memory));
        early += usize::from(outcome != Outcome::Found);
        let mut directed =
            DirectedLasso::new(&space, Box::new(Blind), blind(), BestFirstConfig::A_STAR, limited)
                .expect("fine");
        let outcome = directed.finish();
        assert!(outcome == Outcome::Found || outcome == Outcome::Incomplete(Stop::Memory));
    }
    assert!((1..5).contains(&early), "{early}");
}

#[test]
fn a_raised_flag_stops_all_of_them() {
    let stop = AtomicBool::new(false);
    let space = Clocks { counters: 3, top: 49, accepting: Some(|state| state[0] == 25) };
    let query = SearchQuery { stop: Some(&stop), ..query() };
    let mut shortest = ShortestLasso::new(&space, None, query).expect("fine");
    let mut directed =
        DirectedLasso::new(&space, Box::new(Blind), blind(), BestFirstConfig::A_STAR, query)
            .expect("fine");
    let lasso = {
        let mut search = ShortestLasso::new(&space, None, query).expect("fine");
        search.finish();
        search.lasso().expect("there is one")
    };
    let mut shorter =
        LassoImprovement::new(&space, lasso, blind(), query).expect("fine").expect("it is a lasso");
    let searches: [&mut dyn CycleSearch; 3] = [&mut shortest, &mut directed, &mut shorter];
    for search in searches {
        stop.store(false, Ordering::Relaxed);
        assert_eq!(search.advance(SliceBudget::expansions(10)), Progress::Paused);
        stop.store(true, Ordering::Relaxed);
        let stopped = Progress::Done(Outcome::Incomplete(Stop::Interrupted));
        assert_eq!(search.advance(SliceBudget::expansions(10)), stopped);
    }
}
