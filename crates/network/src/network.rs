//! A network: processes, and the actions that they do together.
//!
//! Source: [DFP06] §2.1. Each observable action is shared by exactly two processes, which do it at
//! the same time; `tau` is what a process does alone. An error occurs when every process is in one
//! of its error states.

/// A process has at most so many states, so that one fits into two bytes, and one more number
/// is left for those that have not begun.
pub const MOST_STATES: u32 = 65_535;

/// The number of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// Something that two processes do together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedAction {
    /// Its name.
    pub name: String,
    /// The two processes, by number, ascending.
    pub processes: [usize; 2],
}

/// One thing that a process can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTransition {
    /// Where it begins.
    pub from: u32,
    /// What is done; `None` is `tau`.
    pub action: Option<ActionId>,
    /// Where it ends.
    pub to: u32,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkProcess {
    /// Its name.
    pub name: String,
    /// How many states it has; they are numbered from 0.
    pub states: u32,
    /// Where it can begin: at least one state, each once, in the order written.
    pub initial: Vec<u32>,
    /// Whether each state is an error state.
    pub error: Vec<bool>,
    /// What it can do, in the order written.
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
    /// Of parts that fit together.
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

/// What a process does alone.
pub(crate) const TAU: &str = "tau";
