//! Reordering of steps into longer runs of the same process, which are easier to read than frequent
//! context switches.
//!
//! Source: ours; partial order reduction rests on the same exchange of independent steps ([EMJ05],
//! Partial Order Reduction). Independence is not derived but tried: a step moves forward if all
//! steps that it overtakes can be executed after it, with the same state at the end.
//!
//! Promises: as many steps, no more context switches, the same states after the reordered part.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::Trail;
use beeline_search::SearchTarget;

use super::given_trail::{follow, follow_steps};
use super::steps::{Executor, StepGroup};

/// Steps to try at most.
const STEP_LIMIT: usize = 200_000;
/// Number of groups that a step may overtake.
const FAR: usize = 60;

/// A trail to the same error with fewer context switches, if one is found.
pub(crate) fn grouped_by_process(
    machine: &Machine<'_>,
    trail: &Trail,
    target: SearchTarget,
) -> Option<Trail> {
    if trail.claim.is_some() || trail.lines.len() > STEP_LIMIT / 4 {
        return None;
    }
    let recorded = follow_steps(machine, trail, target).ok()??;
    let initial = machine.initial().ok()?;
    let mut groups = recorded.groups();
    let before = switches(&groups);
    let mut executor = Executor::new(machine, target, STEP_LIMIT);
    let mut now = initial;
    for at in 0..groups.len().saturating_sub(1) {
        if let Some(last) = at.checked_sub(1).map(|before| last_of(&groups[before]))
            && first_of(&groups[at]) != last
        {
            bring_forward(&mut executor, &now, &mut groups, at, last);
        }
        now = executor.execute(&now, &groups[at])?.0;
    }
    if switches(&groups) >= before {
        return None;
    }
    let lines = groups.iter().flatten().flat_map(|token| token.lines()).collect();
    let grouped_by_process = Trail { lines, ..trail.clone() };
    // The new trail counts only if its replay shows the error.
    let again = follow(machine, &grouped_by_process, target).ok()??;
    let given = recorded.given;
    (again.found == given.found && again.steps == given.steps).then_some(grouped_by_process)
}

/// Moves the next step of a process forward to position `at`, if this preserves the state.
fn bring_forward(
    executor: &mut Executor<'_>,
    now: &DecodedState,
    groups: &mut [StepGroup],
    at: usize,
    pid: usize,
) {
    // The last group leads to the error and stays at the end.
    let end = (at + FAR).min(groups.len() - 1);
    let Some(next) = (at + 1..end).find(|&next| first_of(&groups[next]) == pid) else { return };
    let meant = run(executor, now, groups[at..=next].iter());
    let overtaking = std::iter::once(&groups[next]).chain(&groups[at..next]);
    let other = run(executor, now, overtaking);
    if meant.is_some() && other == meant {
        groups[at..=next].rotate_right(1);
    }
}

/// The state after some groups.
fn run<'g>(
    executor: &mut Executor<'_>,
    from: &DecodedState,
    groups: impl Iterator<Item = &'g StepGroup>,
) -> Option<Vec<u8>> {
    let mut now = from.clone();
    for group in groups {
        let (next, fault) = executor.execute(&now, group)?;
        if fault.is_some() {
            return None;
        }
        now = next;
    }
    Some(now.bytes)
}

fn first_of(group: &StepGroup) -> usize {
    group.first().map_or(usize::MAX, |token| token.pid)
}

fn last_of(group: &StepGroup) -> usize {
    group.last().map_or(usize::MAX, |token| token.pid)
}

fn switches(groups: &[StepGroup]) -> usize {
    groups.windows(2).filter(|pair| last_of(&pair[0]) != first_of(&pair[1])).count()
}
