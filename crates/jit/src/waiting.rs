//! Who may take an offered message. Most processes wait for something else, which is seen
//! from where they are and from the channels that they would read.

use beeline_engine::automata::{Action, Automaton, Edge};
use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_kernel::Space;
use beeline_promela::hir::{Access, GlobalId, ProcessId, RecvArg, Root};

/// What a process waits for at a location.
#[derive(Clone, Debug)]
pub(crate) enum Wait {
    /// For one of the channels in these global variables; mostly for none.
    Channels(Vec<(usize, Scalar)>),
    /// For a channel that is not so easily found.
    Other,
}

impl Wait {
    /// Whether a message that is offered over this channel may be taken in this state.
    #[inline]
    pub(crate) fn may_take(&self, state: &[u8], channel: u32) -> bool {
        match self {
            Wait::Channels(variables) => {
                variables.iter().any(|&(at, stored)| stored.read(state, at) as u32 == channel)
            }
            Wait::Other => true,
        }
    }

    fn add(&mut self, machine: &Machine<'_>, channel: &Access) {
        match (self, plain_global(channel)) {
            (Wait::Other, _) => {}
            (Wait::Channels(variables), Some(id)) => variables.push(place(machine, id)),
            (wait, None) => *wait = Wait::Other,
        }
    }
}

/// Which types of processes may take a message, by channel: one bit for each of the first
/// ones; those behind may take any.
#[derive(Clone, Debug)]
pub(crate) struct Takers {
    by_channel: Vec<u64>,
    /// Those who read channels that are not so easily found.
    others: u64,
}

/// The bit of a process type.
#[inline]
fn bit(process: usize) -> u64 {
    if process < u64::BITS as usize { 1 << process } else { 0 }
}

impl Takers {
    /// Looks at all receives of a model.
    pub(crate) fn new(machine: &Machine<'_>) -> Takers {
        let mut initial = Vec::new();
        let begins = Space::initial(machine, &mut initial).is_ok();
        let count = machine.model().processes.len() as u32;
        let automata = || (0..count).map(|id| machine.automaton(ProcessId(id)));
        let assigned: Vec<GlobalId> = automata().flat_map(assigned_globals).collect();
        let mut takers = Takers { by_channel: Vec::new(), others: 0 };
        for (process, automaton) in automata().enumerate() {
            let channels = automaton.edges.iter().flat_map(|edge| receives(automaton, edge));
            for channel in channels {
                match plain_global(channel) {
                    // It holds the same channel in all states.
                    Some(id) if begins && !assigned.contains(&id) => {
                        let (at, stored) = place(machine, id);
                        takers.add(stored.read(&initial, at) as usize, process);
                    }
                    _ => takers.others |= bit(process),
                }
            }
        }
        takers
    }

    fn add(&mut self, channel: usize, process: usize) {
        if channel >= self.by_channel.len() {
            self.by_channel.resize(channel + 1, 0);
        }
        self.by_channel[channel] |= bit(process);
    }

    /// Those who may take a message that is offered over a channel.
    #[inline]
    pub(crate) fn of(&self, channel: u32) -> u64 {
        self.others | self.by_channel.get(channel as usize).copied().unwrap_or(0)
    }

    /// Whether a type of processes is among them.
    #[inline]
    pub(crate) fn contain(takers: u64, process: usize) -> bool {
        process >= u64::BITS as usize || takers & bit(process) != 0
    }
}

/// The global variable that is meant, if it is one that is neither array nor structure.
fn plain_global(access: &Access) -> Option<GlobalId> {
    match access.root {
        Root::Global(id) if access.index.is_none() && access.path.is_empty() => Some(id),
        _ => None,
    }
}

fn place(machine: &Machine<'_>, id: GlobalId) -> (usize, Scalar) {
    let (layout, variable) = (machine.layout(), &machine.model().globals[id.index()]);
    (layout.globals[id.index()], layout.element(variable.ty, variable.length))
}

/// The global variables that a process may change.
fn assigned_globals(automaton: &Automaton) -> impl Iterator<Item = GlobalId> {
    let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
    let steps = automaton.edges.iter().chain(inside).flat_map(|edge| &edge.steps);
    let targets = steps.flat_map(|step| match &step.action {
        Action::Assign { target, .. } => vec![target],
        Action::Receive { args, .. } => {
            let stored = args.iter().filter_map(|arg| match arg {
                RecvArg::Store(target) => Some(target),
                _ => None,
            });
            stored.collect()
        }
        _ => Vec::new(),
    });
    targets.filter_map(|target| match target.root {
        Root::Global(id) => Some(id),
        _ => None,
    })
}

/// By location: what a process of this type waits for.
pub(crate) fn waits(machine: &Machine<'_>, process: ProcessId) -> Vec<Wait> {
    let automaton = machine.automaton(process);
    let mut waits = vec![Wait::Channels(Vec::new()); automaton.marks.len()];
    for edge in &automaton.edges {
        for channel in receives(automaton, edge) {
            waits[edge.from.0 as usize].add(machine, channel);
        }
    }
    waits
}

/// The channels of which an edge can take an offered message.
pub(crate) fn receives<'a>(
    automaton: &'a Automaton,
    edge: &'a Edge,
) -> impl Iterator<Item = &'a Access> {
    let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
    let is_d_step = matches!(edge.steps[0].action, Action::DStep);
    let first = inside
        .filter(|_| is_d_step)
        .into_iter()
        .flat_map(|inside| inside.edges.iter().filter(|first| first.from == inside.entry));
    std::iter::once(edge).chain(first).filter_map(|edge| match &edge.steps[0].action {
        Action::Receive { channel, .. } => Some(channel),
        _ => None,
    })
}
