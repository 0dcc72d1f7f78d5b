//! The steps of a discrete state: the edges that can move together, with the cases of the clocks in
//! which they can.
//!
//! Which edges can is decided by guards and channels; committed locations move first. The guard of an
//! edge comes before the index of its channel.

use beeline_kernel::Fault;

use super::cases::{Cases, cases};
use super::event_edges::EventEdges;
use super::synchronisation::{Part, Port, enter, is_committed, is_committed_at, parts, port};
use crate::network::memory::{Evaluated, Memory};
use crate::network::{Sync, TimedNetwork};

/// A network whose steps are asked for.
pub(super) struct PossibleSteps<'n> {
    net: &'n TimedNetwork,
    has_urgent_channels: bool,
    events: EventEdges,
}

/// A sender that looks for receivers.
struct Sending<'s> {
    sender: Part,
    guard: Evaluated<Cases>,
    channel: u32,
    /// All edges that receive.
    receives: &'s [(Part, Evaluated<Port>)],
}

/// When the edges of a step can move together, as far as their guards decide it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StepGuard {
    /// In these cases.
    Holds(Cases),
    /// In these cases they could, but the step fails before its updates.
    Fails(Cases, Fault),
}

impl StepGuard {
    /// A guard that cannot be evaluated fails whatever the clocks are.
    fn of(guard: Evaluated<Cases>) -> StepGuard {
        match guard {
            Ok(cases) => StepGuard::Holds(cases),
            Err(fault) => StepGuard::Fails(Cases::Always, fault),
        }
    }
}

/// What is called with the edges that can move together, and their guards.
pub(super) type EachStep<'c, 'n> = &'c mut dyn FnMut(&mut Memory<'n>, &[Part], StepGuard);

/// An edge that receives and whose guard may hold.
struct Receiver {
    part: Part,
    guard: Evaluated<Cases>,
    /// Whether the index of its channel is out of bounds.
    has_no_channel: bool,
}

