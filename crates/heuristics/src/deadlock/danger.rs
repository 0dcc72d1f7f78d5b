//! Danger of a process: the steps to a dangerous location, and the messages until the queues used
//! there are empty or full.
//!
//! Source: [ELL00] §3.5, and rule R9 of the published tables for the details: a queue counts once
//! for each edge that uses it; message contents are ignored.

use beeline_engine::automata::{EdgeAction, Location};
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::{Access, ProcessId};

use crate::incremental::dependencies::Dependencies;
use crate::incremental::process_sum::{FAR, ProcessTerm};
use crate::static_facts::automaton_distance::nearest;
use crate::static_facts::blocking::{blocking_locations, counts, first_actions};

/// The terms of danger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DangerMeasure {
    /// Steps of the process to a dangerous location.
    Distance,
    /// Messages to receive or send until the queues of a dangerous location block.
    Queues,
    /// The sum of both.
    Both,
}

/// A queue that blocks a process when it is empty (receive) or full (send).
#[derive(Clone, Debug)]
pub(crate) struct ChannelNeed {
    pub(crate) channel: Access,
    pub(crate) sends: bool,
}

/// A dangerous location.
#[derive(Clone, Debug)]
pub(crate) struct DangerousLocation {
    pub(crate) needs: Vec<ChannelNeed>,
}

/// The dangerous locations of a process type.
#[derive(Clone, Debug, Default)]
pub(crate) struct DangerousLocations {
    /// Whether its processes are counted.
    pub(crate) counts: bool,
    pub(crate) all: Vec<DangerousLocation>,
    /// By location: the reachable dangerous locations, nearest first.
    pub(crate) nearest: Vec<Vec<(u32, u32)>>,
    reads: Dependencies,
}

impl DangerousLocations {
    pub(crate) fn new(machine: &Machine<'_>, process: ProcessId) -> DangerousLocations {
        let automaton = machine.automaton(process);
        if !counts(machine, process) {
            return DangerousLocations::default();
        }
        let is_place = |at: &Location| {
            // An isolated location is not part of the automaton.
            let leaves = !automaton.edges_from(*at).is_empty();
            leaves || automaton.edges.iter().any(|edge| edge.to == *at)
        };
        let mut locations = blocking_locations(machine, process);
        locations.retain(is_place);
        let mut places = DangerousLocations {
            counts: true,
            nearest: nearest(automaton, &locations),
            ..DangerousLocations::default()
        };
        for at in locations {
            let edges = automaton.edges_from(at).iter();
            let actions = edges.flat_map(|edge| first_actions(automaton, edge));
            let needs: Vec<ChannelNeed> = actions.filter_map(need).collect();
            let channels = needs.iter().map(|need| &need.channel);
            channels.for_each(|channel| places.reads.add_channel(channel));
            places.all.push(DangerousLocation { needs });
        }
        places
    }

    /// The dangerous locations of every process type.
    pub(crate) fn all(machine: &Machine<'_>) -> Vec<DangerousLocations> {
        let types = (0..machine.model().processes.len() as u32).map(ProcessId);
        types.map(|process| DangerousLocations::new(machine, process)).collect()
    }
}

/// The queue that can block an action.
fn need(action: &EdgeAction) -> Option<ChannelNeed> {
    match action {
        EdgeAction::Send { channel, .. } => {
            Some(ChannelNeed { channel: channel.clone(), sends: true })
        }
        EdgeAction::Receive { channel, .. } => {
            Some(ChannelNeed { channel: channel.clone(), sends: false })
        }
        _ => None,
    }
}

/// The messages to receive or send until a process blocks at a location.
pub(crate) fn missing(
    machine: &Machine<'_>,
    now: &DecodedState,
    pid: usize,
    place: &DangerousLocation,
) -> u64 {
    let missing = |need: &ChannelNeed| {
        let Some(channel) = machine.channel_held(&need.channel, now, pid) else { return 0 };
        let length = now.channel_length(channel);
        if need.sends { machine.capacity(now, channel) - length } else { length }
    };
    place.needs.iter().map(|need| missing(need) as u64).sum()
}

/// The term of a process in h3, h4 or h5.
#[derive(Clone)]
pub(crate) struct Danger {
    measure: DangerMeasure,
    /// By process type.
    places: Vec<DangerousLocations>,
    nothing: Dependencies,
}

impl Danger {
    pub(crate) fn new(machine: &Machine<'_>, measure: DangerMeasure) -> Self {
        Danger {
            measure,
            places: DangerousLocations::all(machine),
            nothing: Dependencies::default(),
        }
    }
}

impl ProcessTerm for Danger {
    fn part(&mut self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> u64 {
        let places = &self.places[now.process(pid).index()];
        if !places.counts {
            return 0;
        }
        let nearest = &places.nearest[now.location(pid).0 as usize];
        match self.measure {
            DangerMeasure::Distance => {
                nearest.first().map_or(FAR, |&(distance, _)| u64::from(distance))
            }
            DangerMeasure::Queues => {
                let all = places.all.iter().map(|place| missing(machine, now, pid, place));
                all.min().unwrap_or(FAR)
            }
            DangerMeasure::Both => {
                let mut best = FAR;
                for &(distance, place) in nearest {
                    if u64::from(distance) >= best {
                        break;
                    }
                    let missing = missing(machine, now, pid, &places.all[place as usize]);
                    best = best.min(u64::from(distance) + missing);
                }
                best
            }
        }
    }

    fn reads(&self, process: usize, _: usize) -> &Dependencies {
        match self.measure {
            DangerMeasure::Distance => &self.nothing,
            DangerMeasure::Queues | DangerMeasure::Both => &self.places[process].reads,
        }
    }
}
