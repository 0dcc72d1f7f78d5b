//! A search reports a limit if and only if the limit was reached.

use std::sync::atomic::{AtomicBool, Ordering};

use beeline_kernel::{Space, Stop};
use beeline_search::{
    ExplorationOptions, ExplorationOrder, FindingKind, Limits, Outcome, Progress, SliceBudget,
    Stats, StopCondition,
};

use crate::toys::{Graph, Grid, ORDERS, explore, line};

fn run<S: Space>(space: &S, order: ExplorationOrder, limits: Limits) -> (Outcome, Stats) {
    let mut exploration =
        explore(space, ExplorationOptions { order, limits, ..ExplorationOptions::default() });
    let outcome = exploration.finish();
    assert_eq!(exploration.advance(SliceBudget::UNLIMITED), Progress::Done(outcome));
    let stats = exploration.stats();
    assert!(stats.expanded <= stats.stored);
    assert_eq!(outcome == Outcome::Complete, stats.expanded == stats.stored);
    (outcome, stats)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn states(states: usize) -> Limits {
    Limits { states: Some(states), ..Limits::default() }
}

#[test]
fn a_state_at_the_depth_limit_is_expanded_and_the_next_is_not() {
    for order in ORDERS {
        let (outcome, stats) = run(&line(5), order, depth(5));
        assert_eq!((outcome, stats.depth, stats.errors), (Outcome::Complete, 5, 1));
        let (outcome, stats) = run(&line(5), order, depth(4));
        assert_eq!((outcome, stats.depth), (Outcome::Incomplete(Stop::Depth), 4));
        assert_eq!((stats.stored, stats.errors), (6, 0));
        let (outcome, stats) = run(&line(5), order, depth(0));
        assert_eq!((outcome, stats.expanded), (Outcome::Incomplete(Stop::Depth), 1));
    }
}

#[test]
fn breadth_first_reaches_everything_within_the_depth_limit() {
    let grid = Grid { counters: 3, top: 4 };
    // Three counters with a sum of at most 3, and the next layer.
    let (outcome, stats) = run(&grid, ExplorationOrder::Breadth, depth(3));
    assert_eq!(outcome, Outcome::Incomplete(Stop::Depth));
    assert_eq!((stats.expanded, stats.stored), (20, 35));
    assert_eq!(run(&grid, ExplorationOrder::Breadth, depth(12)).0, Outcome::Complete);
    assert_eq!(
        run(&grid, ExplorationOrder::Breadth, depth(11)).0,
        Outcome::Incomplete(Stop::Depth)
    );
}

#[test]
fn depth_first_is_complete_when_a_cut_state_has_a_shorter_way() {
    // 0 → 1 → 2 → 3, and 0 → 3: cut on the long path, expanded on the short one.
    let graph = Graph::new(vec![vec![1, 3], vec![2], vec![3], vec![]]);
    let (outcome, stats) = run(&graph, ExplorationOrder::Depth, depth(2));
    assert_eq!((outcome, stats.errors), (Outcome::Complete, 1));
}

#[test]
fn depth_first_admits_what_a_depth_limit_hid() {
    // 3 is expanded at the limit on the long path, so 4 is not expanded, although the short path to
    // it is within the limit.
    let graph = Graph::new(vec![vec![1, 3], vec![2], vec![3], vec![4], vec![]]);
    let (outcome, stats) = run(&graph, ExplorationOrder::Depth, depth(3));
    assert_eq!((outcome, stats.errors), (Outcome::Incomplete(Stop::Depth), 0));
}

#[test]
fn a_state_limit_is_exact() {
    let grid = Grid { counters: 4, top: 3 };
    for order in ORDERS {
        assert_eq!(run(&grid, order, states(256)).0, Outcome::Complete);
        for limit in [0, 1, 2, 100, 255] {
            let (outcome, stats) = run_small(&grid, order, limit);
            assert_eq!(outcome, Outcome::Incomplete(Stop::Memory));
            assert_eq!(stats.stored, limit as u64);
        }
    }
}

/// Without the checks of [`run`]: a state may be expanded without its successors being stored.
fn run_small(grid: &Grid, order: ExplorationOrder, limit: usize) -> (Outcome, Stats) {
    let mut exploration = explore(
        grid,
        ExplorationOptions { order, limits: states(limit), ..ExplorationOptions::default() },
    );
    (exploration.finish(), exploration.stats())
}

#[test]
fn a_memory_limit_is_kept() {
    let grid = Grid { counters: 5, top: 8 };
    for order in ORDERS {
        let mut free =
            explore(&grid, ExplorationOptions { order, ..ExplorationOptions::default() });
        free.finish();
        let needed = free.bytes();
        // With a little more memory, it is complete: a table that cannot grow is filled up.
        for bytes in [0, 1_000, 10_000, needed / 10, needed / 2, needed * 2 / 3] {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let mut exploration = explore(
                &grid,
                ExplorationOptions { order, limits, ..ExplorationOptions::default() },
            );
            assert_eq!(exploration.finish(), Outcome::Incomplete(Stop::Memory), "{bytes}");
            let stats = exploration.stats();
            assert_eq!(stats.generated + 1, stats.transitions().max(1));
            assert!(stats.stored == 0 || stats.store_bytes as usize <= bytes);
        }
        let limits = Limits { bytes: Some(2 * needed), ..Limits::default() };
        assert_eq!(run(&grid, order, limits).0, Outcome::Complete);
    }
}

#[test]
fn a_finding_within_the_limits_is_found() {
    for order in ORDERS {
        let limits = Limits { depth: Some(5), states: Some(6), ..Limits::default() };
        let line = line(5);
        let options = ExplorationOptions {
            order,
            limits,
            until: StopCondition::FirstDeadlock,
            ..ExplorationOptions::default()
        };
        let mut exploration = explore(&line, options);
        assert_eq!(exploration.finish(), Outcome::Found);
        assert_eq!(exploration.findings()[0].kind, FindingKind::Deadlock);
    }
}

#[test]
fn a_raised_flag_stops_the_next_slice() {
    let grid = Grid { counters: 6, top: 7 };
    let interrupted = Progress::Done(Outcome::Incomplete(Stop::Interrupted));
    for order in ORDERS {
        let flag = AtomicBool::new(false);
        let mut exploration = explore(
            &grid,
            ExplorationOptions { order, stop: Some(&flag), ..ExplorationOptions::default() },
        );
        assert_eq!(exploration.advance(SliceBudget::expansions(10)), Progress::Paused);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(exploration.advance(SliceBudget::UNLIMITED), interrupted);
        assert_eq!(exploration.stats().expanded, 10);
        // An interrupted exploration does not continue.
        flag.store(false, Ordering::Relaxed);
        assert_eq!(exploration.advance(SliceBudget::UNLIMITED), interrupted);
    }
}

#[test]
fn a_flag_raised_in_the_middle_of_a_slice_stops_it_soon() {
    /// Raises the flag after some expansions.
    struct Bell<'a>(Grid, &'a AtomicBool, AtomicBool);
    impl Space for Bell<'_> {
        fn initial(&self, state: &mut Vec<u8>) -> Result<(), beeline_kernel::Fault> {
            self.0.initial(state)
        }
        fn expand(&self, state: &[u8], expansion: &mut beeline_kernel::Expansion) {
            if !self.2.swap(true, Ordering::Relaxed) {
                self.1.store(true, Ordering::Relaxed);
            }
            self.0.expand(state, expansion);
        }
    }
    let flag = AtomicBool::new(false);
    let bell = Bell(Grid { counters: 6, top: 7 }, &flag, AtomicBool::new(false));
    let mut exploration =
        explore(&bell, ExplorationOptions { stop: Some(&flag), ..ExplorationOptions::default() });
    assert_eq!(exploration.finish(), Outcome::Incomplete(Stop::Interrupted));
    assert!((1..=2_000).contains(&exploration.stats().expanded));
}

#[test]
fn a_flag_does_not_undo_an_end() {
    let flag = AtomicBool::new(false);
    let line = line(3);
    let mut exploration =
        explore(&line, ExplorationOptions { stop: Some(&flag), ..ExplorationOptions::default() });
    assert_eq!(exploration.finish(), Outcome::Complete);
    flag.store(true, Ordering::Relaxed);
    assert_eq!(exploration.finish(), Outcome::Complete);
}
