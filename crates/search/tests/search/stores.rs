//! The results of a search do not depend on the store.

use beeline_kernel::{Space, StateId, Stop};
use beeline_search::{
    AfterHit, Beam, BestFirst, BestFirstConfig, ClimbKind, CompactStore, DepthFirst, DfsConfig,
    DfsGoal, ExactStore, ExactTable, Exploration, ExplorationOptions, Finding, FrontierSearch,
    HillClimbing, Hit, IdaConfig, IdaMemory, IdaStar, Limits, MigrationStatus, Outcome, Search,
    SearchQuery, SearchTarget, SliceBudget, StateStore, Stats, StopCondition,
};

use crate::roads::{Oracle, Roads, check_paths, oracles, random_roads};
use crate::toys::{Grid, ORDERS, line, random_graphs};

/// All observable results of a search.
#[derive(Debug, PartialEq)]
struct Seen {
    outcome: Outcome,
    stats: Stats,
    findings: Vec<Finding>,
    states: Vec<Vec<u8>>,
    paths: Vec<Vec<StateId>>,
}

fn see<S: Space, T: StateStore>(space: &S, options: ExplorationOptions<'_>) -> Seen {
    finish(Exploration::<T>::with_store(space, options).expect("toys do not fail at once"))
}

fn finish<T: StateStore>(mut exploration: Exploration<'_, T>) -> Seen {
    let outcome = exploration.finish();
    // Only these counters may differ.
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

fn check<S: Space>(space: &S, options: ExplorationOptions<'_>) -> Outcome {
    let exact = see::<_, ExactStore>(space, options);
    assert_eq!(see::<_, CompactStore>(space, options), exact);
    exact.outcome
}

#[test]
fn states_can_be_moved_to_another_store_on_the_way() {
    for order in ORDERS {
        let options = ExplorationOptions { order, ..ExplorationOptions::default() };
        let grid = Grid { counters: 5, top: 4 };
        let exact = see::<_, ExactStore>(&grid, options);
        for expansions in [0, 1, 100, 1000, 100_000] {
            let mut exploration = Exploration::new(&grid, options).expect("it begins");
            exploration.advance(SliceBudget::expansions(expansions));
            let moved = exploration.migrate::<CompactStore>().finish().expect("there is room");
            assert_eq!(finish(moved), exact);
        }
        let mut exploration = Exploration::new(&grid, options).expect("it begins");
        exploration.advance(SliceBudget::expansions(100));
        let mut bit_by_bit = exploration.migrate::<CompactStore>();
        let (stored, bytes) = (bit_by_bit.exploration().stats().stored, bit_by_bit.bytes());
        let mut turns = 1;
        while bit_by_bit.advance(10) == MigrationStatus::Ongoing {
            assert_eq!(bit_by_bit.exploration().stats().stored, stored);
            turns += 1;
        }
        assert!(turns == stored.div_ceil(10) && bit_by_bit.bytes() >= bytes, "{turns} {stored}");
        let there = bit_by_bit.finish().expect("there is room");
        let back = there.migrate::<ExactStore>().finish();
        assert_eq!(finish(back.expect("there is room")), exact);
    }
}

#[test]
fn every_store_gives_the_same_search() {
    for order in ORDERS {
        check(
            &Grid { counters: 5, top: 4 },
            ExplorationOptions { order, ..ExplorationOptions::default() },
        );
        check(
            &Grid { counters: 13, top: 1 },
            ExplorationOptions { order, ..ExplorationOptions::default() },
        );
        check(&line(3_000), ExplorationOptions { order, ..ExplorationOptions::default() });
        for graph in random_graphs() {
            check(&graph, ExplorationOptions { order, keep: 10, ..ExplorationOptions::default() });
            check(
                &graph,
                ExplorationOptions {
                    order,
                    until: StopCondition::FirstFault,
                    ..ExplorationOptions::default()
                },
            );
            let limits = Limits { depth: Some(4), states: Some(40), ..Limits::default() };
            check(&graph, ExplorationOptions { order, limits, ..ExplorationOptions::default() });
        }
    }
}

#[test]
fn a_compact_store_keeps_a_memory_limit() {
    let grid = Grid { counters: 6, top: 5 };
    for order in ORDERS {
        for bytes in [0, 1_000, 20_000, 300_000] {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let options = ExplorationOptions { order, limits, ..ExplorationOptions::default() };
            let mut exploration = Exploration::<CompactStore>::with_store(&grid, options)
                .expect("toys do not fail at once");
            assert_eq!(exploration.finish(), Outcome::Incomplete(Stop::Memory), "{bytes}");
            let stats = exploration.stats();
            assert!(stats.stored == 0 || stats.store_bytes as usize <= bytes);
        }
    }
}

/// The hits of each directed search, with states in stores of type `T`.
fn directed<T: StateStore>(roads: &Roads, oracle: &Oracle) -> Vec<(Outcome, Vec<Hit>, u64)> {
    let first = SearchQuery::new(SearchTarget::ANYTHING);
    let query = SearchQuery { after_hit: AfterHit::Continue, keep: 4, ..first };
    let table = IdaConfig { memory: IdaMemory::Table(1_000), ..IdaConfig::default() };
    let dive = DfsConfig { goal: DfsGoal::Cheapest, ..DfsConfig::default() };
    let h = || oracle.boxed();
    let searches: [Box<dyn Search + '_>; 6] = [
        Box::new(
            BestFirst::<'_, T>::with_store(roads, h(), BestFirstConfig::A_STAR, query)
                .expect("fine"),
        ),
        Box::new(IdaStar::<'_, ExactTable<T>>::with_store(roads, h(), table, first).expect("fine")),
        Box::new(DepthFirst::<T>::with_store(roads, h(), dive, query).expect("fine")),
        Box::new(Beam::<T>::with_store(roads, h(), 3, query).expect("fine")),
        Box::new(
            HillClimbing::<T>::with_store(roads, h(), ClimbKind::Enforced, query).expect("fine"),
        ),
        Box::new(FrontierSearch::<T>::with_store(roads, query).expect("fine")),
    ];
    let run = |mut search: Box<dyn Search + '_>| {
        let outcome = search.finish();
        check_paths(roads, SearchTarget::ANYTHING, &*search);
        (outcome, search.hits(), search.stats().expanded)
    };
    searches.into_iter().map(run).collect()
}

#[test]
fn directed_searches_do_not_care_where_states_are_kept() {
    for (seed, roads) in random_roads().enumerate().step_by(3) {
        for oracle in oracles(&roads, SearchTarget::ANYTHING, seed as u64) {
            let exact = directed::<ExactStore>(&roads, &oracle);
            assert_eq!(directed::<CompactStore>(&roads, &oracle), exact);
        }
    }
}
