//! Whether a claim is violated by a run that someone tells: all that it could do is
//! followed along the states of the run, with no regard to how the run was found.
//!
//! The run is a lasso of states, or states with an end; behind its end, the system may do
//! whatever it likes, so there the claim must have come to its own.

use super::{Claim, Literal};
use crate::interpreter::{Machine, Now};

impl Claim {
    /// Whether it can come to its end along these states of a machine.
    pub fn ends_along(&self, machine: &Machine<'_>, states: &[Vec<u8>]) -> bool {
        let mut here = vec![false; self.places.len()];
        here[self.start as usize] = true;
        for state in states {
            let letter = Letter::new(machine, self, state);
            let mut next = vec![false; self.places.len()];
            for place in (0..here.len()).filter(|&place| here[place]) {
                for &(to, violated) in &letter.moves[place] {
                    if violated {
                        return true;
                    }
                    next[to] = true;
                }
            }
            here = next;
        }
        false
    }

    /// Whether it can come to its end along a lasso of states of a machine, or pass an
    /// accepting place again and again. A cycle without states is no lasso.
    pub fn accepts(&self, machine: &Machine<'_>, stem: &[Vec<u8>], cycle: &[Vec<u8>]) -> bool {
        if cycle.is_empty() {
            return false;
        }
        let states = stem.iter().chain(cycle);
        let letters = states.map(|state| Letter::new(machine, self, state)).collect();
        let run = Run { letters, loop_at: stem.len(), places: self.places.len() };
        let Some(reached) = run.reached(0, self.start as usize) else { return true };
        let nodes = (0..reached.len()).filter(|&node| reached[node]);
        nodes.into_iter().any(|node| {
            let (at, place) = (node / run.places, node % run.places);
            let accepting = self.places[place].accepting || run.letters[at].labelled;
            accepting && run.reached(at, place).is_none_or(|again| again[node])
        })
    }
}

/// What a claim can do in a state: by place, where to, and whether it is violated then.
struct Letter {
    moves: Vec<Vec<(usize, bool)>>,
    /// A process is at an accept label that counts.
    labelled: bool,
}

impl Letter {
    fn new(machine: &Machine<'_>, claim: &Claim, state: &[u8]) -> Letter {
        let now: Now = machine.open(state);
        let moves = claim.places.iter().map(|place| {
            let moves = place.moves.iter();
            let is_so = |one: &Literal| claim.is_so(*one, machine, &now);
            let taken = moves.filter(|step| step.when.iter().all(is_so));
            taken.map(|step| (step.to as usize, step.violated)).collect()
        });
        let moves = moves.collect();
        Letter { moves, labelled: claim.counts_labels && machine.meets_accept_label(&now) }
    }
}

/// The places of a claim at each state of a lasso: a small graph.
struct Run {
    letters: Vec<Letter>,
    /// Where the cycle begins.
    loop_at: usize,
    places: usize,
}

impl Run {
    /// What lies behind a place at a state, by number of state and place; itself only if it
    /// is behind itself. `None` when the claim comes to its end on the way.
    fn reached(&self, at: usize, place: usize) -> Option<Vec<bool>> {
        let mut reached = vec![false; self.letters.len() * self.places];
        let mut waiting = vec![(at, place)];
        while let Some((at, place)) = waiting.pop() {
            let next = if at + 1 < self.letters.len() { at + 1 } else { self.loop_at };
            for &(to, violated) in &self.letters[at].moves[place] {
                if violated {
                    return None;
                }
                let node = next * self.places + to;
                if !reached[node] {
                    reached[node] = true;
                    waiting.push((next, to));
                }
            }
        }
        Some(reached)
    }
}
