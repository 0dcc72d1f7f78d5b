//! Maximal runs all of whose states satisfy a condition: what `E[] p` asks for, and what `A<> p` and
//! `p --> q` forbid.
//!
//! Source: \[BDL04\] for the queries. A run is maximal if it has
//! infinitely many steps, if time passes in it without end, or if at its end neither a step nor a
//! delay is possible. A run with infinitely many steps in finite time counts, as in UPPAAL.
//!
//! A stored state is a zone of valuations to which time leads within the condition. It is extrapolated
//! with equal lower and upper bounds, so that each of its valuations has the runs of a reachable one;
//! a cycle of such states is an infinite run \[Tri09\]. A state in which a run can end repeats itself.

use beeline_kernel::{ClaimComponent, CycleKind, Expansion, FaultTransition, StepLabel};

use super::cases::{Case, cases};
use super::goal::{AlwaysGoal, QueryGoal};
use super::symbolic::{StepResult, SymbolicEngine, variant_number};
use crate::network::TimedNetwork;
use crate::network::memory::{Evaluated, Memory};
use crate::zones::bound::UNBOUNDED;
use crate::zones::federation::subtract;
use crate::zones::{Constraint, Dbm};

/// A state before the condition must hold.
pub const BEFORE: u8 = 0;
/// A state from which on the condition must hold.
pub const WITHIN: u8 = 1;

/// The network, prepared for runs that keep a condition.
pub struct MaximalRuns<'n> {
    /// Symbolic steps.
    pub engine: SymbolicEngine<'n>,
    /// The condition.
    pub goal: AlwaysGoal,
}

