//! Which edges can move together, as far as channels and events decide it. Guards are another
//! matter: they are for those that take the steps.

use crate::network::memory::{Evaluated, Memory};
use crate::network::{Sync, TimedNetwork};

/// A variant of an edge of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The process.
    pub process: u32,
    /// The edge.
    pub edge: u32,
    /// The choice of values.
    pub variant: u32,
}

/// What an edge synchronises on in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// Nothing.
    Internal,
    /// Sends on this channel.
    Send(u32),
    /// Receives on this channel.
    Receive(u32),
    /// This event.
    Event(u32),
}

/// Sets the frame to the values that a variant chooses.
pub fn enter(memory: &mut Memory<'_>, net: &TimedNetwork, part: Part) {
    let edge = &net.processes[part.process as usize].edges[part.edge as usize];
    if edge.selects.is_empty() {
        memory.begin(&[]);
        return;
    }
    let mut values = vec![0; edge.selects.len()];
    edge.choice(part.variant, &mut values);
    memory.begin(&values);
}

/// What an edge synchronises on. The frame is that of the part.
///
/// # Errors
///
/// When an index is outside its array. The guard comes first: an edge whose guard does not hold has
/// no such fault.
pub fn port(memory: &mut Memory<'_>, net: &TimedNetwork, part: Part) -> Evaluated<Port> {
    let edge = &net.processes[part.process as usize].edges[part.edge as usize];
    Ok(match &edge.sync {
        Sync::Internal => Port::Internal,
        Sync::Send(channel) => Port::Send(memory.address(channel)? as u32),
        Sync::Receive(channel) => Port::Receive(memory.address(channel)? as u32),
        Sync::Event(event) => Port::Event(*event),
    })
}

/// The edges that leave the present location of a process, with all their variants.
pub fn parts<'n>(
    net: &'n TimedNetwork,
    process: u32,
    location: u32,
) -> impl Iterator<Item = Part> + 'n {
    let automaton = &net.processes[process as usize];
    automaton.leaving[location as usize].iter().flat_map(move |&edge| {
        let variants = automaton.edges[edge as usize].variants();
        (0..variants).map(move |variant| Part { process, edge, variant })
    })
}

/// Whether some process is in a committed location.
pub fn is_committed(net: &TimedNetwork, locations: &[u32]) -> bool {
    let mut all = net.processes.iter().zip(locations);
    all.any(|(process, &location)| process.locations[location as usize].is_committed)
}

/// Whether a location stops time.
pub fn stops_time(net: &TimedNetwork, locations: &[u32]) -> bool {
    net.processes.iter().zip(locations).any(|(process, &location)| {
        let location = &process.locations[location as usize];
        location.is_committed || location.is_urgent
    })
}

/// Whether a process is in a committed location.
pub fn is_committed_at(net: &TimedNetwork, locations: &[u32], process: u32) -> bool {
    let location = locations[process as usize];
    net.processes[process as usize].locations[location as usize].is_committed
}
