//! The state space of a network: the parallel composition of its processes.
//!
//! Source: [DFP06] §2.1. A step is a `tau` transition of one process, or a shared action of two
//! processes. Both cost 1.
//!
//! A state space has one initial state, but a network may have many. Processes with several initial
//! states therefore choose one first, in order, by transitions of cost 0.
//!
//! An error state violates invariant 0.

use beeline_kernel::{Expander, Expansion, Fault, Space, StepLabel};

use crate::layout::NetworkLayout;
use crate::network::{ActionId, Network, NetworkProcess};

/// A transition of one process, or the first part of a shared action. The second participant has no
/// entry of its own.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The number of the transition.
    transition: u32,
    to: u32,
    /// The second participant, and the index of its transitions.
    partner: Option<(u32, u32)>,
}

/// The state space of a network.
#[derive(Clone, Debug)]
pub struct Composition<'n> {
    network: &'n Network,
    layout: NetworkLayout,
    /// By process: number of its first state among all states.
    first: Vec<u32>,
    /// By process state: index of its first entry.
    starts: Vec<u32>,
    moves: Vec<Move>,
    /// By action and state of the second participant: index of its first transition.
    answer_starts: Vec<u32>,
    answers: Vec<u32>,
    /// The processes with non-error states.
    watched: Vec<u32>,
    error: Vec<bool>,
}

impl<'n> Composition<'n> {
    /// Builds the state space of a network.
    pub fn new(network: &'n Network) -> Composition<'n> {
        let processes = network.processes();
        let (mut answer_starts, mut answers, mut bases) = (vec![0], Vec::new(), Vec::new());
        for (number, action) in network.actions().iter().enumerate() {
            let second = &processes[action.processes[1]];
            bases.push(answer_starts.len() as u32 - 1);
            let is_own = |action: Option<ActionId>| action == Some(ActionId(number as u32));
            let mut own: Vec<(u32, u32)> = second
                .transitions
                .iter()
                .filter(|one| is_own(one.action))
                .map(|one| (one.from, one.to))
                .collect();
            own.sort_by_key(|&(from, _)| from);
            let mut rest = &own[..];
            for state in 0..second.states {
                let (here, others) = rest.split_at(rest.partition_point(|one| one.0 == state));
                answers.extend(here.iter().map(|one| one.1));
                answer_starts.push(answers.len() as u32);
                rest = others;
            }
        }
        let mut composition = Composition {
            network,
            layout: NetworkLayout::new(network),
            first: Vec::new(),
            starts: vec![0],
            moves: Vec::new(),
            answer_starts,
            answers,
            watched: Vec::new(),
            error: Vec::new(),
        };
        let mut transition = 0;
        for (number, process) in processes.iter().enumerate() {
            composition.add_process(number, process, &mut transition, &bases);
        }
        composition
    }

    fn add_process(
        &mut self,
        number: usize,
        process: &NetworkProcess,
        transition: &mut u32,
        bases: &[u32],
    ) {
        self.first.push(self.error.len() as u32);
        self.error.extend_from_slice(&process.error);
        if !process.is_indifferent() {
            self.watched.push(number as u32);
        }
        let mut by_state: Vec<Vec<Move>> = vec![Vec::new(); process.states as usize];
        for one in &process.transitions {
            let partner = one.action.map(|action| {
                let [first, second] = self.network.actions()[action.0 as usize].processes;
                (first, second, bases[action.0 as usize])
            });
            let partner = match partner {
                Some((first, _, _)) if first != number => None,
                Some((_, second, base)) => Some(Some((second as u32, base))),
                None => Some(None),
            };
            if let Some(partner) = partner {
                let own = Move { transition: *transition, to: one.to, partner };
                by_state[one.from as usize].push(own);
            }
            *transition += 1;
        }
        for moves in by_state {
            self.moves.extend(moves);
            self.starts.push(self.moves.len() as u32);
        }
    }

    /// The layout of states.
    pub fn layout(&self) -> &NetworkLayout {
        &self.layout
    }

    /// Whether every process is in an error state.
    #[inline]
    pub fn is_error(&self, state: &[u8]) -> bool {
        self.watched.iter().all(|&process| {
            let local = self.layout.local(state, process as usize);
            local < self.network.processes()[process as usize].states
                && self.error[(self.first[process as usize] + local) as usize]
        }) && self.layout.chooser(state).is_none()
    }

    /// Adds the successors of a state.
    fn add(&self, state: &[u8], expansion: &mut Expansion) {
        if let Some(chooser) = self.layout.chooser(state) {
            for &local in &self.network.processes()[chooser].initial {
                expansion.push_labelled(
                    0,
                    StepLabel { edge: u32::MAX, process: chooser as u32 },
                    state,
                );
                let at = expansion.len() - 1;
                self.layout.set(expansion.successors.state_mut(at), chooser, local);
            }
            return;
        }
        if self.is_error(state) {
            expansion.violated_invariants.push(0);
        }
        for process in 0..self.first.len() {
            let place = (self.first[process] + self.layout.local(state, process)) as usize;
            let moves = &self.moves[self.starts[place] as usize..self.starts[place + 1] as usize];
            for one in moves {
                let label = StepLabel { edge: one.transition, process: process as u32 };
                let Some((partner, base)) = one.partner else {
                    expansion.push_labelled(1, label, state);
                    let at = expansion.len() - 1;
                    self.layout.set(expansion.successors.state_mut(at), process, one.to);
                    continue;
                };
                let place = (base + self.layout.local(state, partner as usize)) as usize;
                let range = self.answer_starts[place]..self.answer_starts[place + 1];
                for &answer in &self.answers[range.start as usize..range.end as usize] {
                    expansion.push_labelled(1, label, state);
                    let at = expansion.len() - 1;
                    let next = expansion.successors.state_mut(at);
                    self.layout.set(next, process, one.to);
                    self.layout.set(next, partner as usize, answer);
                }
            }
        }
    }
}

impl Space for Composition<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.layout.initial(self.network, state);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.add(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(Direct(self))
    }
}

/// Writes successors in place, without a copy.
struct Direct<'a>(&'a Composition<'a>);

impl Expander for Direct<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.0.add(state, expansion);
    }
}
