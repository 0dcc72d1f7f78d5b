//! The semantics on single valuations: a run with time stamps is executed step by step. Shares no
//! code with the zones, and evaluates conditions on numbers.
//!
//! A clock is a whole number of units; the schedule says how many are in 1. A run that passes here
//! is one of the network.

use std::fmt;

use beeline_kernel::Fault;

use super::cases::holds_at;
use super::schedule::Schedule;
use super::synchronisation::{
    Part, Port, enter, is_committed, is_committed_at, parts, port, stops_time,
};
use crate::network::code::Code;
use crate::network::memory::{Evaluated, Memory};
use crate::network::operators::Quantifier;
use crate::network::traverse::visit;
use crate::network::{Sync, TimedNetwork};

/// Why a run is none of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Time must not pass here.
    Delay,
    /// Time runs backwards.
    Order,
    /// An invariant does not hold.
    Invariant,
    /// An edge does not begin at the location of its process, or has no such variant.
    Location,
    /// A guard does not hold.
    Guard,
    /// The edges do not synchronise with each other.
    Synchronisation,
    /// A process that can receive stays behind.
    Receiver,
    /// A committed process must move first.
    Committed,
    /// A step fails.
    Fault(Fault),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mismatch::Delay => "time must not pass there",
            Mismatch::Order => "time runs backwards",
            Mismatch::Invariant => "an invariant does not hold",
            Mismatch::Location => "a process is at another location",
            Mismatch::Guard => "a guard does not hold",
            Mismatch::Synchronisation => "the edges do not synchronise",
            Mismatch::Receiver => "a process that can receive stays behind",
            Mismatch::Committed => "a committed process must move first",
            Mismatch::Fault(fault) => return write!(f, "a step fails: {}", fault.kind),
        })
    }
}

/// A discrete state with the values of all clocks.
#[derive(Clone, Debug)]
pub struct ConcreteState<'n> {
    net: &'n TimedNetwork,
    /// Locations and variables.
    pub memory: Memory<'n>,
    /// The clocks, in units; clock 0 is 0.
    pub clocks: Vec<i64>,
    /// Units in 1.
    pub scale: i64,
}

