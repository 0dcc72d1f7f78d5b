//! Joint danger: the sum over groups of processes of the cheapest combination of dangerous
//! locations at which all processes of the group can block together.
//!
//! Source: h6, h7 and h8 of [ELL00] §3.5, which refine h3, h4 and h5. A location that receives from
//! a queue and one that sends to it never block together: a queue with a positive capacity is not
//! both empty and full.
//! The paper leaves the groups open. Here, processes with consecutive numbers form a group, of two
//! unless asked otherwise, without `init`; channels are those that variables hold in the state;
//! message contents are ignored. A group without a compatible combination counts like its single
//! processes, since variables may change.
//! Claims: safe, as the estimate of the single processes is; not admissible, since a message that
//! does not match blocks as well.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{BoxedHeuristic, Claims, Estimate, Heuristic};

use crate::deadlock::danger::{DangerMeasure, DangerousLocations, missing};
use crate::error::BuildError;
use crate::goal::GoalKind;
use crate::incremental::current_state::CurrentState;
use crate::incremental::process_sum::{FAR, estimate};
use crate::request::{HeuristicBuilder, HeuristicRow, Request, argument};
use beeline_kernel::registry::ArgumentRow;

const GROUP: &[ArgumentRow] =
    &[argument("group", "number of processes in a group, 1 to 4 (default: 2)")];

/// The registry row.
pub(crate) const STATES_ROW: HeuristicRow = HeuristicRow {
    name: "joint-dangerous-states",
    aliases: &["h6"],
    arguments: GROUP,
    about: "like dangerous-states, for groups of processes that block together",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| build(of, DangerMeasure::Distance),
    },
};

/// The registry row.
pub(crate) const QUEUES_ROW: HeuristicRow = HeuristicRow {
    name: "joint-dangerous-queues",
    aliases: &["h7"],
    arguments: GROUP,
    about: "like dangerous-queues, for groups of processes that block together",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| build(of, DangerMeasure::Queues),
    },
};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "joint-dangerous",
    aliases: &["h8"],
    arguments: GROUP,
    about: "like dangerous, for groups of processes that block together",
    promises: Some("safe"),
    source: Some("[ELL00] §3.5"),
    build: HeuristicBuilder {
        goals: &[GoalKind::Deadlock],
        build: |of| build(of, DangerMeasure::Both),
    },
};

fn build<'a>(
    of: &Request<'a, '_>,
    measure: DangerMeasure,
) -> Result<BoxedHeuristic<'a>, BuildError> {
    let group = of.arguments.count("group", 1, LARGEST_GROUP)?.unwrap_or(2);
    Ok(Box::new(JointDanger::new(of.machine, measure, group)))
}

/// The largest group: combinations grow exponentially.
pub const LARGEST_GROUP: usize = 4;

/// The sum over groups of the cheapest combination of dangerous locations.
#[derive(Clone)]
pub struct JointDanger<'a> {
    opened: CurrentState<'a>,
    measure: DangerMeasure,
    group: usize,
    places: Vec<DangerousLocations>,
    /// The dangerous locations of each process of the current group.
    options: Vec<Options>,
    chosen: Vec<usize>,
}

/// Dangerous locations of one process, cheapest first: the first `used` entries. The others are
/// reused buffers.
#[derive(Clone, Default)]
struct Options {
    choices: Vec<Choice>,
    used: usize,
}

/// A dangerous location of a process.
#[derive(Clone, Default)]
struct Choice {
    cost: u64,
    receives: Vec<usize>,
    sends: Vec<usize>,
}

impl Choice {
    /// Whether both can block together; also used for one with itself.
    fn fits(&self, other: &Choice) -> bool {
        let meets = |one: &[usize], two: &[usize]| one.iter().any(|channel| two.contains(channel));
        !meets(&self.receives, &other.sends) && !meets(&self.sends, &other.receives)
    }
}

