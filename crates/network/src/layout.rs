//! Layout of network states: the local state number of each process, in order.
//!
//! A process with several initial states starts undecided, with a number beyond its states; see
//! [`Composition`](crate::Composition).

use crate::network::Network;

/// The layout.
#[derive(Clone, Debug)]
pub struct NetworkLayout {
    is_wide: bool,
    processes: usize,
    /// Processes with several initial states, and the number of their undecided state.
    choosers: Vec<(usize, u32)>,
}

impl NetworkLayout {
    /// The layout of the states of a network.
    pub fn new(network: &Network) -> NetworkLayout {
        let processes = network.processes();
        let choosers = processes.iter().enumerate().filter(|(_, one)| one.initial.len() > 1);
        NetworkLayout {
            // One number is reserved for undecided processes.
            is_wide: processes.iter().any(|process| process.states > 255),
            processes: processes.len(),
            choosers: choosers.map(|(at, process)| (at, process.states)).collect(),
        }
    }

    /// Number of processes.
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

    /// Sets the state of a process.
    #[inline]
    pub fn set(&self, state: &mut [u8], process: usize, local: u32) {
        if self.is_wide {
            let bytes = (local as u16).to_le_bytes();
            state[2 * process..2 * process + 2].copy_from_slice(&bytes);
        } else {
            state[process] = local as u8;
        }
    }

    /// The first undecided process.
    #[inline]
    pub fn chooser(&self, state: &[u8]) -> Option<usize> {
        let waits = |&&(process, none): &&(usize, u32)| self.local(state, process) == none;
        self.choosers.iter().find(waits).map(|&(process, _)| process)
    }

    /// Decodes the local states of all processes. `false` if one is undecided.
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

    /// The initial state.
    pub fn initial(&self, network: &Network, state: &mut Vec<u8>) {
        state.clear();
        state.resize(self.processes << u32::from(self.is_wide), 0);
        for (at, process) in network.processes().iter().enumerate() {
            let begin = if let [only] = process.initial[..] { only } else { process.states };
            self.set(state, at, begin);
        }
    }
}
