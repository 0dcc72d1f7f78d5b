//! States of a network as bytes: the number of the state of each process, in order.
//!
//! A process with several initial states begins with none of them. Such a one has a number behind
//! all its states until it has chosen; see [`Composition`](crate::Composition).

use crate::network::Network;

/// Where the state of each process stands.
#[derive(Clone, Debug)]
pub struct NetworkLayout {
    is_wide: bool,
    processes: usize,
    /// The processes with several initial states, and the number that says that they have not
    /// begun.
    choosers: Vec<(usize, u32)>,
}

impl NetworkLayout {
    /// For the states of a network.
    pub fn new(network: &Network) -> NetworkLayout {
        let processes = network.processes();
        let choosers = processes.iter().enumerate().filter(|(_, one)| one.initial.len() > 1);
        NetworkLayout {
            // One number is left over for those that have not begun.
            is_wide: processes.iter().any(|process| process.states > 255),
            processes: processes.len(),
            choosers: choosers.map(|(at, process)| (at, process.states)).collect(),
        }
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// The state of a process.
    #[inline]
    pub fn local(&self, state: &[u8], process: usize) -> u32 {
        if self.is_wide {
            u32::from(u16::from_le_bytes([state[2 * process], state[2 * process + 1]]))
        } else {
            u32::from(state[process])
        }
    }

    /// Puts a process into a state.
    #[inline]
    pub fn set(&self, state: &mut [u8], process: usize, local: u32) {
        if self.is_wide {
            let bytes = (local as u16).to_le_bytes();
            state[2 * process..2 * process + 2].copy_from_slice(&bytes);
        } else {
            state[process] = local as u8;
        }
    }

    /// The first process that has not begun.
    #[inline]
    pub fn chooser(&self, state: &[u8]) -> Option<usize> {
        let waits = |&&(process, none): &&(usize, u32)| self.local(state, process) == none;
        self.choosers.iter().find(waits).map(|&(process, _)| process)
    }

    /// Writes the states of all processes, one number each. `false` where one has not begun.
    #[inline]
    pub fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        if self.is_wide {
            for (process, local) in locals.iter_mut().enumerate() {
                *local = self.local(state, process);
            }
        } else {
            for (local, &byte) in locals.iter_mut().zip(state) {
                *local = u32::from(byte);
            }
        }
        self.chooser(state).is_none()
    }

    /// The state in which a network begins.
    pub fn initial(&self, network: &Network, state: &mut Vec<u8>) {
        state.clear();
        state.resize(self.processes << u32::from(self.is_wide), 0);
        for (at, process) in network.processes().iter().enumerate() {
            let begin = if let [only] = process.initial[..] { only } else { process.states };
            self.set(state, at, begin);
        }
    }
}
