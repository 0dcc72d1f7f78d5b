//! What has to happen before a process is stuck: it goes to a dangerous location, and
//! the queues that it uses there run empty, or full.
//!
//! Source: [ELL00] §3.5, and rule R9 of the published tables for the details: a queue
//! counts once for each transition that uses it, messages are not looked at.

use beeline_engine::automata::{Action, Location};
use beeline_engine::interpreter::{Machine, Now};
use beeline_promela::hir::{Access, ProcessId};

use crate::blocking::{blocking_locations, counts, first_actions};
use crate::distances::nearest;
use crate::per_process::{FAR, Part};
use crate::reads::Reads;

/// What is counted on the way to being stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Steps of the process to a dangerous location.
    Distance,
    /// Messages too many or too few in the queues that are used at a dangerous location.
    Queues,
    /// The sum of both.
    Both,
}

/// A queue that blocks a process when it is empty, or full.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub(crate) channel: Access,
    pub(crate) sends: bool,
}

/// A dangerous location.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) needs: Vec<Need>,
}

/// The dangerous locations of a type of process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Whether its processes count.
    pub(crate) counts: bool,
    pub(crate) all: Vec<Place>,
    /// By location: dangerous ones that can be reached, nearest first.
    pub(crate) nearest: Vec<Vec<(u32, u32)>>,
    reads: Reads,
}

impl Places {
    pub(crate) fn new(machine: &Machine<'_>, process: ProcessId) -> Places {
        let automaton = machine.automaton(process);
        if !counts(machine, process) {
            return Places::default();
        }
        let is_place = |at: &Location| {
            // A location that nothing leaves and nothing leads to is no place at all.
            let leaves = !automaton.edges_from(*at).is_empty();
            leaves || automaton.edges.iter().any(|edge| edge.to == *at)
        };
        let mut locations = blocking_locations(machine, process);
        locations.retain(is_place);
        let mut places =
            Places { counts: true, nearest: nearest(automaton, &locations), ..Places::default() };
        for at in locations {
            let edges = automaton.edges_from(at).iter();
            let actions = edges.flat_map(|edge| first_actions(automaton, edge));
            let needs: Vec<Need> = actions.filter_map(need).collect();
            let channels = needs.iter().map(|need| &need.channel);
            channels.for_each(|channel| places.reads.add_channel(channel));
            places.all.push(Place { needs });
        }
        places
    }

    /// For every type of process.
    pub(crate) fn all(machine: &Machine<'_>) -> Vec<Places> {
        let types = (0..machine.model().processes.len() as u32).map(ProcessId);
        types.map(|process| Places::new(machine, process)).collect()
    }
}

/// The queue by which an action is blocked.
fn need(action: &Action) -> Option<Need> {
    match action {
        Action::Send { channel, .. } => Some(Need { channel: channel.clone(), sends: true }),
        Action::Receive { channel, .. } => Some(Need { channel: channel.clone(), sends: false }),
        _ => None,
    }
}

/// How many messages must go or come before a process is blocked at a place.
pub(crate) fn missing(machine: &Machine<'_>, now: &Now, pid: usize, place: &Place) -> u64 {
    let missing = |need: &Need| {
        let Some(channel) = machine.channel_held(&need.channel, now, pid) else { return 0 };
        let length = now.channel_length(channel);
        if need.sends { machine.capacity(now, channel) - length } else { length }
    };
    place.needs.iter().map(|need| missing(need) as u64).sum()
}

/// What a process adds to h3, h4 or h5.
#[derive(Clone)]
pub(crate) struct Danger {
    measure: Measure,
    /// By type.
    places: Vec<Places>,
    nothing: Reads,
}

impl Danger {
    pub(crate) fn new(machine: &Machine<'_>, measure: Measure) -> Self {
        Danger { measure, places: Places::all(machine), nothing: Reads::default() }
    }
}

impl Part for Danger {
    fn part(&mut self, machine: &Machine<'_>, now: &Now, pid: usize) -> u64 {
        let places = &self.places[now.process(pid).index()];
        if !places.counts {
            return 0;
        }
        let nearest = &places.nearest[now.location(pid).0 as usize];
        match self.measure {
            Measure::Distance => nearest.first().map_or(FAR, |&(distance, _)| u64::from(distance)),
            Measure::Queues => {
                let all = places.all.iter().map(|place| missing(machine, now, pid, place));
                all.min().unwrap_or(FAR)
            }
            Measure::Both => {
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

    fn reads(&self, process: usize, _: usize) -> &Reads {
        match self.measure {
            Measure::Distance => &self.nothing,
            Measure::Queues | Measure::Both => &self.places[process].reads,
        }
    }
}