impl<'n> PossibleSteps<'n> {
    /// Those of a network.
    pub(super) fn new(net: &'n TimedNetwork) -> PossibleSteps<'n> {
        let has_urgent_channels = net.channels.iter().any(|one| one.is_urgent);
        PossibleSteps { net, has_urgent_channels, events: EventEdges::new(net) }
    }

    /// Whether a synchronisation on an urgent channel is possible. The edges have no guards on
    /// clocks.
    pub(super) fn has_urgent_step(&self, memory: &mut Memory<'n>) -> bool {
        if !self.has_urgent_channels {
            return false;
        }
        let mut is_urgent = false;
        // A fault of a guard is told when the state is expanded.
        self.synchronisations(memory, true, &mut |_, _, guard| {
            is_urgent |= matches!(guard, StepGuard::Holds(_));
        });
        is_urgent
    }

    /// Calls `each` with all steps whose guards may hold as far as the discrete state decides it.
    pub(super) fn all(&self, memory: &mut Memory<'n>, each: EachStep<'_, 'n>) {
        self.synchronisations(memory, false, each);
        if !self.net.vectors.is_empty() {
            let committed = is_committed(self.net, &memory.locations);
            for vector in 0..self.net.vectors.len() {
                self.vector(memory, vector, committed, each);
            }
        }
    }

    /// The same without vectors; only on urgent channels if that is asked for.
    fn synchronisations(&self, memory: &mut Memory<'n>, urgent: bool, each: EachStep<'_, 'n>) {
        let net = self.net;
        let committed = is_committed(net, &memory.locations);
        let mut ports = Vec::with_capacity(2 * net.processes.len());
        let mut receives = Vec::new();
        for process in 0..net.processes.len() as u32 {
            for part in parts(net, process, memory.locations[process as usize]) {
                enter(memory, net, part);
                let port = port(memory, net, part);
                let edge = &net.processes[process as usize].edges[part.edge as usize];
                if matches!(edge.sync, Sync::Receive(_)) {
                    receives.push((part, port));
                }
                ports.push((part, port));
            }
        }
        for (part, port) in ports {
            let is_first = || !committed || is_committed_at(net, &memory.locations, part.process);
            match port {
                Ok(Port::Send(channel)) => {
                    let its = &net.channels[channel as usize];
                    if urgent && !its.is_urgent {
                        continue;
                    }
                    let is_first = is_first();
                    let guard = self.guard(memory, part);
                    if guard == Ok(Cases::Never) {
                        continue;
                    }
                    let open = Sending { sender: part, guard, channel, receives: &receives };
                    if its.is_broadcast {
                        self.broadcast(memory, open, committed, each);
                    } else {
                        self.pairs(memory, open, is_first, each);
                    }
                }
                _ if urgent => {}
                Err(fault) => match self.guard(memory, part) {
                    // The guard excludes the edge, so that its channel is never asked for.
                    Ok(Cases::Never) => {}
                    Ok(cases) => each(memory, &[part], StepGuard::Fails(cases, fault)),
                    Err(first) => each(memory, &[part], StepGuard::of(Err(first))),
                },
                Ok(Port::Internal) if is_first() => self.alone(memory, part, each),
                Ok(Port::Event(event))
                    if is_first() && !self.events.is_in_vector(part.process, event) =>
                {
                    self.alone(memory, part, each);
                }
                Ok(_) => {}
            }
        }
    }

    fn alone(&self, memory: &mut Memory<'n>, part: Part, each: EachStep<'_, 'n>) {
        let guard = self.guard(memory, part);
        if guard != Ok(Cases::Never) {
            each(memory, &[part], StepGuard::of(guard));
        }
    }

    /// The cases of the guard of an edge.
    fn guard(&self, memory: &mut Memory<'n>, part: Part) -> Evaluated<Cases> {
        self.guard_that(memory, part, true)
    }

    fn guard_that(&self, memory: &mut Memory<'n>, part: Part, holds: bool) -> Evaluated<Cases> {
        let edge = &self.net.processes[part.process as usize].edges[part.edge as usize];
        let Some(guard) = &edge.guard else {
            return Ok(if holds { Cases::Always } else { Cases::Never });
        };
        enter(memory, self.net, part);
        cases(memory, guard, holds)
    }

    /// The receiving edges on the channel of a sender whose guards may hold, in the order of
    /// processes.
    fn receivers(&self, memory: &mut Memory<'n>, open: &Sending<'_>) -> Vec<Receiver> {
        let mut found = Vec::new();
        for &(part, port) in open.receives {
            if part.process == open.sender.process {
                continue;
            }
            let has_no_channel = match port {
                Ok(Port::Receive(its)) if its == open.channel => false,
                Ok(_) => continue,
                Err(_) => true,
            };
            let guard = self.guard(memory, part);
            if guard != Ok(Cases::Never) {
                found.push(Receiver { part, guard, has_no_channel });
            }
        }
        found
    }

    fn pairs(
        &self,
        memory: &mut Memory<'n>,
        open: Sending<'_>,
        has_right: bool,
        each: EachStep<'_, 'n>,
    ) {
        for Receiver { part, guard, has_no_channel } in self.receivers(memory, &open) {
            // An index out of bounds is a fault of the receiver alone.
            if has_no_channel
                || !has_right && !is_committed_at(self.net, &memory.locations, part.process)
            {
                continue;
            }
            let both = open.guard.clone().and_then(|one| one.and(guard?));
            if both != Ok(Cases::Never) {
                each(memory, &[open.sender, part], StepGuard::of(both));
            }
        }
    }

    /// All processes that can receive do so. Where guards compare clocks, the cases tell which can.
    /// There is no step without a process whose index of the channel is out of bounds.
    fn broadcast(
        &self,
        memory: &mut Memory<'n>,
        sending: Sending<'_>,
        committed: bool,
        each: EachStep<'_, 'n>,
    ) {
        let all = self.receivers(memory, &sending);
        let mut open = vec![(vec![sending.sender], sending.guard)];
        for receivers in all.chunk_by(|one, other| one.part.process == other.part.process) {
            let mut next = Vec::new();
            // The case in which no edge of the process can receive.
            let mut none = Ok(Cases::Always);
            for receiver in receivers {
                for (step, guard) in open.iter().filter(|_| !receiver.has_no_channel) {
                    let both = guard.clone().and_then(|one| one.and(receiver.guard.clone()?));
                    if both != Ok(Cases::Never) {
                        let mut step = step.clone();
                        step.push(receiver.part);
                        next.push((step, both));
                    }
                }
                let negated = self.guard_that(memory, receiver.part, false);
                none = none.and_then(|one| one.and(negated?));
            }
            if none != Ok(Cases::Never) {
                for (step, guard) in open {
                    let both = guard.and_then(|one| one.and(none.clone()?));
                    if both != Ok(Cases::Never) {
                        next.push((step, both));
                    }
                }
            }
            open = next;
        }
        for (step, guard) in open {
            let mut moved = step.iter();
            let has_right = !committed
                || moved.any(|part| is_committed_at(self.net, &memory.locations, part.process));
            if has_right {
                each(memory, &step, StepGuard::of(guard));
            }
        }
    }

    /// The steps of a vector. A process that may stay behind does so only if no edge of its
    /// location has the event: as TChecker, which does not look at guards here.
    fn vector(
        &self,
        memory: &mut Memory<'n>,
        vector: usize,
        committed: bool,
        each: EachStep<'_, 'n>,
    ) {
        let net = self.net;
        let mut open = vec![(Vec::new(), Ok(Cases::Always))];
        let own = |memory: &Memory<'n>, process: u32, event| {
            self.events.parts(process, memory.locations[process as usize], event)
        };
        let mut needed = net.vectors[vector].iter().filter(|(.., is_weak)| !is_weak);
        if needed.any(|&(process, event, _)| own(memory, process, event).is_empty()) {
            return;
        }
        for &(process, event, is_weak) in &net.vectors[vector] {
            let own = own(memory, process, event);
            if own.is_empty() {
                if is_weak {
                    continue;
                }
                return;
            }
            let mut next = Vec::new();
            for &(_, part) in own {
                let its = self.guard(memory, part);
                for (step, guard) in &open {
                    let both: Evaluated<Cases> =
                        guard.clone().and_then(|one: Cases| one.and(its.clone()?));
                    if both != Ok(Cases::Never) {
                        let mut step: Vec<Part> = step.clone();
                        step.push(part);
                        next.push((step, both));
                    }
                }
            }
            open = next;
        }
        for (step, guard) in open {
            let has_right = !committed
                || step.iter().any(|part| is_committed_at(net, &memory.locations, part.process));
            if has_right && !step.is_empty() {
                each(memory, &step, StepGuard::of(guard));
            }
        }
    }
}
