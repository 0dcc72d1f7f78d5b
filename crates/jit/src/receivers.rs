//! Receivers: the locations where a process can receive from a channel in a rendezvous. The
//! location excludes most processes.

use beeline_engine::automata::{Automaton, Edge, EdgeAction};
use beeline_engine::interpreter::Machine;
use beeline_kernel::Space;
use beeline_promela::hir::{Access, ProcessId, Root};

/// By process type and location: whether the process can receive there; empty if it never can.
pub(crate) type LocationTable = Vec<Vec<bool>>;

/// Locations where messages may be received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivingLocations {
    /// By channel, for channels that some variable always holds.
    by_channel: Vec<LocationTable>,
    /// For all other channels: receives whose channel is not known statically.
    others: LocationTable,
}

impl ReceivingLocations {
    /// Analyses all receives of a model.
    pub(crate) fn new(machine: &Machine<'_>) -> ReceivingLocations {
        let mut initial = Vec::new();
        let begins = Space::initial(machine, &mut initial).is_ok();
        let now = begins.then(|| machine.decode(&initial));
        let constants = machine.constants();
        // The variable holds the same channel in all states.
        let known = |id: ProcessId, channel: &Access| {
            let is_plain = channel.index.is_none() && channel.path.is_empty();
            let is_kept =
                matches!(channel.root, Root::Global(_)) && constants.contains(id, channel.root);
            let now = now.as_ref().filter(|_| is_plain && is_kept)?;
            machine.channel_held(channel, now, 0).map(|number| number + 1)
        };
        let types = machine.model().processes.len();
        let mut found =
            ReceivingLocations { by_channel: Vec::new(), others: vec![Vec::new(); types] };
        for process in 0..types {
            let id = ProcessId(process as u32);
            let automaton = machine.automaton(id);
            for edge in &automaton.edges {
                for channel in receives(automaton, edge) {
                    let places = found.places(known(id, channel));
                    places[process].resize(automaton.marks.len(), false);
                    places[process][edge.from.0 as usize] = true;
                }
            }
        }
        found.join_others();
        found
    }

    fn places(&mut self, channel: Option<usize>) -> &mut LocationTable {
        let Some(channel) = channel else { return &mut self.others };
        if channel >= self.by_channel.len() {
            self.by_channel.resize(channel + 1, vec![Vec::new(); self.others.len()]);
        }
        &mut self.by_channel[channel]
    }

    /// A receive with an unknown channel may receive from each channel.
    fn join_others(&mut self) {
        for places in &mut self.by_channel {
            for (places, others) in places.iter_mut().zip(&self.others) {
                places.resize(places.len().max(others.len()), false);
                places.iter_mut().zip(others).for_each(|(place, other)| *place |= other);
            }
        }
    }

    /// The locations where a message over this channel, from 1, can be received.
    #[inline]
    pub(crate) fn of(&self, channel: u32) -> &LocationTable {
        self.by_channel.get(channel as usize).unwrap_or(&self.others)
    }
}

/// The channels from which an edge can receive an offered message.
pub(crate) fn receives<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a Access> {
    let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
    let is_d_step = matches!(edge.steps[0].action, EdgeAction::DStep);
    let first = inside
        .filter(|_| is_d_step)
        .into_iter()
        .flat_map(|inside| inside.edges.iter().filter(|first| first.from == inside.entry));
    std::iter::once(edge).chain(first).filter_map(|edge| match &edge.steps[0].action {
        EdgeAction::Receive { channel, peek: false, .. } => Some(channel),
        _ => None,
    })
}
