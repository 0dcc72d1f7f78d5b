//! Processes that are mostly independent: each moves between a few locations, and some moves read
//! or write a shared variable. And a reducer that knows which moves commute.

use beeline_kernel::{
    CandidateSets, Expansion, Fault, FaultTransition, Reducer, Space, StepLabel, Transition,
};

use crate::roads::Dice;
use crate::toys::assertion;

/// The access of a move to the shared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// None.
    Alone,
    /// Increments it, modulo [`TOP`] + 1.
    Count,
    /// Waits until it has this value.
    Await(u8),
    /// Fails if it has this value.
    Assert(u8),
}

/// The greatest value of the shared variable.
pub(crate) const TOP: u8 = 2;

/// A move from a location to another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: u8,
    pub(crate) steps: u32,
    pub(crate) act: Act,
}

/// A move that is independent of all others.
pub(crate) const fn alone(to: u8) -> Move {
    Move { to, steps: 1, act: Act::Alone }
}

/// The processes: for each its locations, for each location its moves. A state is the location of
/// each process, initially 0, followed by the shared variable, initially 0.
///
/// Invariant 0 is violated where the variable has its greatest value, invariant 1 where process 0
/// is at its last location. A state is accepting if it violates the first one and process 0 is at
/// its first location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    pub(crate) processes: Vec<Vec<Vec<Move>>>,
}

impl Crowd {
    /// Some processes with up to four locations each.
    pub(crate) fn random(seed: u64, processes: usize) -> Crowd {
        let mut dice = Dice(seed);
        let mut process = || {
            let places = 2 + dice.below(3);
            let mut place = || {
                let is_alone = dice.below(3) > 0;
                let mut one = || {
                    let to = dice.below(places) as u8;
                    let steps = 1 + dice.below(3);
                    let act = match dice.below(8) {
                        _ if is_alone => Act::Alone,
                        0..3 => Act::Count,
                        3..5 => Act::Await(dice.below(3) as u8),
                        5 => Act::Assert(dice.below(3) as u8),
                        _ => Act::Alone,
                    };
                    Move { to, steps, act }
                };
                let first = one();
                let second = one();
                let third = one();
                match second.to % 3 {
                    0 => vec![first],
                    1 => vec![first, second],
                    _ => vec![first, second, third],
                }
            };
            (0..places).map(|_| place()).collect()
        };
        Crowd { processes: (0..processes).map(|_| process()).collect() }
    }

    /// An upper bound on the number of states.
    pub(crate) fn most_states(&self) -> usize {
        self.processes.iter().map(Vec::len).product::<usize>() * (usize::from(TOP) + 1)
    }

    fn moves(&self, process: usize, place: u8) -> &[Move] {
        &self.processes[process][usize::from(place)]
    }
}

impl Space for Crowd {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        state.clear();
        state.resize(self.processes.len() + 1, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        let count = self.processes.len();
        let shared = state[count];
        for process in 0..count {
            for (edge, one) in self.moves(process, state[process]).iter().enumerate() {
                let mut next = state.to_vec();
                next[process] = one.to;
                match one.act {
                    Act::Alone => {}
                    Act::Count => next[count] = if shared == TOP { 0 } else { shared + 1 },
                    Act::Await(value) if value == shared => {}
                    Act::Await(_) => continue,
                    Act::Assert(value) if value != shared => {}
                    Act::Assert(_) => {
                        let fault = assertion(process as u32);
                        expansion.faults.push(FaultTransition { fault, steps: one.steps });
                        continue;
                    }
                }
                let label = StepLabel { edge: edge as u32, process: process as u32 };
                expansion.push_labelled(one.steps, label, &next);
            }
        }
        if shared == TOP {
            expansion.violated_invariants.push(0);
        }
        if usize::from(state[0]) == self.processes[0].len() - 1 {
            expansion.violated_invariants.push(1);
        }
        expansion.accepting = shared == TOP && state[0] == 0;
        expansion.deadlock = expansion.is_empty() && expansion.faults.is_empty();
    }
}

/// The moves that a reducer treats as independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harmless {
    /// Moves without access to the shared variable.
    Alone,
    /// Of those, the ones to a later location, so that they form no cycle.
    Onwards,
}

/// Proposes each process all of whose moves are independent, except for process 0, which the
/// invariants read.
pub(crate) struct Judge<'a> {
    pub(crate) crowd: &'a Crowd,
    pub(crate) harmless: Harmless,
}

impl<'a> Judge<'a> {
    pub(crate) fn boxed(crowd: &'a Crowd, harmless: Harmless) -> Box<dyn Reducer + 'a> {
        Box::new(Judge { crowd, harmless })
    }
}

impl Reducer for Judge<'_> {
    fn propose(&mut self, state: &[u8], ways: &[Transition], choices: &mut CandidateSets) {
        choices.clear();
        let places = &state[..self.crowd.processes.len()];
        for (process, &place) in places.iter().enumerate().skip(1) {
            let is_harmless = |one: &Move| {
                one.act == Act::Alone && (self.harmless == Harmless::Alone || one.to > place)
            };
            if self.crowd.moves(process, place).iter().all(is_harmless) {
                let numbers = 0..ways.len() as u32;
                let own = |at: &u32| ways[*at as usize].label.process == process as u32;
                choices.push(numbers.filter(own));
            }
        }
    }
}
