//! Building a network process by process, with named actions.

use std::collections::HashMap;

use crate::network::{ActionId, LocalTransition, Network, NetworkProcess, SharedAction, TAU};

/// A network under construction.
#[derive(Debug, Default)]
pub struct NetworkBuilder {
    processes: Vec<NetworkProcess>,
    names: Vec<String>,
    /// Participants of each action, ascending.
    users: Vec<Vec<usize>>,
    numbers: HashMap<String, ActionId>,
}

impl NetworkBuilder {
    /// Starts a process; the following calls describe it. It has no initial and no error states
    /// yet.
    pub fn process(&mut self, name: &str, states: u32) -> &mut NetworkBuilder {
        let (error, initial, transitions) = (vec![false; states as usize], Vec::new(), Vec::new());
        let name = name.to_owned();
        self.processes.push(NetworkProcess { name, states, initial, error, transitions });
        self
    }

    /// Adds an initial state.
    pub fn initial(&mut self, state: u32) -> &mut NetworkBuilder {
        let initial = &mut self.last().initial;
        if !initial.contains(&state) {
            initial.push(state);
        }
        self
    }

    /// Adds an error state.
    pub fn error(&mut self, state: u32) -> &mut NetworkBuilder {
        self.last().error[state as usize] = true;
        self
    }

    /// Makes all states error states.
    pub fn all_errors(&mut self) -> &mut NetworkBuilder {
        self.last().error.fill(true);
        self
    }

    /// Adds a transition; `tau` is internal.
    pub fn transition(&mut self, from: u32, action: &str, to: u32) -> &mut NetworkBuilder {
        let action = (action != TAU).then(|| self.action(action));
        let transition = LocalTransition { from, action, to };
        let transitions = &mut self.last().transitions;
        transitions.push(transition);
        self
    }

    /// The action of a name, with the current process as a participant.
    fn action(&mut self, name: &str) -> ActionId {
        let process = self.processes.len() - 1;
        let next = ActionId(self.names.len() as u32);
        let id = *self.numbers.entry(name.to_owned()).or_insert(next);
        if id == next {
            self.names.push(name.to_owned());
            self.users.push(Vec::new());
        }
        let users = &mut self.users[id.0 as usize];
        if users.last() != Some(&process) {
            users.push(process);
        }
        id
    }

    fn last(&mut self) -> &mut NetworkProcess {
        self.processes.last_mut().expect("a process begins before it is described")
    }

    /// The actions with their participants.
    pub(crate) fn users(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.names.iter().map(String::as_str).zip(self.users.iter().map(Vec::as_slice))
    }

    /// The number of processes.
    pub(crate) fn len(&self) -> usize {
        self.processes.len()
    }

    /// The network.
    ///
    /// # Panics
    ///
    /// When a process has no initial state, or an action does not have two participants.
    pub fn finish(self) -> Network {
        for process in &self.processes {
            assert!(!process.initial.is_empty(), "{} cannot begin", process.name);
        }
        let action = |(name, users): (String, Vec<usize>)| {
            let processes = users.try_into();
            let processes =
                processes.unwrap_or_else(|_| panic!("{name} is not shared by two processes"));
            SharedAction { name, processes }
        };
        let actions = self.names.into_iter().zip(self.users).map(action).collect();
        Network::new(self.processes, actions)
    }
}
