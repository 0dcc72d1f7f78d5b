//! The same steps in another order, so that each process does much at a time: people read
//! long runs of one process more easily than a few steps of each in turn.
//!
//! Source: ours; that independent steps may change places is what partial order reduction
//! lives on ([EMJ05], Partial Order Reduction). Whether two runs of steps do is not derived
//! but tried: a step is brought forward if all steps that it overtakes can be taken after
//! it, and the state behind them is the same.
//!
//! Promises: as many steps, no more context switches, the same states from there on.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::Trail;
use beeline_search::SearchTarget;

use super::given_trail::{RecordedTrail, follow, follow_moves};
use super::steps::{Executor, StepGroup, groups};

/// Steps to try at most.
const STEP_LIMIT: usize = 200_000;
/// How many groups a step may overtake.
const FAR: usize = 60;

/// A trail to the same error with fewer context switches, if this finds one.
pub(crate) fn grouped_by_process(
    machine: &Machine<'_>,
    trail: &Trail,
    target: SearchTarget,
) -> Option<Trail> {
    if trail.claim.is_some() || trail.lines.len() > STEP_LIMIT / 4 {
        return None;
    }
    let RecordedTrail { given, replay } = follow_moves(machine, trail, target).ok()??;
    let initial = machine.initial().ok()?;
    let mut groups = groups(machine, &initial, &replay, given.steps);
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
    // What is not executed is not believed.
    let again = follow(machine, &grouped_by_process, target).ok()??;
    (again.found == given.found && again.steps == given.steps).then_some(grouped_by_process)
}

/// Lets the next step of a process have its turn at this place, if that makes no difference.
fn bring_forward(
    executor: &mut Executor<'_>,
    now: &DecodedState,
    groups: &mut [StepGroup],
    at: usize,
    pid: usize,
) {
    // The last group leads to the error, and stays where it is.
    let end = (at + FAR).min(groups.len() - 1);
    let Some(next) = (at + 1..end).find(|&next| first_of(&groups[next]) == pid) else { return };
    let meant = run(executor, now, groups[at..=next].iter());
    let overtaking = std::iter::once(&groups[next]).chain(&groups[at..next]);
    let other = run(executor, now, overtaking);
    if meant.is_some() && other == meant {
        groups[at..=next].rotate_right(1);
    }
}

/// The state behind some groups.
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
