//! Putting a network together, process by process, with actions by name.

use std::collections::HashMap;

use crate::network::{ActionId, LocalTransition, Network, NetworkProcess, SharedAction, TAU};

/// A network that is not complete yet.
#[derive(Debug, Default)]
pub struct NetworkBuilder {
    processes: Vec<NetworkProcess>,
    names: Vec<String>,
    /// The processes of each action, ascending.
    users: Vec<Vec<usize>>,
    numbers: HashMap<String, ActionId>,
}

impl NetworkBuilder {
    /// Begins a process, to which the following calls belong. It has no initial state and no error
    /// state yet.
    pub fn process(&mut self, name: &str, states: u32) -> &mut NetworkBuilder {
        let (error, initial, transitions) = (vec![false; states as usize], Vec::new(), Vec::new());
        let name = name.to_owned();
        self.processes.push(NetworkProcess { name, states, initial, error, transitions });
        self
    }

    /// The process may begin here.
    pub fn initial(&mut self, state: u32) -> &mut NetworkBuilder {
        let initial = &mut self.last().initial;
        if !initial.contains(&state) {
            initial.push(state);
        }
        self
    }

    /// This is an error state of the process.
    pub fn error(&mut self, state: u32) -> &mut NetworkBuilder {
        self.last().error[state as usize] = true;
        self
    }

    /// All of its states are.
    pub fn all_errors(&mut self) -> &mut NetworkBuilder {
        self.last().error.fill(true);
        self
    }

    /// The process can do this; `tau` is what it does alone.
    pub fn transition(&mut self, from: u32, action: &str, to: u32) -> &mut NetworkBuilder {
        let action = (action != TAU).then(|| self.action(action));
        let transition = LocalTransition { from, action, to };
        let transitions = &mut self.last().transitions;
        transitions.push(transition);
        self
    }

    /// The action of this name, used by the process.
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

    /// The processes that use each action, with its name.
    pub(crate) fn users(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.names.iter().map(String::as_str).zip(self.users.iter().map(Vec::as_slice))
    }

    /// How many processes there are.
    pub(crate) fn len(&self) -> usize {
        self.processes.len()
    }

    /// The network.
    ///
    /// # Panics
    ///
    /// When a process cannot begin, or an action does not belong to two processes.
    pub fn finish(self) -> Network {
        for process in &self.processes {
            assert!(!process.initial.is_empty(), "{} cannot begin", process.name);
        }
        let action = |(name, users): (String, Vec<usize>)| {
            let processes = users.try_into();
            let processes = processes.unwrap_or_else(|_| panic!("{name} does not have two users"));
            SharedAction { name, processes }
        };
        let actions = self.names.into_iter().zip(self.users).map(action).collect();
        Network::new(self.processes, actions)
    }
}
