//! Filter: of the steps of a run to an error, those that have nothing to do with it.
//!
//! Source: \[EMJ05\], "Recovering Solution Quality" and procedure *Filter*: beginning from the
//! last one, steps are left out that are invisible, independent of all later steps, and cannot
//! make any of them possible.
//! Deviation: what all later steps touch is gathered on the way back, which takes one look at
//! each step instead of one at each pair; an atomic sequence goes as a whole.
//!
//! Such a step can be moved behind all others, and left out there. What is then at the end is
//! still the error, but for a deadlock: there, whoever was left out can move. So
//! every step of a way to a deadlock is needed, in this sense.

use beeline_promela::hir::ProcessId;

use super::footprint::{Footprint, Standing, Walker};
use super::touch::{Needs, Touch};
use super::{Independence, Keep, Obstacle};
use crate::automata::{Action, EdgeId};
use crate::interpreter::{Machine, Move, Now};

/// What is wrong at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The last step fails.
    Fault,
    /// The only invariant of the machine does not hold.
    Broken,
}

/// Tells for each group of moves, from stored state to stored state, whether it is relevant.
///
/// # Errors
///
/// When nobody knows which steps are independent.
pub fn relevant(
    machine: &Machine<'_>,
    initial: &Now,
    groups: &[&[Move]],
    wrong: Wrong,
) -> Result<Vec<bool>, Obstacle> {
    let keep = Keep { faults: true, property: wrong == Wrong::Broken, cycles: false };
    let facts = Independence::of(machine, keep)?;
    let mut later = Deeds::nothing(&facts);
    let mut relevant = vec![true; groups.len()];
    for at in (0..groups.len()).rev() {
        let before = groups[..at].iter().rev().find_map(|group| group.last());
        let before = before.map_or(initial, |step| &step.next);
        let fails = wrong == Wrong::Fault && at + 1 == groups.len();
        let own = Deeds::of(&facts, before, groups[at], fails);
        if fails || own.is_visible || own.matters_to(&later) {
            later.add(&own);
        } else {
            relevant[at] = false;
        }
    }
    Ok(relevant)
}

/// What some moves do.
struct Deeds {
    touch: Touch,
    needs: Needs,
    /// By number: who moves, and who is started.
    processes: Vec<bool>,
    is_visible: bool,
}

impl Deeds {
    fn nothing(facts: &Independence<'_>) -> Deeds {
        Deeds {
            touch: Touch::nothing(facts.objects),
            needs: Needs::nothing(facts.objects),
            processes: Vec::new(),
            is_visible: false,
        }
    }

    /// What a group does. The state is the one before it.
    fn of(facts: &Independence<'_>, before: &Now, group: &[Move], fails: bool) -> Deeds {
        let mut deeds = Deeds::nothing(facts);
        let mut now = before;
        for (at, step) in group.iter().enumerate() {
            let fails = fails && at + 1 == group.len();
            deeds.edge(facts, now, step.pid, step.edge, fails);
            if let Some((pid, edge)) = step.partner {
                deeds.edge(facts, now, pid, edge, fails);
            }
            // Only when nobody could do anything else.
            let waited = !facts
                .machine
                .steps_of(now, step.pid)
                .iter()
                .any(|other| (other.edge, other.partner) == (step.edge, step.partner));
            deeds.touch.is_wild |= waited;
            (now.process_count()..step.next.process_count()).for_each(|pid| deeds.concern(pid));
            now = &step.next;
        }
        // Who gets stuck in an atomic sequence loses control.
        if !fails && let Some(pid) = now.exclusive() {
            let walker = facts.walker(now, now.process(pid), Some(pid));
            let walker = Walker { is_there: true, ..walker };
            let automaton = facts.machine.automaton(walker.process);
            for edge in automaton.edges_from(now.location(pid)) {
                let asks = walker.footprint(automaton, edge, Standing::First).asks;
                deeds.touch.depend(&asks);
            }
        }
        deeds
    }

    fn concern(&mut self, pid: usize) {
        if self.processes.len() <= pid {
            self.processes.resize(pid + 1, false);
        }
        self.processes[pid] = true;
    }

    /// Adds what an edge does that is taken in a state.
    fn edge(&mut self, facts: &Independence<'_>, now: &Now, pid: usize, edge: EdgeId, fails: bool) {
        self.concern(pid);
        let process: ProcessId = now.process(pid);
        let walker = Walker { is_there: true, ..facts.walker(now, process, Some(pid)) };
        let automaton = facts.machine.automaton(process);
        let here = automaton.edges_from(now.location(pid));
        let Some(taken) = here.iter().find(|one| one.id == edge) else {
            // Nobody knows this edge.
            self.touch.is_wild = true;
            return;
        };
        let Footprint { touch, needs, asks, is_timeout, .. } =
            walker.footprint(automaton, taken, Standing::First);
        self.touch.add(&touch);
        self.needs.add(&needs);
        if fails {
            // Whatever the outcome, it should stay so.
            self.touch.depend(&asks);
        }
        self.touch.is_wild |= is_timeout;
        let is_else = matches!(taken.steps[0].action, Action::Else);
        for other in here.iter().filter(|other| other.id != edge) {
            if is_else || (other.escape.is_some() && other.escape != taken.escape) {
                let asks = walker.footprint(automaton, other, Standing::First).asks;
                self.touch.depend(&asks);
                self.needs.add(&asks);
            }
        }
        self.is_visible |=
            facts.visible.sees(&touch) || facts.visible.sees_edge(process, automaton, taken);
    }

    /// Whether later moves may be others without these.
    fn matters_to(&self, later: &Deeds) -> bool {
        let both = self.processes.iter().zip(&later.processes);
        both.into_iter().any(|(&one, &two)| one && two)
            || self.touch.clashes(&later.touch)
            || later.needs.are_met_by(&self.touch)
    }

    fn add(&mut self, other: &Deeds) {
        self.touch.add(&other.touch);
        self.needs.add(&other.needs);
        for pid in (0..other.processes.len()).filter(|&pid| other.processes[pid]) {
            self.concern(pid);
        }
    }
}
