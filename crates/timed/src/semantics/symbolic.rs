//! Symbolic steps: a discrete state with the zone of all valuations in which time may have led.
//!
//! Source: \[BY04\], \[BBLP06\]. A zone is stored after time has passed in its locations, and
//! extrapolated for them. A condition with several cases splits the zone.
//!
//! The order of effects is UPPAAL's: the sender's updates, then those of the receivers in the order
//! of the system; the variables of guards are those before all updates.

use beeline_kernel::{Fault, FaultKind, FaultTransition, SiteId};

use super::bounds::ClockBounds;
use super::cases::{Case, Cases, cases};
use super::goal::QueryGoal;
use super::layout::ZoneLayout;
use super::possible_steps::{PossibleSteps, StepGuard};
use super::synchronisation::{Part, enter, stops_time};
use crate::network::TimedNetwork;
use crate::network::memory::{Evaluated, Memory};
use crate::network::traverse::has_clocks;
use crate::zones::federation::subtract;
use crate::zones::{Constraint, Dbm};

/// A network, prepared for symbolic steps.
pub struct SymbolicEngine<'n> {
    /// The network.
    pub net: &'n TimedNetwork,
    /// How states are stored.
    pub layout: ZoneLayout,
    /// What is looked for.
    pub goals: Vec<QueryGoal>,
    pub(super) bounds: ClockBounds,
    pub(super) possible: PossibleSteps<'n>,
    /// By goal: whether its condition has no clocks and no `deadlock`.
    is_discrete: Vec<bool>,
}

/// How a discrete state is entered: from the zones of those that enter it to those of the stored
/// states.
type EnterZones<'c, 'n> = &'c dyn Fn(&mut Memory<'n>, Vec<Dbm>) -> Evaluated<Vec<Dbm>>;

/// What a step leads to.
pub enum StepResult {
    /// A zone of the discrete state that is in memory then.
    Zone(Dbm),
    /// It fails.
    Fault(Fault),
}

impl<'n> SymbolicEngine<'n> {
    /// Prepares a network and the conditions that are looked for.
    pub fn new(net: &'n TimedNetwork, goals: Vec<QueryGoal>) -> SymbolicEngine<'n> {
        let bounds = ClockBounds::new(net, &goals);
        SymbolicEngine::with_bounds(net, goals, bounds)
    }

    /// The same; extrapolation keeps the least values of a clock that no condition compares.
    pub fn minimizing(
        net: &'n TimedNetwork,
        goals: Vec<QueryGoal>,
        clock: usize,
    ) -> SymbolicEngine<'n> {
        let mut bounds = ClockBounds::new(net, &goals);
        bounds.minimize(clock);
        SymbolicEngine::with_bounds(net, goals, bounds)
    }

