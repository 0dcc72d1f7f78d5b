//! Elimination of steps: tries whether the error occurs without some steps, and without the steps
//! that only these enable.
//!
//! Source: H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search,
//! ICAPS 2010, section 3.
//! Deviation: long runs of steps are tried before single ones, as in delta debugging, since a trail
//! of depth-first search has thousands of steps of which few are necessary. The unit of elimination
//! is a move: an atomic sequence is removed as a whole.
//!
//! Promises: the remaining steps are executed and lead to the same kind of error.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::StatePath;
use beeline_search::{FindingKind, SearchTarget};

use super::given_trail::RecordedTrail;
use super::steps::{Executor, StepGroup};

/// Steps to try at most: a second or so.
pub(super) const STEP_LIMIT: usize = 400_000;

/// Result of executing some groups.
pub(super) struct Attempt {
    /// The groups that could be executed.
    kept: Vec<StepGroup>,
    /// The states after each of them.
    states: StatePath,
    found: FindingKind,
}

/// A path of stored states to the target with fewer steps, and the error at its end.
pub(super) fn eliminate(
    machine: &Machine<'_>,
    target: SearchTarget,
    recorded: &RecordedTrail,
) -> Option<(StatePath, FindingKind)> {
    let initial = machine.initial().ok()?;
    let mut search = Executor::new(machine, target, STEP_LIMIT);
    let mut groups = recorded.groups();
    let steps = |groups: &[StepGroup]| groups.iter().map(Vec::len).sum::<usize>();
    let before = steps(&groups);
    let mut best = None;
    let mut run = groups.len() / 2;
    while run > 0 && search.step_limit > 0 {
        let mut at = 0;
        let mut reached = initial.clone();
        while at < groups.len() && search.step_limit > 0 {
            let next = (at + run).min(groups.len());
            if let Some(attempt) = search.attempt(&reached, &groups[next..]) {
                groups.truncate(at);
                groups.extend(attempt.kept.iter().cloned());
                best = Some(attempt);
                continue;
            }
            // These groups are necessary.
            for group in &groups[at..next] {
                reached = search.execute(&reached, group).map_or(reached, |(now, _)| now);
            }
            at = next;
        }
        run /= 2;
    }
    let attempt = best.filter(|_| steps(&groups) < before)?;
    // The states before those of the last attempt.
    let kept = groups.len() - attempt.kept.len();
    let mut states: StatePath = [&initial.bytes].into_iter().collect();
    let mut now = initial;
    search.step_limit = usize::MAX;
    for group in &groups[..kept] {
        now = search.execute(&now, group)?.0;
        states.push(&now.bytes);
    }
    states.append(&attempt.states);
    Some((states, attempt.found))
}

impl Executor<'_> {
    /// Executes groups, skipping disabled ones, until the target is met.
    pub(super) fn attempt(&mut self, from: &DecodedState, groups: &[StepGroup]) -> Option<Attempt> {
        let mut attempt =
            Attempt { kept: Vec::new(), states: StatePath::new(), found: FindingKind::Deadlock };
        let mut now = from.clone();
        for group in groups {
            let Some((next, fault)) = self.execute(&now, group) else { continue };
            attempt.kept.push(group.clone());
            if let Some(found) = fault {
                attempt.found = found;
                return Some(attempt);
            }
            now = next;
            attempt.states.push(&now.bytes);
            if let Some(found) = self.broken(&now) {
                attempt.found = found;
                return Some(attempt);
            }
        }
        let stuck = self.target.deadlock && self.machine.moves(&now).is_ok_and(|m| m.deadlock);
        stuck.then_some(attempt)
    }

    fn broken(&self, now: &DecodedState) -> Option<FindingKind> {
        let numbers = 0..self.machine.invariants().len();
        let kinds = numbers.map(|number| (number, FindingKind::Invariant(number as u32)));
        let mut wanted = kinds.filter(|&(_, kind)| self.target.includes(kind));
        wanted.find(|&(number, _)| !self.machine.holds(number, now)).map(|(_, kind)| kind)
    }
}