impl<'n> ConcreteState<'n> {
    /// The initial state.
    pub fn new(net: &'n TimedNetwork, scale: i64) -> ConcreteState<'n> {
        let clocks = vec![0; net.clocks.len()];
        ConcreteState { net, memory: Memory::new(net), clocks, scale }
    }

    /// Whether a condition holds. Each conjunct and disjunct is evaluated on numbers.
    ///
    /// # Errors
    ///
    /// When the evaluation fails.
    pub fn holds(&mut self, code: &Code) -> Evaluated<bool> {
        Ok(match code {
            Code::Not(inner) => !self.holds(inner)?,
            Code::And(left, right) => self.holds(left)? && self.holds(right)?,
            Code::Or(left, right) => self.holds(left)? || self.holds(right)?,
            Code::Conditional(condition, yes, no) => {
                if self.holds(condition)? {
                    self.holds(yes)?
                } else {
                    self.holds(no)?
                }
            }
            Code::Quantified(quantifier, at, low, high, body) if *quantifier != Quantifier::Sum => {
                let is_forall = *quantifier == Quantifier::Forall;
                for value in *low..=*high {
                    self.memory.set_frame(*at, value);
                    if self.holds(body)? != is_forall {
                        return Ok(!is_forall);
                    }
                }
                is_forall
            }
            Code::Clocks(comparison) => {
                let mut value = |place: &Option<_>| match place {
                    Some(place) => self.memory.address(place).map(|clock| self.clocks[clock]),
                    None => Ok(0),
                };
                let difference = value(&comparison.plus)? - value(&comparison.minus)?;
                let bound = i64::from(self.memory.eval(&comparison.bound)?) * self.scale;
                holds_at(comparison.op, difference, bound)
            }
            Code::Deadlock => !self.has_step_later(),
            other => self.memory.eval(other)? != 0,
        })
    }

    fn invariants_hold(&mut self) -> Evaluated<bool> {
        let net = self.net;
        for (at, process) in net.processes.iter().enumerate() {
            let location = &process.locations[self.memory.locations[at] as usize];
            if let Some(invariant) = &location.invariant {
                self.memory.begin(&[]);
                if !self.holds(invariant)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn guard_holds(&mut self, part: Part) -> Evaluated<bool> {
        let net = self.net;
        enter(&mut self.memory, net, part);
        match &net.processes[part.process as usize].edges[part.edge as usize].guard {
            Some(guard) => self.holds(guard),
            None => Ok(true),
        }
    }

    /// Whether time may pass as far as locations and urgent channels decide it.
    fn may_delay(&mut self) -> bool {
        let net = self.net;
        if stops_time(net, &self.memory.locations) {
            return false;
        }
        let sends: Vec<(Part, u32)> = self
            .ports()
            .into_iter()
            .filter_map(|(part, port)| match port {
                Ok(Port::Send(channel)) if net.channels[channel as usize].is_urgent => {
                    Some((part, channel))
                }
                _ => None,
            })
            .collect();
        for (part, channel) in sends {
            if self.guard_holds(part) != Ok(true) {
                continue;
            }
            if net.channels[channel as usize].is_broadcast
                || !self.receivers(channel, part.process).is_empty()
            {
                return false;
            }
        }
        true
    }

    /// All edges at the present locations, with what they synchronise on. A fault of an index counts
    /// only if the guard holds.
    fn ports(&mut self) -> Vec<(Part, Evaluated<Port>)> {
        let net = self.net;
        let locations = self.memory.locations.clone();
        let mut found = Vec::new();
        for (process, &location) in locations.iter().enumerate() {
            for part in parts(net, process as u32, location) {
                enter(&mut self.memory, net, part);
                let port = port(&mut self.memory, net, part);
                if port.is_ok() || self.guard_holds(part) == Ok(true) {
                    found.push((part, port));
                }
            }
        }
        found
    }

    /// The edges of other processes that can receive on a channel.
    fn receivers(&mut self, channel: u32, sender: u32) -> Vec<Part> {
        let ports = self.ports().into_iter();
        let candidates: Vec<Part> = ports
            .filter(|(part, port)| part.process != sender && *port == Ok(Port::Receive(channel)))
            .map(|(part, _)| part)
            .collect();
        candidates.into_iter().filter(|&part| self.guard_holds(part) == Ok(true)).collect()
    }

    /// Lets time pass.
    ///
    /// # Errors
    ///
    /// When it must not.
    pub fn delay(&mut self, units: i64) -> Result<(), Mismatch> {
        if units == 0 {
            return Ok(());
        }
        if units < 0 {
            return Err(Mismatch::Order);
        }
        if !self.may_delay() {
            return Err(Mismatch::Delay);
        }
        self.clocks[1..].iter_mut().for_each(|clock| *clock += units);
        // Invariants are convex: if they hold at both ends, they hold between them.
        match self.invariants_hold() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Mismatch::Invariant),
            Err(fault) => Err(Mismatch::Fault(fault)),
        }
    }

    /// Takes a step. A step without edges is a state between two delays.
    ///
    /// # Errors
    ///
    /// When it is not possible.
    pub fn take(&mut self, step: &[Part]) -> Result<(), Mismatch> {
        if step.is_empty() {
            return Ok(());
        }
        self.check(step)?;
        let net = self.net;
        let resets = self.execute(step).map_err(Mismatch::Fault)?;
        for (clock, value) in resets {
            self.clocks[clock as usize] = i64::from(value) * self.scale;
        }
        let _ = net;
        match self.invariants_hold() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Mismatch::Invariant),
            Err(fault) => Err(Mismatch::Fault(fault)),
        }
    }

    fn execute(&mut self, step: &[Part]) -> Evaluated<Vec<(u32, i32)>> {
        let net = self.net;
        self.memory.resets.clear();
        for &part in step {
            let edge = &net.processes[part.process as usize].edges[part.edge as usize];
            enter(&mut self.memory, net, part);
            for update in &edge.updates {
                self.memory.eval(update)?;
            }
            self.memory.locations[part.process as usize] = edge.to;
        }
        Ok(std::mem::take(&mut self.memory.resets))
    }