impl<'a> JointDanger<'a> {
    /// Groups of `group` processes, at least one and at most [`LARGEST_GROUP`].
    pub fn new(machine: &'a Machine<'a>, measure: DangerMeasure, group: usize) -> Self {
        let group = group.clamp(1, LARGEST_GROUP);
        JointDanger {
            opened: CurrentState::new(machine),
            measure,
            group,
            places: DangerousLocations::all(machine),
            options: vec![Options::default(); group],
            chosen: Vec::new(),
        }
    }

    /// Finds the dangerous locations of a process, cheapest first.
    fn choose(&mut self, member: usize, pid: usize) {
        let CurrentState { machine, now, .. } = &self.opened;
        let places = &self.places[now.process(pid).index()];
        let options = &mut self.options[member];
        let nearest = &places.nearest[now.location(pid).0 as usize];
        options.used = nearest.len();
        if options.choices.len() < options.used {
            options.choices.resize_with(options.used, Choice::default);
        }
        for (choice, &(distance, number)) in options.choices.iter_mut().zip(nearest) {
            let place = &places.all[number as usize];
            let missing = || missing(machine, now, pid, place);
            choice.cost = match self.measure {
                DangerMeasure::Distance => u64::from(distance),
                DangerMeasure::Queues => missing(),
                DangerMeasure::Both => u64::from(distance) + missing(),
            };
            choice.receives.clear();
            choice.sends.clear();
            for need in &place.needs {
                let channel = held(machine, now, pid, need);
                if need.sends { &mut choice.sends } else { &mut choice.receives }.extend(channel);
            }
        }
        options.choices[..options.used].sort_unstable_by_key(|choice| choice.cost);
    }

    /// The cost of the cheapest compatible combination of the remaining members.
    fn cheapest(&mut self, members: usize, cost: u64, best: u64) -> u64 {
        let member = self.chosen.len();
        if member == members {
            return cost;
        }
        let mut best = best;
        for at in 0..self.options[member].used {
            let choice = &self.options[member].choices[at];
            let total = cost + choice.cost;
            if total >= best {
                break;
            }
            let mut others = self.chosen.iter().zip(&self.options);
            if choice.fits(choice) && others.all(|(&at, options)| choice.fits(&options.choices[at]))
            {
                self.chosen.push(at);
                best = best.min(self.cheapest(members, total, best));
                self.chosen.pop();
            }
        }
        best
    }

    fn group_cost(&mut self, members: usize) -> u64 {
        self.chosen.clear();
        let together = self.cheapest(members, 0, FAR);
        if together < FAR {
            return together;
        }
        let cheapest =
            |options: &Options| options.choices[..options.used].first().map(|one| one.cost);
        let alone = |options: &Options| cheapest(options).unwrap_or(FAR);
        self.options[..members].iter().map(alone).sum()
    }
}

/// The queue of a need; `None` for a rendezvous channel, which may be both empty and full.
fn held(
    machine: &Machine<'_>,
    now: &DecodedState,
    pid: usize,
    need: &crate::deadlock::danger::ChannelNeed,
) -> Option<usize> {
    let channel = machine.channel_held(&need.channel, now, pid)?;
    (machine.capacity(now, channel) > 0).then_some(channel)
}

impl Heuristic for JointDanger<'_> {
    fn name(&self) -> &str {
        match self.measure {
            DangerMeasure::Distance => "joint-dangerous-states",
            DangerMeasure::Queues => "joint-dangerous-queues",
            DangerMeasure::Both => "joint-dangerous",
        }
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.opened.open(state);
        let (mut total, mut members) = (0, 0);
        for pid in 0..self.opened.now.process_count() {
            if !self.places[self.opened.now.process(pid).index()].counts {
                continue;
            }
            self.choose(members, pid);
            members += 1;
            if members == self.group {
                total += self.group_cost(members);
                members = 0;
            }
        }
        if members > 0 {
            total += self.group_cost(members);
        }
        estimate(total)
    }
}
