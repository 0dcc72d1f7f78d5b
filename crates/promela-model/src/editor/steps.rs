//! Steps of a trail by process and edge, so that they can be executed from other states. They are
//! grouped into moves: an atomic sequence stays together.

use std::ops::Range;

use beeline_engine::automata::EdgeId;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_kernel::{Deadline, Fault, SiteId, TrailLine};
use beeline_search::{FindingKind, SearchTarget};

/// A step as it is written in a trail.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedStep {
    pub(super) pid: usize,
    edge: EdgeId,
    partner: Option<(usize, EdgeId)>,
    /// It was enabled only by `timeout`: no other step was enabled.
    timeout: bool,
}

/// The steps between two stored states.
pub(super) type StepGroup = Vec<RecordedStep>;

/// The ranges of the first `steps` steps that lie between two stored states, of which `stored` tells
/// how many steps are before each.
pub(super) fn bounds(stored: impl Iterator<Item = usize>, steps: usize) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = stored.filter(|&end| 0 < end && end < steps).collect();
    ends.dedup();
    ends.push(steps);
    let begins = std::iter::once(0).chain(ends.clone());
    begins.zip(ends).map(|(begin, end)| begin..end).collect()
}

impl RecordedStep {
    /// A move, made in the state `before`.
    pub(super) fn of(machine: &Machine<'_>, before: &DecodedState, step: &Move) -> RecordedStep {
        let Move { pid, edge, partner, .. } = *step;
        let recorded = RecordedStep { pid, edge, partner, timeout: false };
        RecordedStep { timeout: recorded.find(machine, before).is_none(), ..recorded }
    }

    /// The step in the format of trails: a rendezvous has two lines.
    pub(super) fn lines(self) -> impl Iterator<Item = TrailLine> {
        let own = TrailLine { pid: self.pid, edge: self.edge };
        let partner = self.partner.map(|(pid, edge)| TrailLine { pid, edge });
        std::iter::once(own).chain(partner)
    }

    fn is(&self, step: &Move) -> bool {
        step.pid == self.pid && step.edge == self.edge && step.partner == self.partner
    }

    /// The move of this step, if it is enabled.
    fn find(&self, machine: &Machine<'_>, now: &DecodedState) -> Option<Move> {
        if self.pid >= now.process_count() || now.exclusive().is_some_and(|one| one != self.pid) {
            return None;
        }
        if self.timeout {
            return machine.moves(now).ok()?.moves.into_iter().find(|step| self.is(step));
        }
        machine.steps_of(now, self.pid).into_iter().find(|step| self.is(step))
    }
}

/// Executes groups, with a limit on the number of steps.
pub(super) struct Executor<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) target: SearchTarget,
    /// Remaining number of steps.
    pub(super) step_limit: usize,
    /// Until when they may be tried.
    pub(super) deadline: Deadline,
}

impl<'a> Executor<'a> {
    pub(super) fn new(
        machine: &'a Machine<'a>,
        target: SearchTarget,
        step_limit: usize,
    ) -> Executor<'a> {
        Executor { machine, target, step_limit, deadline: Deadline::NEVER }
    }

    /// Whether more steps may be tried.
    pub(super) fn is_patient(&self) -> bool {
        self.step_limit > 0 && !self.deadline.is_over()
    }

    /// Executes a group as a whole: the state behind it, or the state before a fault that
    /// is looked for.
    pub(super) fn execute(
        &mut self,
        from: &DecodedState,
        group: &[RecordedStep],
    ) -> Option<(DecodedState, Option<FindingKind>)> {
        let mut now = from.clone();
        if self.deadline.is_over() {
            self.step_limit = 0;
        }
        for token in group {
            self.step_limit = self.step_limit.checked_sub(1)?;
            let step = token.find(self.machine, &now)?;
            if let Some(kind) = step.fault {
                let found = FindingKind::Fault(Fault { kind, site: SiteId(step.edge.0) });
                return self.target.includes(found).then_some((now, Some(found)));
            }
            now = step.next;
        }
        if now.exclusive().is_some() {
            // A search continues inside an atomic sequence, unless the sequence is blocked.
            now = *self.machine.moves(&now).err()?;
        }
        Some((now, None))
    }
}
