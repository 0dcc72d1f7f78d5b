//! Replay against toy systems: what it believes and what it refuses.

use super::*;
use crate::toys::{Grid, Mutex, Never, NoDeadlock, NoFault, NoStarvation};
use crate::{FaultKind, SiteId};

const GRID: Grid = Grid { size: 2, up: Cost(5) };
const SURVIVES: Mutex = Mutex { collision: FaultKind::Assertion };
const DIES: Mutex = Mutex { collision: FaultKind::Division };

fn steps(numbers: &[u64]) -> Vec<Step> {
    numbers.iter().copied().map(Step).collect()
}

fn path(numbers: &[u64]) -> Trail {
    Trail::path(steps(numbers))
}

fn lasso(prefix: &[u64], cycle: &[u64]) -> Trail {
    Trail { prefix: steps(prefix), cycle: steps(cycle) }
}

fn collision(kind: FaultKind) -> Fault {
    Fault { kind, site: SiteId(7) }
}

#[test]
fn a_trail_to_a_bad_state_is_believed_and_priced() {
    let seen = replay(&GRID, &Never([1, 2]), &path(&[0, 1, 1])).unwrap();
    assert_eq!(seen.violation, Violation::BadState);
    assert_eq!((seen.cost, seen.first_violation), (Cost(11), 3));
    assert_eq!(seen.end, [1, 2]);
}

#[test]
fn the_initial_state_may_be_the_error() {
    let seen = replay(&GRID, &Never([0, 0]), &Trail::default()).unwrap();
    assert_eq!((seen.cost, seen.first_violation), (Cost::ZERO, 0));
}

#[test]
fn a_deadlock_is_seen_from_what_is_enabled() {
    let seen = replay(&GRID, &NoDeadlock, &path(&[0, 1, 0, 1])).unwrap();
    assert_eq!(seen.violation, Violation::InvalidEnd);
}

#[test]
fn a_step_that_cannot_be_taken_is_named() {
    let error = replay(&GRID, &NoDeadlock, &path(&[0, 0, 0])).unwrap_err();
    assert_eq!(error, ReplayError::NotEnabled { depth: 2, step: Step(0), alternatives: 1 });
    assert_eq!(error.to_string(), "step 0x0 is not enabled after 2 steps; enabled there: 1");
}

#[test]
fn a_trail_that_stops_too_early_is_refused() {
    let error = replay(&GRID, &Never([1, 2]), &path(&[0, 1])).unwrap_err();
    assert_eq!(error, ReplayError::NotViolated { depth: 2 });
}

#[test]
fn a_trail_that_runs_past_the_error_and_away_is_refused() {
    let error = replay(&GRID, &Never([1, 0]), &path(&[0, 1])).unwrap_err();
    assert_eq!(error, ReplayError::NotViolated { depth: 2 });
}

#[test]
fn a_detour_past_an_earlier_error_is_noticed() {
    let seen = replay(&SURVIVES, &NoFault, &path(&[0, 1, 0, 1, 1, 1, 1])).unwrap();
    assert_eq!((seen.first_violation, seen.cost), (4, Cost(7)));
}

#[test]
fn a_fault_at_the_end_is_the_violation() {
    for (system, kind) in [(&SURVIVES, FaultKind::Assertion), (&DIES, FaultKind::Division)] {
        let seen = replay(system, &NoFault, &path(&[0, 1, 0, 1])).unwrap();
        assert_eq!(seen.violation, Violation::Fault(collision(kind)));
    }
}

#[test]
fn nothing_follows_a_fault_that_leaves_no_state() {
    let fault = collision(FaultKind::Division);
    let error = replay(&DIES, &NoFault, &path(&[0, 1, 0, 1, 1])).unwrap_err();
    assert_eq!(error, ReplayError::Faulted { depth: 3, fault });
}

#[test]
fn a_fault_that_the_property_does_not_mind_is_no_evidence() {
    let trail = path(&[0, 1, 0, 1]);
    let fault = collision(FaultKind::Division);
    let error = replay(&DIES, &NoDeadlock, &trail).unwrap_err();
    assert_eq!(error, ReplayError::Faulted { depth: 3, fault });
    let error = replay(&SURVIVES, &NoDeadlock, &trail).unwrap_err();
    assert_eq!(error, ReplayError::NotViolated { depth: 4 });
}

#[test]
fn a_closed_accepting_cycle_is_a_violation() {
    let seen = replay(&DIES, &NoStarvation, &lasso(&[0], &[0, 0, 0])).unwrap();
    assert_eq!((seen.violation, seen.cost), (Violation::BadCycle, Cost(4)));
}

#[test]
fn a_cycle_must_close_and_must_accept() {
    let error = replay(&DIES, &NoStarvation, &lasso(&[0], &[0, 0])).unwrap_err();
    assert_eq!(error, ReplayError::OpenCycle { start: 1, end: 3 });
    let error = replay(&DIES, &NoStarvation, &lasso(&[0, 1], &[1, 1])).unwrap_err();
    assert_eq!(error, ReplayError::OpenCycle { start: 2, end: 4 });
    let error = replay(&DIES, &NoStarvation, &lasso(&[], &[1, 1, 1])).unwrap_err();
    assert_eq!(error, ReplayError::NotViolated { depth: 3 });
}

#[test]
fn acceptance_before_the_cycle_does_not_count() {
    let error = replay(&DIES, &NoStarvation, &lasso(&[0, 0, 0], &[1, 1, 1])).unwrap_err();
    assert_eq!(error, ReplayError::NotViolated { depth: 6 });
}

#[test]
fn a_watcher_sees_every_state_and_what_comes_next() {
    let mut scenes = Vec::new();
    let mut watch = |scene: Scene<'_>| scenes.push((scene.depth, scene.state.to_vec(), scene.next));
    replay_watched(&GRID, &Never([1, 1]), &path(&[1, 0]), &mut watch).unwrap();
    let expected =
        [(0, vec![0, 0], Some(Step(1))), (1, vec![0, 1], Some(Step(0))), (2, vec![1, 1], None)];
    assert_eq!(scenes, expected);
}