    fn with_bounds(
        net: &'n TimedNetwork,
        goals: Vec<QueryGoal>,
        bounds: ClockBounds,
    ) -> SymbolicEngine<'n> {
        SymbolicEngine {
            net,
            layout: ZoneLayout::new(net, &bounds),
            bounds,
            is_discrete: goals.iter().map(|goal| !has_clocks(&goal.code)).collect(),
            goals,
            possible: PossibleSteps::new(net),
        }
    }

    /// The same; zones are extrapolated so that each of their valuations has the same runs as one
    /// that is reachable.
    pub fn for_runs(net: &'n TimedNetwork, goals: Vec<QueryGoal>) -> SymbolicEngine<'n> {
        let mut engine = SymbolicEngine::new(net, goals);
        engine.bounds.keep_runs();
        engine
    }

    /// The initial state, with its values in memory; `None` if no time satisfies the invariants.
    ///
    /// # Errors
    ///
    /// When the evaluation of an invariant fails.
    pub fn initial(&self, memory: &mut Memory<'n>) -> Evaluated<Option<Dbm>> {
        let zone = Dbm::zero(self.net.clocks.len());
        Ok(self.entered(memory, vec![zone])?.pop())
    }

    /// The invariants of the present locations; `None` if one of them cannot hold.
    ///
    /// # Errors
    ///
    /// When the evaluation of an invariant fails.
    pub fn invariants(&self, memory: &mut Memory<'n>) -> Evaluated<Option<Vec<Constraint>>> {
        let mut constraints = Vec::new();
        for (at, process) in self.net.processes.iter().enumerate() {
            let location = &process.locations[memory.locations[at] as usize];
            let Some(invariant) = &location.invariant else { continue };
            memory.begin(&[]);
            // Invariants are convex, so that there is at most one case.
            match cases(memory, invariant, true)? {
                Cases::Never => return Ok(None),
                Cases::Always => {}
                Cases::Some(all) => {
                    constraints.extend(all.into_iter().flat_map(|one| one.constraints));
                }
            }
        }
        Ok(Some(constraints))
    }

    /// Whether time may pass in the present discrete state.
    pub fn may_delay(&self, memory: &mut Memory<'n>) -> bool {
        let is_stopped =
            stops_time(self.net, &memory.locations) || self.possible.has_urgent_step(memory);
        !is_stopped
    }

    /// Zones after entering the present discrete state: invariants, delay, extrapolation.
    fn entered(&self, memory: &mut Memory<'n>, zones: Vec<Dbm>) -> Evaluated<Vec<Dbm>> {
        let Some(invariants) = self.invariants(memory)? else { return Ok(Vec::new()) };
        let mut zones = zones;
        zones.retain_mut(|zone| zone.constrain_all(&invariants));
        if zones.is_empty() {
            return Ok(zones);
        }
        if self.may_delay(memory) {
            for zone in &mut zones {
                zone.up();
                let is_full = zone.constrain_all(&invariants);
                debug_assert!(is_full, "the invariants held before time passed");
            }
        }
        self.extrapolate(memory, &mut zones);
        if zones.iter().any(Dbm::is_too_large) {
            // Without extrapolation, clocks may grow without end.
            return Err(Fault { kind: FaultKind::Overflow, site: SiteId(u32::MAX) });
        }
        Ok(zones)
    }

    /// Extrapolates zones of the present discrete state.
    pub(super) fn extrapolate(&self, memory: &Memory<'n>, zones: &mut [Dbm]) {
        let mut active = Vec::new();
        self.layout.active.add(memory, &mut active);
        self.bounds.extrapolate(memory, &active, zones);
    }

    /// Executes the updates of a step in memory. The resets of clocks are in `memory.resets`.
    ///
    /// # Errors
    ///
    /// When an update fails.
    pub fn execute(&self, memory: &mut Memory<'n>, step: &[Part]) -> Evaluated<()> {
        memory.resets.clear();
        for &part in step {
            let edge = &self.net.processes[part.process as usize].edges[part.edge as usize];
            enter(memory, self.net, part);
            for update in &edge.updates {
                memory.eval(update)?;
            }
            memory.locations[part.process as usize] = edge.to;
        }
        Ok(())
    }

    /// Calls `each` with all steps from a zone of the discrete state in memory, and what they lead
    /// to; the new discrete state is in memory then. Afterwards memory is as before.
    pub fn successors(
        &self,
        memory: &mut Memory<'n>,
        zone: &Dbm,
        each: &mut dyn FnMut(&mut Memory<'n>, &[Part], StepResult),
    ) {
        self.successors_into(memory, zone, &|memory, zones| self.entered(memory, zones), each);
    }

    /// The same, with another way of entering discrete states.
    pub(super) fn successors_into(
        &self,
        memory: &mut Memory<'n>,
        zone: &Dbm,
        enter: EnterZones<'_, 'n>,
        each: &mut dyn FnMut(&mut Memory<'n>, &[Part], StepResult),
    ) {
        let (variables, locations) = (memory.variables.clone(), memory.locations.clone());
        self.possible.all(memory, &mut |memory, step, guard| {
            let (cases, fault) = match guard {
                StepGuard::Holds(cases) => (cases, None),
                StepGuard::Fails(cases, fault) => (cases, Some(fault)),
            };
            let mut zones = Vec::new();
            for case in cases.list() {
                let mut part = zone.clone();
                if part.constrain_all(&case.constraints) {
                    zones.push(part);
                }
            }
            if zones.is_empty() {
                return;
            }
            if let Some(fault) = fault {
                return each(memory, step, StepResult::Fault(fault));
            }
            let entered = self.execute(memory, step).and_then(|()| {
                for zone in &mut zones {
                    for &(clock, value) in &memory.resets {
                        zone.reset(clock as usize, value);
                    }
                }
                enter(memory, zones)
            });
            match entered {
                Ok(zones) => {
                    for zone in zones {
                        each(memory, step, StepResult::Zone(zone));
                    }
                }
                Err(fault) => each(memory, step, StepResult::Fault(fault)),
            }
            memory.variables.copy_from_slice(&variables);
            memory.locations.copy_from_slice(&locations);
        });
    }

    /// The valuations of the present discrete state from which a step is possible, now or later.
    ///
    /// # Errors
    ///
    /// When the evaluation of an invariant fails.
    pub fn live(&self, memory: &mut Memory<'n>) -> Evaluated<Vec<Dbm>> {
        let Some(invariants) = self.invariants(memory)? else { return Ok(Vec::new()) };
        let may_delay = self.may_delay(memory);
        let (variables, locations) = (memory.variables.clone(), memory.locations.clone());
        let mut everything = Dbm::zero(self.net.clocks.len());
        (1..everything.size()).for_each(|clock| everything.free(clock));
        let mut live = Vec::new();
        self.possible.all(memory, &mut |memory, step, guard| {
            let StepGuard::Holds(guard) = guard else { return };
            let entered = self.execute(memory, step).and_then(|()| {
                // The same step may reset a clock twice: the last one counts.
                let resets = memory.resets.clone();
                Ok(self.invariants(memory)?.map(|target| before(&target, &resets)))
            });
            memory.variables.copy_from_slice(&variables);
            memory.locations.copy_from_slice(&locations);
            let target = match entered {
                // A step that fails is a step.
                Err(_) => Vec::new(),
                Ok(None) => return,
                Ok(Some(target)) => target,
            };
            for case in guard.list() {
                let mut zone = everything.clone();
                if zone.constrain_all(&invariants)
                    && zone.constrain_all(&case.constraints)
                    && zone.constrain_all(&target)
                {
                    if may_delay {
                        zone.down();
                    }
                    live.push(zone);
                }
            }
        });
        Ok(live)
    }

    /// The cases of a goal in a zone of the discrete state in memory that are not empty, as zones.
    ///
    /// # Errors
    ///
    /// When the evaluation fails.
    pub fn reaches(&self, memory: &mut Memory<'n>, zone: &Dbm, goal: usize) -> Evaluated<bool> {
        let QueryGoal { code, holds } = &self.goals[goal];
        memory.begin(&[]);
        if self.is_discrete[goal] {
            return Ok((memory.eval(code)? != 0) == *holds);
        }
        let all = match cases(memory, code, *holds)? {
            Cases::Never => return Ok(false),
            Cases::Always => return Ok(true),
            Cases::Some(all) => all,
        };
        for Case { constraints, deadlock } in all {
            let mut part = zone.clone();
            if !part.constrain_all(&constraints) {
                continue;
            }
            let Some(is_deadlock) = deadlock else { return Ok(true) };
            let live = self.live(memory)?;
            let is_met = if is_deadlock {
                !live.iter().fold(vec![part], subtract).is_empty()
            } else {
                live.iter().any(|live| intersects(&part, live))
            };
            if is_met {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The parts of a zone of the discrete state in memory in which a goal holds.
    ///
    /// # Errors
    ///
    /// When the evaluation fails.
    pub fn goal_zones(
        &self,
        memory: &mut Memory<'n>,
        zone: &Dbm,
        goal: usize,
    ) -> Evaluated<Vec<Dbm>> {
        let QueryGoal { code, holds } = &self.goals[goal];
        memory.begin(&[]);
        let mut found = Vec::new();
        for Case { constraints, deadlock } in cases(memory, code, *holds)?.list() {
            let mut part = zone.clone();
            if !part.constrain_all(&constraints) {
                continue;
            }
            match deadlock {
                None => found.push(part),
                Some(true) => found.extend(self.stuck(memory, part)?),
                Some(false) => {
                    let live = self.live(memory)?;
                    found.extend(live.iter().filter_map(|live| intersection(&part, live)));
                }
            }
        }
        Ok(found)
    }

    /// The deadlock zones of a zone of the discrete state in memory.
    ///
    /// # Errors
    ///
    /// When the evaluation fails.
    pub fn stuck(&self, memory: &mut Memory<'n>, zone: Dbm) -> Evaluated<Vec<Dbm>> {
        let live = self.live(memory)?;
        Ok(live.iter().fold(vec![zone], subtract))
    }

    /// Expands a stored state.
    pub fn expand(
        &self,
        memory: &mut Memory<'n>,
        state: &[u8],
        buffer: &mut Vec<u8>,
        expansion: &mut beeline_kernel::Expansion,
    ) {
        let zone = self.layout.decode(state, memory);
        for goal in 0..self.goals.len() {
            match self.reaches(memory, &zone, goal) {
                Ok(true) => expansion.violated_invariants.push(goal as u32),
                Ok(false) => {}
                Err(fault) => expansion.faults.push(FaultTransition { fault, steps: 0 }),
            }
        }
        self.successors(memory, &zone, &mut |memory, step, reached| match reached {
            StepResult::Zone(zone) => {
                self.layout.encode(memory, &zone, buffer);
                let first = step[0];
                let edge = variant_number(self.net, first);
                let label = beeline_kernel::StepLabel { edge, process: first.process };
                expansion.push_labelled(1, label, buffer);
            }
            StepResult::Fault(fault) => expansion.faults.push(FaultTransition { fault, steps: 1 }),
        });
    }
}

/// The number of a variant among those of its process.
pub fn variant_number(net: &TimedNetwork, part: Part) -> u32 {
    net.processes[part.process as usize].edges[part.edge as usize].first + part.variant
}

/// Constraints on the valuation after resets, as constraints on the one before.
pub(super) fn before(constraints: &[Constraint], resets: &[(u32, i32)]) -> Vec<Constraint> {
    let value = |clock: usize| {
        resets.iter().rev().find(|&&(other, _)| other as usize == clock).map(|&(_, value)| value)
    };
    let translate = |one: &Constraint| {
        let mut translated = *one;
        let mut shift = 0;
        if let Some(value) = value(one.plus) {
            (translated.plus, shift) = (0, shift - value);
        }
        if let Some(value) = value(one.minus) {
            (translated.minus, shift) = (0, shift + value);
        }
        translated.bound = one.bound.saturating_add(2 * shift);
        translated
    };
    constraints.iter().map(translate).collect()
}

/// Whether two zones have a valuation in common.
fn intersects(one: &Dbm, other: &Dbm) -> bool {
    intersection(one, other).is_some()
}

/// The valuations that two zones have in common.
fn intersection(one: &Dbm, other: &Dbm) -> Option<Dbm> {
    let mut both = one.clone();
    let size = other.size();
    let is_full = (0..size).all(|plus| {
        (0..size).all(|minus| {
            let bound = other.at(plus, minus);
            plus == minus || both.constrain(Constraint { plus, minus, bound })
        })
    });
    is_full.then_some(both)
}
