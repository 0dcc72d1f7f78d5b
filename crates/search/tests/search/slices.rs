//! A search in slices has the results of a whole one.

use beeline_kernel::Space;
use beeline_search::{
    ExplorationOptions, Finding, Limits, Outcome, Progress, SliceBudget, Stats, StopCondition,
};

use crate::toys::{Graph, Grid, ORDERS, explore, line, random_graphs};

fn in_slices<S: Space>(
    space: &S,
    options: ExplorationOptions<'_>,
    slice: u64,
) -> (Outcome, Stats, Vec<Finding>) {
    let mut exploration = explore(space, options);
    loop {
        let before = exploration.stats().expanded;
        let progress = exploration.advance(SliceBudget::expansions(slice));
        let expanded = exploration.stats().expanded - before;
        match progress {
            Progress::Paused => assert_eq!(expanded, slice),
            Progress::Done(outcome) => {
                assert!(expanded <= slice);
                return (outcome, exploration.stats(), exploration.findings().to_vec());
            }
        }
    }
}

fn check<S: Space>(space: &S, options: ExplorationOptions<'_>) {
    let whole = in_slices(space, options, u64::MAX);
    for slice in [1, 7, 1000] {
        assert_eq!(in_slices(space, options, slice), whole);
    }
}

#[test]
fn one_by_one_is_all_at_once() {
    for order in ORDERS {
        check(
            &Grid { counters: 4, top: 3 },
            ExplorationOptions { order, ..ExplorationOptions::default() },
        );
        for graph in random_graphs() {
            check(&graph, ExplorationOptions { order, keep: 10, ..ExplorationOptions::default() });
            check(
                &graph,
                ExplorationOptions {
                    order,
                    until: StopCondition::FirstFinding,
                    ..ExplorationOptions::default()
                },
            );
            let limits = Limits { depth: Some(3), states: Some(50), ..Limits::default() };
            check(&graph, ExplorationOptions { order, limits, ..ExplorationOptions::default() });
        }
    }
}

#[test]
fn an_empty_budget_does_nothing() {
    let line = line(3);
    let mut exploration = explore(&line, ExplorationOptions::default());
    assert_eq!(exploration.advance(SliceBudget::expansions(0)), Progress::Paused);
    assert_eq!(exploration.stats().expanded, 0);
}

#[test]
fn the_last_expansion_is_the_end() {
    let line = line(3);
    let mut exploration = explore(&line, ExplorationOptions::default());
    assert_eq!(exploration.advance(SliceBudget::expansions(3)), Progress::Paused);
    let end = exploration.advance(SliceBudget::expansions(1));
    assert_eq!(end, Progress::Done(Outcome::Complete));
}

#[test]
fn pauses_where_there_is_only_a_loop_left() {
    let graph = Graph::new(vec![vec![1], vec![0, 1]]);
    for order in ORDERS {
        check(&graph, ExplorationOptions { order, ..ExplorationOptions::default() });
    }
}
