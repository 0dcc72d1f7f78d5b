//! Whatever the states are kept in, the search is the same.

use beeline_kernel::{Space, StateId, Stop};
use beeline_search::{
    Aim, Beam, BestFirst, Budget, Climb, CompactStore, Deepening, DepthFirst, Dive, ExactStore,
    Exploration, Finding, FrontierSearch, HillClimbing, Hit, IdaStar, InFull, Limits, Memory,
    Method, Options, Outcome, Quest, Search, StateStore, Stats, Target, Then, Transit, Until,
};

use crate::roads::{Oracle, Roads, check_paths, oracles, random_roads};
use crate::toys::{Grid, ORDERS, line, random_graphs};

/// All that can be seen of a search.
#[derive(Debug, PartialEq)]
struct Seen {
    outcome: Outcome,
    stats: Stats,
    findings: Vec<Finding>,
    states: Vec<Vec<u8>>,
    paths: Vec<Vec<StateId>>,
}

fn see<S: Space, T: StateStore>(space: &S, options: Options<'_>) -> Seen {
    finish(Exploration::<T>::with_store(space, options).expect("toys do not fail at once"))
}

fn finish<T: StateStore>(mut exploration: Exploration<'_, T>) -> Seen {
    let outcome = exploration.finish();
    // The one thing in which they may differ.
    let stats = Stats { store_bytes: 0, table_bytes: 0, ..exploration.stats() };
    let ids = || (0..stats.stored as usize).map(|index| StateId::new(index).expect("few states"));
    Seen {
        outcome,
        stats,
        findings: exploration.findings().to_vec(),
        states: ids().map(|id| exploration.state(id)).collect(),
        paths: ids().step_by(17).map(|id| exploration.path_to(id)).collect(),
    }
}

fn check<S: Space>(space: &S, options: Options<'_>) -> Outcome {
    let exact = see::<_, ExactStore>(space, options);
    assert_eq!(see::<_, CompactStore>(space, options), exact);
    exact.outcome
}

#[test]
fn states_can_be_moved_to_another_store_on_the_way() {
    for order in ORDERS {
        let options = Options { order, ..Options::default() };
        let grid = Grid { counters: 5, top: 4 };
        let exact = see::<_, ExactStore>(&grid, options);
        for expansions in [0, 1, 100, 1000, 100_000] {
            let mut exploration = Exploration::new(&grid, options).expect("it begins");
            exploration.advance(Budget::expansions(expansions));
            let moved = exploration.moving::<CompactStore>().finish().expect("there is room");
            assert_eq!(finish(moved), exact);
        }
        let mut exploration = Exploration::new(&grid, options).expect("it begins");
        exploration.advance(Budget::expansions(100));
        let mut bit_by_bit = exploration.moving::<CompactStore>();
        let (stored, bytes) = (bit_by_bit.exploration().stats().stored, bit_by_bit.bytes());
        let mut turns = 1;
        while bit_by_bit.advance(10) == Transit::Underway {
            assert_eq!(bit_by_bit.exploration().stats().stored, stored);
            turns += 1;
        }
        assert!(turns == stored.div_ceil(10) && bit_by_bit.bytes() >= bytes, "{turns} {stored}");
        let there = bit_by_bit.finish().expect("there is room");
        let back = there.moving::<ExactStore>().finish();
        assert_eq!(finish(back.expect("there is room")), exact);
    }
}

#[test]
fn every_store_gives_the_same_search() {
    for order in ORDERS {
        check(&Grid { counters: 5, top: 4 }, Options { order, ..Options::default() });
        check(&Grid { counters: 13, top: 1 }, Options { order, ..Options::default() });
        check(&line(3_000), Options { order, ..Options::default() });
        for graph in random_graphs() {
            check(&graph, Options { order, keep: 10, ..Options::default() });
            check(&graph, Options { order, until: Until::FirstFault, ..Options::default() });
            let limits = Limits { depth: Some(4), states: Some(40), ..Limits::default() };
            check(&graph, Options { order, limits, ..Options::default() });
        }
    }
}

#[test]
fn a_compact_store_keeps_a_memory_limit() {
    let grid = Grid { counters: 6, top: 5 };
    for order in ORDERS {
        for bytes in [0, 1_000, 20_000, 300_000] {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let options = Options { order, limits, ..Options::default() };
            let mut exploration = Exploration::<CompactStore>::with_store(&grid, options)
                .expect("toys do not fail at once");
            assert_eq!(exploration.finish(), Outcome::Incomplete(Stop::Memory), "{bytes}");
            let stats = exploration.stats();
            assert!(stats.stored == 0 || stats.store_bytes as usize <= bytes);
        }
    }
}

/// What each directed search finds, with states in stores of type `T`.
fn directed<T: StateStore>(roads: &Roads, oracle: &Oracle) -> Vec<(Outcome, Vec<Hit>, u64)> {
    let first = Quest::new(Target::ANYTHING);
    let quest = Quest { then: Then::GoOn, keep: 4, ..first };
    let table = Deepening { memory: Memory::Table(1_000), ..Deepening::default() };
    let dive = Dive { aim: Aim::Cheapest, ..Dive::default() };
    let h = || oracle.boxed();
    let searches: [Box<dyn Search + '_>; 6] = [
        Box::new(BestFirst::<'_, T>::with_store(roads, h(), Method::A_STAR, quest).expect("fine")),
        Box::new(IdaStar::<'_, InFull<T>>::with_store(roads, h(), table, first).expect("fine")),
        Box::new(DepthFirst::<T>::with_store(roads, h(), dive, quest).expect("fine")),
        Box::new(Beam::<T>::with_store(roads, h(), 3, quest).expect("fine")),
        Box::new(HillClimbing::<T>::with_store(roads, h(), Climb::Enforced, quest).expect("fine")),
        Box::new(FrontierSearch::<T>::with_store(roads, quest).expect("fine")),
    ];
    let run = |mut search: Box<dyn Search + '_>| {
        let outcome = search.finish();
        check_paths(roads, Target::ANYTHING, &*search);
        (outcome, search.hits(), search.stats().expanded)
    };
    searches.into_iter().map(run).collect()
}

#[test]
fn directed_searches_do_not_care_where_states_are_kept() {
    for (seed, roads) in random_roads().enumerate().step_by(3) {
        for oracle in oracles(&roads, Target::ANYTHING, seed as u64) {
            let exact = directed::<ExactStore>(&roads, &oracle);
            assert_eq!(directed::<CompactStore>(&roads, &oracle), exact);
        }
    }
}
