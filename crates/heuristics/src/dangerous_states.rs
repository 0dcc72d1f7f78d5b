//! Dangerous states: how far each process is from a location where it may be stuck.
//!
//! Source: h3 of [ELL00] §3.5; what is dangerous is said in `blocking.rs`.
//! Deviation: `init` adds nothing, as in the published tables.
//! Claims: safe: a process that cannot come to such a location can always move. Admissible
//! and consistent where there is no rendezvous, by which one step moves two processes.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Estimate, Expansion, Heuristic};

use crate::danger::{Danger, Measure};
use crate::goal::Goal;
use crate::per_process::{PerProcess, estimate};
use crate::reads::has_rendezvous;

/// The sum of the distances to dangerous locations.
#[derive(Clone)]
pub struct DangerousStates<'a>(PerProcess<'a, Danger>);

impl<'a> DangerousStates<'a> {
    /// For the states of a search for `goal`.
    pub fn new(machine: &'a Machine<'a>, goal: &Goal) -> Self {
        DangerousStates(PerProcess::new(machine, goal, Danger::new(machine, Measure::Distance)))
    }
}

impl Heuristic for DangerousStates<'_> {
    fn name(&self) -> &str {
        "dangerous-states"
    }

    fn claims(&self) -> Claims {
        let alone = !has_rendezvous(self.0.opened.machine);
        Claims { admissible: alone, consistent: alone, safe: true }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        estimate(self.0.total(state))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        self.0.totals(state, successors, |_, total| found.push(estimate(total)));
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(self.clone())
    }
}