    /// Whether the edges of a step can move together now.
    fn check(&mut self, step: &[Part]) -> Result<(), Mismatch> {
        let net = self.net;
        let mut ports = Vec::new();
        for (at, &part) in step.iter().enumerate() {
            let location = self.memory.locations[part.process as usize];
            let automaton = &net.processes[part.process as usize];
            let is_here = automaton
                .edges
                .get(part.edge as usize)
                .is_some_and(|edge| edge.from == location && part.variant < edge.variants());
            if !is_here || step[..at].iter().any(|other| other.process == part.process) {
                return Err(Mismatch::Location);
            }
            // The guard first: an edge that it excludes has no channel.
            if !self.guard_holds(part).map_err(Mismatch::Fault)? {
                return Err(Mismatch::Guard);
            }
            enter(&mut self.memory, net, part);
            ports.push(port(&mut self.memory, net, part).map_err(Mismatch::Fault)?);
        }
        let locations = &self.memory.locations;
        if is_committed(net, locations)
            && !step.iter().any(|part| is_committed_at(net, locations, part.process))
        {
            return Err(Mismatch::Committed);
        }
        let Some((&first, rest)) = ports.split_first() else {
            return Err(Mismatch::Synchronisation);
        };
        match first {
            Port::Internal if rest.is_empty() => Ok(()),
            Port::Send(channel) => {
                let all_receive = rest.iter().all(|&one| one == Port::Receive(channel));
                let is_broadcast = net.channels[channel as usize].is_broadcast;
                if !all_receive || !is_broadcast && rest.len() != 1 {
                    return Err(Mismatch::Synchronisation);
                }
                if is_broadcast {
                    self.check_receivers(step, channel)?;
                }
                Ok(())
            }
            Port::Event(_) => self.check_vector(step, &ports),
            Port::Internal | Port::Receive(_) => Err(Mismatch::Synchronisation),
        }
    }

    /// All processes that can receive take part, in the order of the system.
    fn check_receivers(&mut self, step: &[Part], channel: u32) -> Result<(), Mismatch> {
        if !step[1..].is_sorted_by_key(|part| part.process) {
            return Err(Mismatch::Synchronisation);
        }
        let mut able = self.receivers(channel, step[0].process);
        // With an index out of bounds, it is unknown whether the edge would receive.
        able.extend(self.ports().into_iter().filter_map(|(part, port)| {
            let edge = &self.net.processes[part.process as usize].edges[part.edge as usize];
            (port.is_err() && matches!(edge.sync, Sync::Receive(_))).then_some(part)
        }));
        let takes_part = |able: &Part| step.iter().any(|part| part.process == able.process);
        if able.iter().all(takes_part) { Ok(()) } else { Err(Mismatch::Receiver) }
    }

    /// The parts are a vector of events, or an event that is in none.
    fn check_vector(&mut self, step: &[Part], ports: &[Port]) -> Result<(), Mismatch> {
        let net = self.net;
        let has = |vector: &crate::network::Vector, process: u32, event: u32| {
            vector.iter().any(|&(other, its, _)| (other, its) == (process, event))
        };
        if let ([part], [Port::Event(event)]) = (step, ports)
            && !net.vectors.iter().any(|vector| has(vector, part.process, *event))
        {
            return Ok(());
        }
        let is_this = |vector: &&crate::network::Vector| {
            let all_in = step.iter().zip(ports).all(|(part, port)| {
                matches!(port, Port::Event(event) if has(vector, part.process, *event))
            });
            all_in
                && vector.iter().all(|&(process, event, is_weak)| {
                    let takes_part = step.iter().any(|part| part.process == process);
                    let location = self.memory.locations[process as usize];
                    let could = || {
                        parts(net, process, location).any(|part| {
                            let edge = &net.processes[process as usize].edges[part.edge as usize];
                            matches!(edge.sync, Sync::Event(its) if its == event)
                        })
                    };
                    takes_part || is_weak && !could()
                })
        };
        match net.vectors.iter().find(is_this) {
            Some(_) => Ok(()),
            None => Err(Mismatch::Synchronisation),
        }
    }

