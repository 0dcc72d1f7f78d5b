//! Networks: processes and shared actions.
//!
//! Source: [DFP06] §2.1. Each observable action is shared by exactly two processes, which execute
//! it together; `tau` is internal. In an error state, every process is in one of its error states.

/// Upper bound on the states of a process: two bytes, with one number reserved for undecided
/// processes.
pub const MOST_STATES: u32 = 65_535;

/// The number of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// An action that two processes execute together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedAction {
    /// Its name.
    pub name: String,
    /// The two participants, ascending.
    pub processes: [usize; 2],
}

/// A transition of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTransition {
    /// The source state.
    pub from: u32,
    /// The action; `None` for `tau`.
    pub action: Option<ActionId>,
    /// The target state.
    pub to: u32,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkProcess {
    /// Its name.
    pub name: String,
    /// Number of states, numbered from 0.
    pub states: u32,
    /// Initial states: at least one, without duplicates, in the order written.
    pub initial: Vec<u32>,
    /// Whether each state is an error state.
    pub error: Vec<bool>,
    /// Transitions in the order written.
    pub transitions: Vec<LocalTransition>,
}

impl NetworkProcess {
    /// Whether every state is an error state, so that the error does not depend on this process.
    pub fn is_indifferent(&self) -> bool {
        self.error.iter().all(|&error| error)
    }
}

/// Processes and their actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    processes: Vec<NetworkProcess>,
    actions: Vec<SharedAction>,
}

impl Network {
    /// A network of consistent parts.
    pub(crate) fn new(processes: Vec<NetworkProcess>, actions: Vec<SharedAction>) -> Network {
        Network { processes, actions }
    }

    /// The processes, in the order written; at least one.
    pub fn processes(&self) -> &[NetworkProcess] {
        &self.processes
    }

    /// The actions, in the order of their first use.
    pub fn actions(&self) -> &[SharedAction] {
        &self.actions
    }

    /// The name of an action, or `tau`.
    pub fn action_name(&self, action: Option<ActionId>) -> &str {
        action.map_or(TAU, |action| &self.actions[action.0 as usize].name)
    }
}

/// The internal action.
pub(crate) const TAU: &str = "tau";
