//! Limits end operations with an error, and the forest remains usable.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use beeline_factored::{FactorId, Ranges};
use beeline_kernel::{SplitMix64, Stop};
use beeline_symbolic::{
    DiagramLimits, Forest, Limit, PatternDistances, PatternGoal, Set, SymbolicError, SymbolicGoal,
    SymbolicOutcome, SymbolicRanking, SymbolicStrategy, SymbolicSystem,
};

use crate::philosophers::philosophers;

/// Random vectors; their set has hardly any sharing.
fn scattered(forest: &mut Forest, seed: u64) -> Result<Set, Limit> {
    let mut rng = SplitMix64::new(seed);
    let all: Vec<Vec<i32>> =
        (0..2000).map(|_| (0..6).map(|_| rng.below(50) as i32).collect()).collect();
    forest.from_vectors(all.iter().map(Vec::as_slice))
}

#[test]
fn a_node_limit_ends_operations_and_dropped_sets_make_room() {
    let mut forest = Forest::new(6, DiagramLimits { nodes: 25_000, ..DiagramLimits::default() });
    let first = scattered(&mut forest, 0).expect("one set fits");
    let count = forest.count(&first);
    let mut kept = vec![first.clone()];
    let failed = (1..20).find_map(|seed| match scattered(&mut forest, seed) {
        Ok(set) => {
            kept.push(set);
            None
        }
        Err(limit) => Some(limit),
    });
    assert_eq!(failed, Some(Limit::Nodes));
    kept.clear();
    assert_eq!(forest.count(&first), count);
    let second = scattered(&mut forest, 40).expect("garbage makes room");
    forest.union(&first, &second).expect("two sets fit");
}

#[test]
fn a_memory_limit_ends_operations() {
    let bytes = 1 << 20;
    let mut forest = Forest::new(6, DiagramLimits { bytes, ..DiagramLimits::default() });
    let mut kept = Vec::new();
    let failed = (0..1000).find_map(|seed| match scattered(&mut forest, seed) {
        Ok(set) => {
            kept.push(set);
            None
        }
        Err(limit) => Some(limit),
    });
    assert_eq!(failed, Some(Limit::Memory));
    assert!(forest.bytes() <= bytes && forest.bytes() > bytes / 4);
    assert_eq!(Limit::Memory.stop(), Stop::Memory);
}

#[test]
fn an_error_at_any_moment_leaves_the_system_usable() {
    let system = philosophers(12);
    let ranges = Ranges::of(&system);
    for strategy in
        [SymbolicStrategy::Saturation, SymbolicStrategy::Chaining, SymbolicStrategy::BreadthFirst]
    {
        let mut whole = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
        let expected = whole.reachable(strategy).expect("no limits");
        let expected = whole.count(&expected.states.free);
        let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
        // Nodes as a clock: each attempt comes a little further than the one before.
        let stops = Cell::new(0);
        let reached = (1..).map(|tenth| tenth * 40).find_map(|nodes| {
            symbolic.forest().set_limits(DiagramLimits { nodes, ..DiagramLimits::default() });
            match symbolic.reachable(strategy) {
                Ok(reached) => Some(reached),
                Err(error) => {
                    assert_eq!(error, SymbolicError::Limit(Limit::Nodes));
                    stops.set(stops.get() + 1);
                    None
                }
            }
        });
        let reached = reached.expect("the limits grow");
        assert_eq!(symbolic.count(&reached.states.free), expected, "{strategy:?}");
        assert!(stops.get() > 1, "{strategy:?} was never stopped");
    }
}

type SearchRun<'a> = dyn Fn(&mut SymbolicSystem<'_>) -> Result<SymbolicOutcome, SymbolicError> + 'a;

#[test]
fn searches_end_at_limits_and_can_be_repeated() {
    let system = philosophers(6);
    let ranges = Ranges::of(&system);
    let mut symbolic = SymbolicSystem::new(&system, &ranges, DiagramLimits::default());
    let within = symbolic.reachable(SymbolicStrategy::Saturation).expect("no limits").states;
    let goal = symbolic.deadlocks(&within.free).expect("no limits");
    let searches: [&SearchRun<'_>; 4] = [
        &|symbolic| symbolic.breadth_first(&mut SymbolicGoal::deadlocks()),
        &|symbolic| symbolic.backward(&goal, &within),
        &|symbolic| symbolic.bidirectional(&goal, &within),
        &|symbolic| {
            let goals = vec![(0, goal.clone())];
            let factors: Vec<FactorId> = (0..9).map(FactorId).collect();
            let goals = PatternGoal::States(&goals);
            let limits = DiagramLimits::default();
            let mut estimate = PatternDistances::new(symbolic, &factors, goals, limits)?;
            let mut goal = SymbolicGoal::deadlocks();
            symbolic.best_first(&mut goal, &mut estimate, SymbolicRanking::GH)
        },
    ];
    for (at, search) in searches.into_iter().enumerate() {
        // Nodes of the operations so far are in the way of all searches.
        symbolic.forest().collect();
        let used = symbolic.forest().nodes_in_use();
        let mut stops = 0;
        let found = (0..).map(|tenth| used + tenth * 40).find_map(|nodes| {
            symbolic.forest().set_limits(DiagramLimits { nodes, ..DiagramLimits::default() });
            let found = search(&mut symbolic);
            stops += usize::from(found.is_err());
            assert!(found.is_ok() || found == Err(SymbolicError::Limit(Limit::Nodes)));
            found.ok()
        });
        let path = found.and_then(|found| found.path).expect("the limits grow");
        assert_eq!(path.cost, 6, "{at}");
        assert!(stops > 0, "{at} was never stopped");
        symbolic.forest().set_limits(DiagramLimits::default());
    }
}

#[test]
fn the_interrupt_is_polled() {
    let system = philosophers(40);
    let ranges = Ranges::of(&system);
    let polls = Arc::new(AtomicU32::new(0));
    let seen = polls.clone();
    let interrupt =
        Box::new(move |_| (seen.fetch_add(1, Ordering::Relaxed) >= 3).then_some(Stop::Interrupted));
    let limits = DiagramLimits { interrupt, ..DiagramLimits::default() };
    let mut symbolic = SymbolicSystem::new(&system, &ranges, limits);
    let result = symbolic.reachable(SymbolicStrategy::Chaining).map(|_| ());
    assert_eq!(result, Err(SymbolicError::Limit(Limit::Stopped(Stop::Interrupted))));
    assert_eq!(polls.load(Ordering::Relaxed), 4);
    symbolic.forest().set_limits(DiagramLimits::default());
    symbolic.reachable(SymbolicStrategy::Chaining).expect("no limits any more");
}
