//! Filter: removes the steps of a run that are irrelevant to its error.
//!
//! Source: \[EMJ05\], "Recovering Solution Quality" and procedure *Filter*: from the last step to
//! the first, a step is removed if it is invisible, independent of all later steps, and cannot
//! enable any of them. Deviation: the access sets of all later steps are united on the way back,
//! which takes one test for each step instead of one for each pair; an atomic sequence is removed
//! as a whole.
//!
//! Such a step can be moved to the end of the run and omitted there. The final state still has the
//! error, unless it is a deadlock: a process whose step was omitted can move. So every step to a
//! deadlock is relevant in this sense.

use beeline_engine::automata::{EdgeAction, EdgeId};
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_promela::hir::ProcessId;

use super::access_set::{AccessSet, EnablingSet};
use super::footprint_context::{EdgePosition, Footprint, FootprintContext};
use super::independence::Independence;
use super::options::{Obstacle, Preserve};

/// The error at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterTarget {
    /// The last step fails.
    Fault,
    /// The only invariant of the machine does not hold.
    Broken,
}

/// Decides for each group of moves, from stored state to stored state, whether it is relevant.
///
/// # Errors
///
/// When the model has no independence facts.
pub fn relevant(
    machine: &Machine<'_>,
    initial: &DecodedState,
    groups: &[&[Move]],
    target: FilterTarget,
) -> Result<Vec<bool>, Obstacle> {
    let keep = Preserve { faults: true, property: target == FilterTarget::Broken, cycles: false };
    let facts = Independence::of(machine, keep)?;
    let mut later = GroupAccess::nothing(&facts);
    let mut relevant = vec![true; groups.len()];
    for at in (0..groups.len()).rev() {
        let before = groups[..at].iter().rev().find_map(|group| group.last());
        let before = before.map_or(initial, |step| &step.next);
        let fails = target == FilterTarget::Fault && at + 1 == groups.len();
        let own = GroupAccess::of(&facts, before, groups[at], fails);
        if fails || own.is_visible || own.matters_to(&later) {
            later.add(&own);
        } else {
            relevant[at] = false;
        }
    }
    Ok(relevant)
}

/// The accesses of a group of moves.
struct GroupAccess {
    access_set: AccessSet,
    needs: EnablingSet,
    /// By process number: whether the process moves, or is started.
    processes: Vec<bool>,
    is_visible: bool,
}

impl GroupAccess {
    fn nothing(facts: &Independence<'_>) -> GroupAccess {
        GroupAccess {
            access_set: AccessSet::nothing(facts.objects),
            needs: EnablingSet::nothing(facts.objects),
            processes: Vec::new(),
            is_visible: false,
        }
    }

    /// The access of a group of moves after this state.
    fn of(
        facts: &Independence<'_>,
        before: &DecodedState,
        group: &[Move],
        fails: bool,
    ) -> GroupAccess {
        let mut access = GroupAccess::nothing(facts);
        let mut now = before;
        for (at, step) in group.iter().enumerate() {
            let fails = fails && at + 1 == group.len();
            access.edge(facts, now, step.pid, step.edge, fails);
            if let Some((pid, edge)) = step.partner {
                access.edge(facts, now, pid, edge, fails);
            }
            // The step needed `timeout`: no other process could move.
            let waited = !facts
                .machine
                .steps_of(now, step.pid)
                .iter()
                .any(|other| (other.edge, other.partner) == (step.edge, step.partner));
            access.access_set.is_wild |= waited;
            (now.process_count()..step.next.process_count()).for_each(|pid| access.concern(pid));
            now = &step.next;
        }
        // A process that blocks in an atomic sequence loses control.
        if !fails && let Some(pid) = now.exclusive() {
            let footprint_context = facts.footprint_context(now, now.process(pid), Some(pid));
            let footprint_context = FootprintContext { is_there: true, ..footprint_context };
            let automaton = facts.machine.automaton(footprint_context.process);
            for edge in automaton.edges_from(now.location(pid)) {
                let asks = footprint_context.footprint(automaton, edge, EdgePosition::First).asks;
                access.access_set.depend(&asks);
            }
        }
        access
    }

    fn concern(&mut self, pid: usize) {
        if self.processes.len() <= pid {
            self.processes.resize(pid + 1, false);
        }
        self.processes[pid] = true;
    }

    /// Adds the accesses of an edge that is executed in a state.
    fn edge(
        &mut self,
        facts: &Independence<'_>,
        now: &DecodedState,
        pid: usize,
        edge: EdgeId,
        fails: bool,
    ) {
        self.concern(pid);
        let process: ProcessId = now.process(pid);
        let footprint_context =
            FootprintContext { is_there: true, ..facts.footprint_context(now, process, Some(pid)) };
        let automaton = facts.machine.automaton(process);
        let here = automaton.edges_from(now.location(pid));
        let Some(taken) = here.iter().find(|one| one.id == edge) else {
            // An edge that is not at this location: its accesses are unknown.
            self.access_set.is_wild = true;
            return;
        };
        let Footprint { access_set, needs, asks, is_timeout, .. } =
            footprint_context.footprint(automaton, taken, EdgePosition::First);
        self.access_set.add(&access_set);
        self.needs.add(&needs);
        if fails {
            // The outcome of the failing step must not change.
            self.access_set.depend(&asks);
        }
        self.access_set.is_wild |= is_timeout;
        let is_else = matches!(taken.steps[0].action, EdgeAction::Else);
        for other in here.iter().filter(|other| other.id != edge) {
            if is_else || (other.escape.is_some() && other.escape != taken.escape) {
                let asks = footprint_context.footprint(automaton, other, EdgePosition::First).asks;
                self.access_set.depend(&asks);
                self.needs.add(&asks);
            }
        }
        self.is_visible |=
            facts.visible.sees(&access_set) || facts.visible.sees_edge(process, automaton, taken);
    }

    /// Whether later moves may change without these.
    fn matters_to(&self, later: &GroupAccess) -> bool {
        let both = self.processes.iter().zip(&later.processes);
        both.into_iter().any(|(&one, &two)| one && two)
            || self.access_set.clashes(&later.access_set)
            || later.needs.are_met_by(&self.access_set)
    }

    fn add(&mut self, other: &GroupAccess) {
        self.access_set.add(&other.access_set);
        self.needs.add(&other.needs);
        for pid in (0..other.processes.len()).filter(|&pid| other.processes[pid]) {
            self.concern(pid);
        }
    }
}