    /// The largest number with which clocks are compared in the network and in another condition,
    /// as variables are now.
    fn largest(&self, other: Option<&Code>) -> i64 {
        let mut largest = 0;
        let processes = self.net.processes.iter();
        let conditions = processes.flat_map(|process| {
            let guards = process.edges.iter().filter_map(|edge| edge.guard.as_ref());
            let invariants = process.locations.iter().filter_map(|one| one.invariant.as_ref());
            guards.chain(invariants)
        });
        for code in conditions.chain(other) {
            visit(code, &mut |one| {
                if let Code::Clocks(comparison) = one {
                    let bound = self.clone().memory.eval(&comparison.bound).unwrap_or(0);
                    largest = largest.max(i64::from(bound));
                }
            });
        }
        largest
    }

    /// The same state in half units: there are some between the times at which a clock is a whole
    /// number.
    fn in_half_units(&self) -> ConcreteState<'n> {
        let mut now = self.clone();
        now.scale *= 2;
        now.clocks.iter_mut().for_each(|clock| *clock *= 2);
        now
    }

    /// Whether a condition has this truth value here.
    pub fn is(&mut self, code: &Code, truth: bool) -> bool {
        self.memory.begin(&[]);
        self.holds(code) == Ok(truth)
    }

    /// Whether a condition has a truth value during a delay, and at both ends of it.
    pub fn keeps(&mut self, delay: i64, code: &Code, truth: bool) -> bool {
        let mut has_clocks = false;
        visit(code, &mut |one| has_clocks |= matches!(one, Code::Clocks(_)));
        if !has_clocks {
            return self.is(code, truth);
        }
        let now = self.in_half_units();
        let end = now.clocks.iter().copied().max().unwrap_or(0) + 2 * delay;
        let times = interesting(&now.clocks, now.scale, end).into_iter();
        times.chain([2 * delay]).filter(|&time| time <= 2 * delay).all(|time| {
            let mut later = now.clone();
            later.clocks[1..].iter_mut().for_each(|clock| *clock += time);
            later.is(code, truth)
        })
    }

    /// Whether a run that keeps a truth value of a condition can end here: the condition has it as
    /// long as time can pass, and either it can pass without end, or no step is possible any more.
    pub fn rests(&mut self, code: &Code, truth: bool) -> bool {
        if !self.is(code, truth) {
            return false;
        }
        let mut is_bounded = true;
        if self.may_delay() {
            let now = self.in_half_units();
            let end = self.largest(Some(code)) * now.scale + 1;
            is_bounded = false;
            for time in interesting(&now.clocks, now.scale, end) {
                let mut later = now.clone();
                later.clocks[1..].iter_mut().for_each(|clock| *clock += time);
                if !matches!(later.invariants_hold(), Ok(true)) {
                    is_bounded = true;
                    break;
                }
                if !later.is(code, truth) {
                    return false;
                }
            }
        }
        !is_bounded || !self.has_step_later()
    }

    /// Whether some step is possible now or after some delay: at the times at which a comparison
    /// of clocks changes, and between them.
    pub fn has_step_later(&mut self) -> bool {
        let now = self.in_half_units();
        let mut fine = now.clone();
        let end = self.largest(None) * fine.scale + 1;
        let may_delay = fine.may_delay();
        let times: Vec<i64> =
            if may_delay { interesting(&fine.clocks, fine.scale, end) } else { vec![0] };
        for time in times {
            let mut later = now.clone();
            later.clocks[1..].iter_mut().for_each(|clock| *clock += time);
            if !matches!(later.invariants_hold(), Ok(true)) {
                continue;
            }
            if later.has_step() {
                return true;
            }
        }
        fine.has_step()
    }

    /// Whether some step is possible now.
    fn has_step(&mut self) -> bool {
        let ports = self.ports();
        for &(part, port) in &ports {
            let steps: Vec<Vec<Part>> = match port {
                Ok(Port::Internal) => vec![vec![part]],
                Ok(Port::Receive(_)) | Err(_) => continue,
                Ok(Port::Send(channel)) => {
                    let receivers = self.receivers(channel, part.process);
                    if self.net.channels[channel as usize].is_broadcast {
                        broadcasts(part, &receivers)
                    } else {
                        receivers.into_iter().map(|receiver| vec![part, receiver]).collect()
                    }
                }
                Ok(Port::Event(_)) => self.vectors_with(part, &ports),
            };
            for step in steps {
                match self.clone().take(&step) {
                    Ok(()) | Err(Mismatch::Fault(_)) => return true,
                    Err(_) => {}
                }
            }
        }
        false
    }

    /// The candidates for steps of vectors whose first part is this one.
    fn vectors_with(&self, part: Part, ports: &[(Part, Evaluated<Port>)]) -> Vec<Vec<Part>> {
        let mut found = vec![vec![part]];
        for vector in &self.net.vectors {
            let mut open = vec![Vec::new()];
            for &(process, event, is_weak) in vector {
                let own: Vec<Part> = ports
                    .iter()
                    .filter(|(part, port)| {
                        part.process == process && *port == Ok(Port::Event(event))
                    })
                    .map(|&(part, _)| part)
                    .collect();
                if own.is_empty() && is_weak {
                    continue;
                }
                open = open
                    .into_iter()
                    .flat_map(|step: Vec<Part>| {
                        own.iter().map(move |&one| {
                            let mut step = step.clone();
                            step.push(one);
                            step
                        })
                    })
                    .collect();
            }
            found.extend(open.into_iter().filter(|step| step.first() == Some(&part)));
        }
        found
    }
}