impl<'n> MaximalRuns<'n> {
    /// Prepares a network and a condition.
    pub fn new(net: &'n TimedNetwork, goal: AlwaysGoal) -> MaximalRuns<'n> {
        let trigger = goal.trigger.iter();
        let mut goals: Vec<QueryGoal> =
            trigger.map(|code| QueryGoal { code: code.clone(), holds: true }).collect();
        goals.push(goal.condition.clone());
        MaximalRuns { engine: SymbolicEngine::for_runs(net, goals), goal }
    }

    /// Writes a state.
    pub fn encode(&self, phase: u8, memory: &Memory<'n>, zone: &Dbm, state: &mut Vec<u8>) {
        self.engine.layout.encode(memory, zone, state);
        state.insert(0, phase);
    }

    /// Reads a state.
    pub fn decode(&self, state: &[u8], memory: &mut Memory<'n>) -> (u8, Dbm) {
        (state[0], self.engine.layout.decode(&state[1..], memory))
    }

    /// The initial state: if the condition must hold from the beginning, before any delay.
    ///
    /// # Errors
    ///
    /// When the evaluation of an invariant fails.
    pub fn initial(&self, memory: &mut Memory<'n>) -> Evaluated<Option<Dbm>> {
        if self.goal.trigger.is_some() {
            return self.engine.initial(memory);
        }
        let mut zone = Dbm::zero(self.engine.net.clocks.len());
        let invariants = self.engine.invariants(memory)?;
        Ok(invariants.filter(|all| zone.constrain_all(all)).map(|_| zone))
    }

    /// The zones from which on the condition must hold, of a state before that.
    ///
    /// # Errors
    ///
    /// When the evaluation of a condition fails.
    pub fn begun(&self, memory: &mut Memory<'n>, zone: &Dbm) -> Evaluated<Vec<Dbm>> {
        let mut zones = vec![zone.clone()];
        if let Some(trigger) = &self.goal.trigger {
            memory.begin(&[]);
            let all = cases(memory, trigger, true)?.list();
            zones = all.iter().filter_map(|case| restricted(zone, case)).collect();
        }
        self.inside(memory, zones)
    }

    /// The valuations to which time leads from those of the zones, while the condition holds.
    fn inside(&self, memory: &mut Memory<'n>, zones: Vec<Dbm>) -> Evaluated<Vec<Dbm>> {
        let Some(within) = self.within(memory, true)? else { return Ok(Vec::new()) };
        let delays = self.engine.may_delay(memory);
        let mut found: Vec<(usize, Dbm)> = Vec::new();
        let mut open = Vec::new();
        for zone in &zones {
            for (at, part) in within.iter().enumerate() {
                open.extend(intersection(zone, part).map(|zone| (at, zone)));
            }
        }
        while let Some((at, mut zone)) = open.pop() {
            if delays {
                zone.up();
                zone = intersection(&zone, &within[at]).expect("no delay leads back here");
            }
            if found.iter().any(|(its, other)| *its == at && other.includes(&zone)) {
                continue;
            }
            if delays {
                // Time goes on into another part where the two meet: there, it is in one of them.
                for (next, part) in within.iter().enumerate().filter(|&(next, _)| next != at) {
                    let mut beyond = zone.clone();
                    beyond.up();
                    let last = intersection(&zone, &closure(part));
                    let first = intersection(&beyond, &closure(&within[at]));
                    let first = first.and_then(|first| intersection(&first, part));
                    for mut meeting in [last, first].into_iter().flatten() {
                        meeting.up();
                        open.extend(intersection(&meeting, part).map(|zone| (next, zone)));
                    }
                }
            }
            found.push((at, zone));
        }
        let mut found: Vec<Dbm> = found.into_iter().map(|(_, zone)| zone).collect();
        self.engine.extrapolate(memory, &mut found);
        Ok(largest(found))
    }

    /// The parts of the invariants in which the condition holds, or does not; `None` if there is
    /// none.
    fn within(&self, memory: &mut Memory<'n>, holds: bool) -> Evaluated<Option<Vec<Dbm>>> {
        let Some(invariants) = self.engine.invariants(memory)? else { return Ok(None) };
        let mut everything = Dbm::zero(self.engine.net.clocks.len());
        (1..everything.size()).for_each(|clock| everything.free(clock));
        if !everything.constrain_all(&invariants) {
            return Ok(None);
        }
        memory.begin(&[]);
        let QueryGoal { code, holds: wanted } = &self.goal.condition;
        let all = cases(memory, code, *wanted == holds)?.list();
        let parts: Vec<Dbm> = all.iter().filter_map(|case| restricted(&everything, case)).collect();
        Ok(Some(parts).filter(|parts| !parts.is_empty()))
    }

    /// The valuations of a zone in which a run can end: the condition holds as long as time can pass,
    /// and either it can pass without end, or no step is possible any more.
    ///
    /// # Errors
    ///
    /// When the evaluation of a condition fails.
    pub fn resting(&self, memory: &mut Memory<'n>, zone: &Dbm) -> Evaluated<Vec<Dbm>> {
        let mut rest = vec![zone.clone()];
        if self.engine.may_delay(memory) {
            for mut outside in self.within(memory, false)?.unwrap_or_default() {
                outside.down();
                rest = subtract(rest, &outside);
            }
            let invariants = self.engine.invariants(memory)?.unwrap_or_default();
            let is_upper =
                |one: &Constraint| one.minus == 0 && one.plus != 0 && one.bound != UNBOUNDED;
            if rest.is_empty() || !invariants.iter().any(is_upper) {
                return Ok(rest);
            }
        }
        let live = self.engine.live(memory)?;
        Ok(live.iter().fold(rest, subtract))
    }

    /// Calls `each` with the steps from a state, and the phase that they lead to.
    pub fn successors(
        &self,
        memory: &mut Memory<'n>,
        phase: u8,
        zone: &Dbm,
        each: &mut dyn FnMut(&mut Memory<'n>, &[super::synchronisation::Part], StepResult),
    ) {
        if phase == WITHIN {
            let enter = |memory: &mut Memory<'n>, zones| self.inside(memory, zones);
            self.engine.successors_into(memory, zone, &enter, each);
        } else if self.goal.trigger.is_some() {
            self.engine.successors(memory, zone, each);
        }
    }

    /// Expands a state.
    pub fn expand(
        &self,
        memory: &mut Memory<'n>,
        state: &[u8],
        buffer: &mut Vec<u8>,
        expansion: &mut Expansion,
    ) {
        let (phase, zone) = self.decode(state, memory);
        expansion.accepting = phase == WITHIN;
        let cycles = if phase == WITHIN { CycleKind::Always } else { CycleKind::Never };
        expansion.component = ClaimComponent { number: u32::from(phase), cycles };
        let fault = |fault, steps| FaultTransition { fault, steps };
        if phase == WITHIN {
            match self.resting(memory, &zone) {
                Ok(zones) if zones.is_empty() => {}
                Ok(_) => expansion.push(state),
                Err(why) => expansion.faults.push(fault(why, 0)),
            }
        } else {
            match self.begun(memory, &zone) {
                Ok(zones) => {
                    for zone in zones {
                        self.encode(WITHIN, memory, &zone, buffer);
                        expansion.push(buffer);
                    }
                }
                Err(why) => expansion.faults.push(fault(why, 0)),
            }
        }
        self.successors(memory, phase, &zone, &mut |memory, step, reached| match reached {
            StepResult::Zone(zone) => {
                self.encode(phase, memory, &zone, buffer);
                let (edge, process) = (variant_number(self.engine.net, step[0]), step[0].process);
                expansion.push_labelled(1, StepLabel { edge, process }, buffer);
            }
            StepResult::Fault(why) => expansion.faults.push(fault(why, 1)),
        });
    }
}

/// The part of a zone in which a case holds. Conditions with `deadlock` are refused before.
fn restricted(zone: &Dbm, case: &Case) -> Option<Dbm> {
    let mut part = zone.clone();
    part.constrain_all(&case.constraints).then_some(part)
}

/// What two zones have in common.
fn intersection(one: &Dbm, other: &Dbm) -> Option<Dbm> {
    let mut both = one.clone();
    let size = other.size();
    for plus in 0..size {
        for minus in (0..size).filter(|&minus| minus != plus) {
            let bound = other.at(plus, minus);
            if !both.constrain(Constraint { plus, minus, bound }) {
                return None;
            }
        }
    }
    Some(both)
}

/// A zone with its limits: no bound is strict.
fn closure(zone: &Dbm) -> Dbm {
    let bounds = zone.bounds().iter();
    let closed = bounds.map(|&bound| if bound == UNBOUNDED { bound } else { bound | 1 });
    Dbm::of(zone.size(), closed.collect())
}

/// The zones that no other one includes.
fn largest(zones: Vec<Dbm>) -> Vec<Dbm> {
    let mut kept: Vec<Dbm> = Vec::new();
    for zone in zones {
        if kept.iter().any(|other| other.includes(&zone)) {
            continue;
        }
        kept.retain(|other| !zone.includes(other));
        kept.push(zone);
    }
    kept
}
