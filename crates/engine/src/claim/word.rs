//! Whether a claim accepts a given run: follows all moves of the claim along the states of the run,
//! independent of the search that found it.
//!
//! The run is a lasso of states, or a finite sequence. After the end of a finite run the system may
//! do anything, so the claim must have reached its own end by then.

use std::collections::{HashMap, VecDeque};

use beeline_kernel::StatePath;

use crate::claim_automaton::Claim;
use crate::interpreter::{DecodedState, Machine};

impl Claim {
    /// The state in which the claim can reach its end along these states of a machine, with the
    /// last claim state.
    pub fn end_along(&self, machine: &Machine<'_>, states: &StatePath) -> Option<DecodedState> {
        let mut follower = ClaimFollower::new(self);
        states.iter().find_map(|state| follower.follow(machine, &machine.decode(&state)))
    }

    /// Whether it can reach its end along a lasso of states of a machine, or pass an
    /// accepting state infinitely often. A cycle without states is no lasso.
    pub fn accepts(&self, machine: &Machine<'_>, stem: &StatePath, cycle: &StatePath) -> bool {
        let Some(run) = Run::new(self, machine, stem, cycle) else { return false };
        run.reached(0, self.start as usize).is_none() || run.recurrent(self).is_some()
    }

    /// An accepting run of the claim over a lasso of states of a machine: positions of a stem and
    /// of a cycle, which pass the states of the lasso in order, perhaps several times. `None` if
    /// there is none, or if the claim can reach its end.
    pub fn run_along(
        &self,
        machine: &Machine<'_>,
        stem: &StatePath,
        cycle: &StatePath,
    ) -> Option<(Vec<RunPosition>, Vec<RunPosition>)> {
        let run = Run::new(self, machine, stem, cycle)?;
        run.reached(0, self.start as usize)?;
        let (at, place) = run.recurrent(self)?;
        let start = (0, self.start as usize);
        let first = if start == (at, place) { Vec::new() } else { run.way(start, (at, place))? };
        Some((first, run.way((at, place), (at, place))?))
    }
}

/// A claim that follows the states of a run, one at a time.
#[derive(Clone, Debug)]
pub struct ClaimFollower<'c> {
    claim: &'c Claim,
    /// By claim state: whether the claim can be there.
    here: Vec<bool>,
}

impl<'c> ClaimFollower<'c> {
    /// A claim that has seen no state.
    pub fn new(claim: &'c Claim) -> ClaimFollower<'c> {
        let mut here = vec![false; claim.states.len()];
        here[claim.start as usize] = true;
        ClaimFollower { claim, here }
    }

    /// Shows the claim the next state of the run. If the claim can reach its end there: that
    /// state, with the last claim state.
    pub fn follow(&mut self, machine: &Machine<'_>, now: &DecodedState) -> Option<DecodedState> {
        let mut next = vec![false; self.here.len()];
        for place in (0..self.here.len()).filter(|&place| self.here[place]) {
            for step in self.claim.possible_moves(place, machine, now) {
                if step.violated {
                    let mut end = now.clone();
                    end.set_claim(place as u32);
                    return Some(end);
                }
                next[step.to as usize] = true;
            }
        }
        self.here = next;
        None
    }
}

/// A state of a lasso, by number, and the claim state there.
pub type RunPosition = (usize, usize);

/// The moves of a claim in a state: by claim state, the target, and whether it is a violation.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Letter {
    moves: Vec<Vec<(usize, bool)>>,
    /// Whether a process is at an accept label that counts.
    labelled: bool,
}

impl Letter {
    fn new(machine: &Machine<'_>, claim: &Claim, state: &[u8]) -> Letter {
        let now: DecodedState = machine.decode(state);
        let moves = (0..claim.states.len()).map(|place| {
            let possible = claim.possible_moves(place, machine, &now);
            possible.map(|step| (step.to as usize, step.violated)).collect()
        });
        let moves = moves.collect();
        Letter { moves, labelled: claim.counts_labels && machine.meets_accept_label(&now) }
    }
}

/// The claim states after one round of the cycle.
#[derive(Default)]
struct CycleTraversal {
    /// By claim state: whether it is reached without and with passing an accepting state.
    ends: Vec<[bool; 2]>,
}

impl CycleTraversal {
    fn leads_to(&self, place: usize, accepting: bool) -> bool {
        self.ends.get(place).is_some_and(|[plain, passed]| *passed || *plain && !accepting)
    }
}

/// The claim states at each state of a lasso: a small graph. A long lasso has few different letters,
/// so each of these is kept once.
struct Run {
    letters: Vec<Letter>,
    /// The number of the letter at each state.
    numbers: Vec<u32>,
    /// The number of the first state of the cycle.
    loop_at: usize,
    states: usize,
}