/// The steps of a broadcast: one edge of each process that can receive.
fn broadcasts(sender: Part, receivers: &[Part]) -> Vec<Vec<Part>> {
    let mut steps = vec![vec![sender]];
    for group in receivers.chunk_by(|one, other| one.process == other.process) {
        steps = steps
            .into_iter()
            .flat_map(|step| {
                group.iter().map(move |&one| {
                    let mut step = step.clone();
                    step.push(one);
                    step
                })
            })
            .collect();
    }
    steps
}

/// The delays after which some clock is a whole number, and those between them, until all clocks
/// are beyond `end`.
fn interesting(clocks: &[i64], scale: i64, end: i64) -> Vec<i64> {
    let mut delays = vec![0];
    for &clock in &clocks[1..] {
        let mut delay = (scale - clock.rem_euclid(scale)) % scale;
        while clock + delay <= end + scale && delays.len() < MOST_DELAYS {
            delays.push(delay);
            delay += scale;
        }
    }
    delays.sort_unstable();
    delays.dedup();
    let between: Vec<i64> = delays.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    let last = delays.last().copied().unwrap_or(0) + scale;
    delays.extend(between);
    delays.push(last);
    delays.sort_unstable();
    delays
}

/// Delays that are tried at most.
const MOST_DELAYS: usize = 200_000;

/// The states of a run: before the first step, and after each one; the last one at its end.
///
/// # Errors
///
/// The number of the step that is not possible, from 0, and why.
pub fn replay<'n>(
    net: &'n TimedNetwork,
    steps: &[Vec<Part>],
    schedule: &Schedule,
) -> Result<Vec<ConcreteState<'n>>, (usize, Mismatch)> {
    let mut state = ConcreteState::new(net, schedule.scale);
    match state.invariants_hold() {
        Ok(true) => {}
        Ok(false) => return Err((0, Mismatch::Invariant)),
        Err(fault) => return Err((0, Mismatch::Fault(fault))),
    }
    let mut states = vec![state.clone()];
    let mut now = 0;
    for (at, (step, &time)) in steps.iter().zip(&schedule.times).enumerate() {
        state.delay(time - now).map_err(|why| (at, why))?;
        state.take(step).map_err(|why| (at, why))?;
        now = time;
        states.push(state.clone());
    }
    state.delay(schedule.end - now).map_err(|why| (steps.len(), why))?;
    states.push(state);
    Ok(states)
}
