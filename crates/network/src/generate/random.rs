//! Random networks.
//!
//! Source: [DFP06] §6: twice as many actions as processes, 3 to 10 states for each process, and a
//! connected network. The paper does not specify the number of transitions and the error states.
//! Here each state has 2 to 4 transitions, three in ten `tau` and the others with any action of the
//! process, which has each of its actions at least once; each process has one error state, which is
//! not its initial one.
//!
//! An error need not be reachable; that takes a search (`drawn.rs`).

use beeline_kernel::SplitMix64;

use crate::builder::NetworkBuilder;
use crate::network::{Network, TAU};

/// A random network of at least two processes, determined by the seed.
pub fn random(processes: usize, seed: u64) -> Network {
    let mut numbers = Numbers(SplitMix64::new(seed));
    let pairs = loop {
        let pairs = pairs(processes, &mut numbers);
        if is_connected(processes, &pairs) {
            break pairs;
        }
    };
    let mut network = NetworkBuilder::default();
    for process in 0..processes {
        let with = |&action: &usize| pairs[action].0 == process || pairs[action].1 == process;
        let own: Vec<usize> = (0..pairs.len()).filter(with).collect();
        add_process(&mut network, process, &own, &mut numbers);
    }
    network.finish()
}

/// The two processes of each action.
fn pairs(processes: usize, numbers: &mut Numbers) -> Vec<(usize, usize)> {
    let mut pair = || {
        let one = numbers.below(processes);
        let other = numbers.below(processes - 1);
        (one, if other < one { other } else { other + 1 })
    };
    (0..2 * processes).map(|_| pair()).collect()
}

fn is_connected(processes: usize, pairs: &[(usize, usize)]) -> bool {
    let mut reached = vec![false; processes];
    reached[0] = true;
    let mut is_new = true;
    while is_new {
        is_new = false;
        for &(one, other) in pairs {
            is_new |= reached[one] != reached[other];
            let either = reached[one] || reached[other];
            (reached[one], reached[other]) = (either, either);
        }
    }
    reached.into_iter().all(|reached| reached)
}

fn add_process(network: &mut NetworkBuilder, process: usize, own: &[usize], numbers: &mut Numbers) {
    let states = numbers.between(3, 10);
    let mut transitions: Vec<(usize, Option<usize>, usize)> = Vec::new();
    for from in 0..states {
        for _ in 0..numbers.between(2, 4) {
            let is_tau = own.is_empty() || numbers.below(10) < 3;
            let action = (!is_tau).then(|| own[numbers.below(own.len())]);
            transitions.push((from, action, numbers.below(states)));
        }
    }
    for &action in own {
        if transitions.iter().all(|&(_, other, _)| other != Some(action)) {
            transitions.push((numbers.below(states), Some(action), numbers.below(states)));
        }
    }
    transitions.sort_unstable();
    transitions.dedup();
    network.process(&format!("p{process}"), states as u32).initial(0);
    network.error(numbers.between(1, states - 1) as u32);
    for (from, action, to) in transitions {
        let name = action.map_or(TAU.to_owned(), |action| format!("a{action}"));
        network.transition(from as u32, &name, to as u32);
    }
}

/// Random numbers, the same on every machine.
struct Numbers(SplitMix64);

impl Numbers {
    /// A number below `bound`, from 32 bits. This must not change, since networks are identified by
    /// their seeds.
    fn below(&mut self, bound: usize) -> usize {
        (((self.0.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from `least` to `most`.
    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }
}
