//! The edges of each location by event, for synchronisation vectors.

use crate::network::{Sync, TimedNetwork};

use super::synchronisation::{Part, parts};

/// The edges with events.
#[derive(Clone, Debug)]
pub(super) struct EventEdges {
    /// By process and location: events with edges, in ascending order.
    edges: Vec<Vec<Vec<(u32, Part)>>>,
    /// By process: the events that are in some vector, in ascending order.
    in_vectors: Vec<Vec<u32>>,
}

impl EventEdges {
    /// The edges of a network.
    pub(super) fn new(net: &TimedNetwork) -> EventEdges {
        let mut in_vectors = vec![Vec::new(); net.processes.len()];
        for &(process, event, _) in net.vectors.iter().flatten() {
            in_vectors[process as usize].push(event);
        }
        in_vectors.iter_mut().for_each(|events| {
            events.sort_unstable();
            events.dedup();
        });
        if net.vectors.is_empty() {
            return EventEdges { edges: Vec::new(), in_vectors };
        }
        let of_location = |process: usize, location: usize| {
            let all = parts(net, process as u32, location as u32);
            let mut found: Vec<(u32, Part)> = all
                .filter_map(|part| match net.processes[process].edges[part.edge as usize].sync {
                    Sync::Event(event) => Some((event, part)),
                    _ => None,
                })
                .collect();
            found.sort_by_key(|&(event, _)| event);
            found
        };
        let of_process = |process: usize| {
            let locations = 0..net.processes[process].locations.len();
            locations.map(|location| of_location(process, location)).collect()
        };
        EventEdges { edges: (0..net.processes.len()).map(of_process).collect(), in_vectors }
    }

    /// The edges of a location with an event, each with the event.
    pub(super) fn parts(&self, process: u32, location: u32, event: u32) -> &[(u32, Part)] {
        let all = &self.edges[process as usize][location as usize];
        let start = all.partition_point(|&(other, _)| other < event);
        let length = all[start..].partition_point(|&(other, _)| other == event);
        &all[start..start + length]
    }

    /// Whether an event of a process is in some vector.
    pub(super) fn is_in_vector(&self, process: u32, event: u32) -> bool {
        self.in_vectors[process as usize].binary_search(&event).is_ok()
    }
}