impl Run {
    /// `None` if it is not a lasso.
    fn new(
        claim: &Claim,
        machine: &Machine<'_>,
        stem: &StatePath,
        cycle: &StatePath,
    ) -> Option<Run> {
        let (mut letters, mut numbers, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for state in stem.iter().chain(cycle) {
            let letter = Letter::new(machine, claim, &state);
            let number = known.get(&letter).copied().unwrap_or_else(|| {
                let new = letters.len() as u32;
                known.insert(letter.clone(), new);
                letters.push(letter);
                new
            });
            numbers.push(number);
        }
        let run = Run { letters, numbers, loop_at: stem.len(), states: claim.states.len() };
        (!cycle.is_empty()).then_some(run)
    }

    /// The number of states.
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn letter(&self, at: usize) -> &Letter {
        &self.letters[self.numbers[at] as usize]
    }

    /// The number of a position in arrays of all positions.
    fn node(&self, (at, place): RunPosition) -> usize {
        at * self.states + place
    }

    /// An accepting position that the claim can pass infinitely often.
    fn recurrent(&self, claim: &Claim) -> Option<RunPosition> {
        let mut reached = self.reached(0, claim.start as usize)?;
        if self.loop_at == 0 {
            reached[claim.start as usize] = true;
        }
        let begin = self.loop_at * self.states;
        let starts: Vec<usize> = (0..self.states).filter(|&at| reached[begin + at]).collect();
        // By claim state at the start of a cycle: the claim states at its end, and those reached
        // through an accepting state.
        let rounds: Vec<CycleTraversal> = (0..self.states)
            .map(|at| {
                if starts.contains(&at) { self.round(claim, at) } else { CycleTraversal::default() }
            })
            .collect();
        let behind = |from: usize| {
            let mut behind = vec![false; self.states];
            let mut waiting = vec![from];
            behind[from] = true;
            while let Some(place) = waiting.pop() {
                for next in (0..self.states).filter(|&next| rounds[place].leads_to(next, false)) {
                    if !std::mem::replace(&mut behind[next], true) {
                        waiting.push(next);
                    }
                }
            }
            behind
        };
        starts.iter().find_map(|&from| {
            let ends = (0..self.states).filter(|&to| rounds[from].leads_to(to, true));
            let to = ends.into_iter().find(|&to| behind(to)[from])?;
            self.accepting_between(claim, from, to)
        })
    }

    /// The claim states after a round that begins in a claim state.
    fn round(&self, claim: &Claim, from: usize) -> CycleTraversal {
        let mut here = vec![[false; 2]; self.states];
        here[from][0] = true;
        for at in self.loop_at..self.len() {
            let mut next = vec![[false; 2]; self.states];
            for (place, [plain, passed]) in here.into_iter().enumerate() {
                let accepting = self.accepts_at(claim, (at, place));
                for (_, to) in self.next((at, place)) {
                    next[to][usize::from(accepting)] |= plain;
                    next[to][1] |= passed;
                }
            }
            here = next;
        }
        CycleTraversal { ends: here }
    }

    /// An accepting state between two claim states of one cycle traversal.
    fn accepting_between(&self, claim: &Claim, from: usize, to: usize) -> Option<RunPosition> {
        let length = self.len() - self.loop_at;
        let mut forth = vec![false; (length + 1) * self.states];
        forth[from] = true;
        for at in 0..length {
            for place in 0..self.states {
                if forth[self.node((at, place))] {
                    for (_, next) in self.next((self.loop_at + at, place)) {
                        forth[self.node((at + 1, next))] = true;
                    }
                }
            }
        }
        let mut back = vec![false; self.states];
        back[to] = true;
        for at in (0..length).rev() {
            let stand = |place| (self.loop_at + at, place);
            let leads = |place: &usize| self.next(stand(*place)).any(|(_, next)| back[next]);
            let before: Vec<usize> = (0..self.states).filter(leads).collect();
            let on_way = before.iter().filter(|&&place| forth[self.node((at, place))]);
            let found = on_way.map(|&place| stand(place)).find(|&at| self.accepts_at(claim, at));
            if found.is_some() {
                return found;
            }
            back.fill(false);
            before.iter().for_each(|&place| back[place] = true);
        }
        None
    }

    fn accepts_at(&self, claim: &Claim, (at, place): RunPosition) -> bool {
        claim.states[place].accepting || self.letter(at).labelled
    }

    /// The next positions of the claim.
    fn next(&self, (at, place): RunPosition) -> impl Iterator<Item = RunPosition> {
        let next = if at + 1 < self.len() { at + 1 } else { self.loop_at };
        self.letter(at).moves[place]
            .iter()
            .filter(|(_, violated)| !violated)
            .map(move |&(to, _)| (next, to))
    }

    /// A shortest path from one position to another, which may be the same, without the last
    /// position.
    fn way(&self, from: RunPosition, to: RunPosition) -> Option<Vec<RunPosition>> {
        const UNKNOWN: usize = usize::MAX;
        let mut before = vec![UNKNOWN; self.len() * self.states];
        let mut waiting = VecDeque::from([from]);
        while let Some(here) = waiting.pop_front() {
            for there in self.next(here) {
                let known = &mut before[self.node(there)];
                if *known == UNKNOWN {
                    *known = self.node(here);
                    waiting.push_back(there);
                }
            }
        }
        let mut way = Vec::new();
        let mut node = self.node(to);
        loop {
            node = before[node];
            if node == UNKNOWN {
                return None;
            }
            way.push((node / self.states, node % self.states));
            if node == self.node(from) {
                break;
            }
        }
        way.reverse();
        Some(way)
    }

    /// The positions reachable from a position, by state number and claim state; itself only if it
    /// is on a cycle. `None` if the claim reaches its end.
    fn reached(&self, at: usize, place: usize) -> Option<Vec<bool>> {
        let mut reached = vec![false; self.len() * self.states];
        let mut waiting = vec![(at, place)];
        while let Some((at, place)) = waiting.pop() {
            let next = if at + 1 < self.len() { at + 1 } else { self.loop_at };
            for &(to, violated) in &self.letter(at).moves[place] {
                if violated {
                    return None;
                }
                let node = self.node((next, to));
                if !reached[node] {
                    reached[node] = true;
                    waiting.push((next, to));
                }
            }
        }
        Some(reached)
    }
}
