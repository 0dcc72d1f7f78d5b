//! Minimum-time reachability: symbolic states with one more clock, which no step sets, so that it has
//! the time since the start.
//!
//! The cost of a path is the least value of this clock in its last zone; the search is for a path
//! of least cost. Only least values count, so that extrapolation forgets upper bounds of the clock:
//! a state covers another one with an equal zone that is reached later, and there are finitely many
//! states that none covers. Source: ours, with Extra⁺_LU of \[BBLP06\].
//!
//! A state of a path is marked if it is one that a goal asks for: only the part of its zone in which
//! the goal holds counts.

use beeline_kernel::{Expansion, Fault, FaultTransition, StatePath, StepLabel};

use super::goal::QueryGoal;
use super::schedule::steps_along;
use super::symbolic::{StepResult, SymbolicEngine, variant_number};
use super::synchronisation::Part;
use crate::network::TimedNetwork;
use crate::network::memory::{Evaluated, Memory};
use crate::zones::Dbm;
use crate::zones::bound::{constant, is_strict};

/// The bytes of the mark of a state: 0, or the number of a goal and 1.
const MARK: usize = 4;

/// A network with the clock of time.
pub struct MinimumTime<'n> {
    /// The symbolic states.
    pub engine: SymbolicEngine<'n>,
    clock: usize,
}

/// The network with one more clock.
pub fn with_time(net: &TimedNetwork) -> TimedNetwork {
    let mut net = net.clone();
    net.clocks.push("time".to_owned());
    net
}

/// A time as a cost: twice the number, and 1 more if only later times are possible.
pub fn time_cost(number: i64, is_later: bool) -> u32 {
    u32::try_from(2 * number + i64::from(is_later)).unwrap_or(u32::MAX)
}

impl<'n> MinimumTime<'n> {
    /// Prepares a network that [`with_time`] has made.
    pub fn new(net: &'n TimedNetwork, goals: Vec<QueryGoal>) -> MinimumTime<'n> {
        let clock = net.clocks.len() - 1;
        MinimumTime { engine: SymbolicEngine::minimizing(net, goals, clock), clock }
    }

    /// The least time in a zone, as a cost.
    fn cost(&self, zone: &Dbm) -> u32 {
        let bound = zone.at(0, self.clock);
        time_cost(-i64::from(constant(bound)), is_strict(bound))
    }

    fn encode(&self, memory: &Memory<'n>, zone: &Dbm, mark: u32, state: &mut Vec<u8>) {
        let mut plain = Vec::new();
        self.engine.layout.encode(memory, zone, &mut plain);
        state.clear();
        state.extend_from_slice(&mark.to_le_bytes());
        state.extend_from_slice(&plain);
    }

    /// Writes the initial state; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When the evaluation of an invariant fails.
    pub fn initial(&self, state: &mut Vec<u8>) -> Evaluated<Option<()>> {
        let mut memory = Memory::new(self.engine.net);
        let zone = self.engine.initial(&mut memory)?;
        Ok(zone.map(|zone| self.encode(&memory, &zone, 0, state)))
    }

    /// Expands a state: its steps, and the goals that hold in it.
    ///
    /// # Panics
    ///
    /// If it is not a state of this network.
    pub fn expand(
        &self,
        memory: &mut Memory<'n>,
        state: &[u8],
        buffer: &mut Vec<u8>,
        expansion: &mut Expansion,
    ) {
        let (mark, plain) = state.split_first_chunk::<MARK>().expect("a state has a mark");
        if let Some(goal) = u32::from_le_bytes(*mark).checked_sub(1) {
            expansion.violated_invariants.push(goal);
            return;
        }
        let zone = self.engine.layout.decode(plain, memory);
        let now = self.cost(&zone);
        for goal in 0..self.engine.goals.len() {
            match self.engine.goal_zones(memory, &zone, goal) {
                Ok(zones) => {
                    let first = zones.iter().min_by_key(|zone| self.cost(zone));
                    if let Some(first) = first {
                        self.encode(memory, first, goal as u32 + 1, buffer);
                        expansion.push_with_cost(self.cost(first).saturating_sub(now), buffer);
                    }
                }
                Err(fault) => expansion.faults.push(FaultTransition { fault, steps: 0 }),
            }
        }
        self.engine.successors(memory, &zone, &mut |memory, step, reached| match reached {
            StepResult::Zone(zone) => {
                self.encode(memory, &zone, 0, buffer);
                let first = step[0];
                let edge = variant_number(self.engine.net, first);
                let label = StepLabel { edge, process: first.process };
                let passed = self.cost(&zone).saturating_sub(now);
                expansion.push_labelled(passed, label, buffer);
            }
            // When a step fails, is not known here.
            StepResult::Fault(fault) => expansion.faults.push(FaultTransition { fault, steps: 0 }),
        });
    }

    /// The part of a state that is one without a mark.
    pub fn plain<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[MARK..]
    }

    /// The steps along a path.
    pub fn steps_along(&self, path: &StatePath, fault: Option<Fault>) -> Option<Vec<Vec<Part>>> {
        let mut plain = path.map(|state| &state[MARK..]);
        if path.last().is_some_and(|last| last[..MARK] != [0; MARK]) {
            plain.pop();
        }
        steps_along(&self.engine, &plain, fault)
    }
}
