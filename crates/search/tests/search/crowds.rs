//! Processes that mostly mind their own business: each goes its own ways between a few places,
//! and some of these read or write what all share. And someone who knows which moves commute.

use beeline_kernel::{
    CandidateSets, Expansion, Fault, FaultTransition, Reducer, Space, StepLabel, Transition,
};

use crate::roads::Dice;
use crate::toys::assertion;

/// What a move has to do with what is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing.
    Alone,
    /// Counts it up, modulo [`TOP`] + 1.
    Count,
    /// Waits until it has this value.
    Await(u8),
    /// Fails where it has this value, and otherwise does nothing with it.
    Assert(u8),
}

/// The greatest value of what is shared.
pub(crate) const TOP: u8 = 2;

/// A move from some place to another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: u8,
    pub(crate) steps: u32,
    pub(crate) act: Act,
}

/// A move that nobody else notices.
pub(crate) const fn alone(to: u8) -> Move {
    Move { to, steps: 1, act: Act::Alone }
}

/// The processes: for each its places, for each of those the moves from there. A state is
/// the place of each process, which all start at 0, and then what is shared, which is 0.
///
/// Invariant 0 is broken where that is at its top, invariant 1 where process 0 is at its last
/// place. A state is accepting where the first of these is, and process 0 is at its first place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    pub(crate) processes: Vec<Vec<Vec<Move>>>,
}

impl Crowd {
    /// Some processes with up to four places each.
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

    /// There are no more states than this.
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

/// Which moves a reducer takes for harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harmless {
    /// Those that nobody else notices.
    Alone,
    /// Of those, the ones that lead to a later place: there is no cycle of them.
    Onwards,
}

/// Proposes each process of which all moves are harmless. Process 0 never is: invariants are
/// about it.
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
