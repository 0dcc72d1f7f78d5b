//! Classification of Büchi automata, so that a checker can choose the cheapest search.
//!
//! In a terminal automaton every accepting cycle lies in states that accept every word, so a word
//! is accepted as soon as such a state is reached. In a weak automaton, all cycles of a component
//! are accepting, or none is. Otherwise accepting cycles have to be searched for.
//!
//! Source: \[BRS99\] for terminal and weak automata.

use crate::bits::Bits;
use crate::buchi::{Buchi, Guard};
use crate::cube::Cube;
use crate::scc::components;

/// Which cycles of a component are accepting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleAcceptance {
    /// None, or there is no cycle.
    Never,
    /// Some, but not all.
    Sometimes,
    /// All, and there is one.
    Always,
}

/// The strength of an automaton: what has to be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A state that accepts everything: reachability is enough.
    Terminal,
    /// Any cycle in an accepting component.
    Weak,
    /// A cycle through an accepting state.
    General,
}

/// The classification of an automaton.
#[derive(Clone, Debug)]
pub struct AutomatonClasses {
    component: Vec<u32>,
    cycles: Vec<CycleAcceptance>,
    everything: Vec<bool>,
    reachable: Vec<bool>,
    deterministic: bool,
}

impl AutomatonClasses {
    /// Classifies an automaton.
    #[must_use]
    pub fn of(automaton: &Buchi) -> Self {
        let count = automaton.states.len();
        let targets =
            |state: usize| automaton.states[state].edges.iter().map(|edge| edge.to as usize);
        let component = components(count, targets);
        let component_of = &component;
        let inner = |state: usize| {
            let own = component_of[state];
            targets(state).filter(move |&to| component_of[to] == own)
        };
        // A cycle that avoids accepting states remains when they are removed.
        let accepting = |state: usize| automaton.states[state].accepting;
        let rejecting = components(count, |state| {
            inner(state).filter(move |&to| !accepting(state) && !accepting(to))
        });
        let parts = component.iter().max().map_or(0, |most| most + 1);
        let (mut passes, mut avoids) = (vec![false; parts], vec![false; parts]);
        for state in 0..count {
            let own = component[state];
            passes[own] |= accepting(state) && inner(state).next().is_some();
            avoids[own] |= !accepting(state)
                && inner(state).any(|to| !accepting(to) && rejecting[to] == rejecting[state]);
        }
        let cycles = component.iter().map(|&own| match (passes[own], avoids[own]) {
            (false, _) => CycleAcceptance::Never,
            (true, true) => CycleAcceptance::Sometimes,
            (true, false) => CycleAcceptance::Always,
        });
        Self {
            cycles: cycles.collect(),
            everything: everything(automaton),
            reachable: reachable(automaton),
            deterministic: is_deterministic(automaton),
            component: component
                .into_iter()
                .map(|own| u32::try_from(own).expect("no more components than states"))
                .collect(),
        }
    }

    /// The strongly connected component of a state. Edges lead to the same or a smaller number.
    #[must_use]
    pub fn component(&self, state: u32) -> u32 {
        self.component[state as usize]
    }

    /// Which cycles of a state's component are accepting.
    #[must_use]
    pub fn cycles(&self, state: u32) -> CycleAcceptance {
        self.cycles[state as usize]
    }

    /// Whether every word is accepted from this state; `false` if unknown.
    #[must_use]
    pub fn accepts_everything(&self, state: u32) -> bool {
        self.everything[state as usize]
    }

    /// Whether the automaton is deterministic.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// Whether no word is accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut states = self.reachable.iter().zip(&self.cycles);
        !states.any(|(&reachable, &cycles)| reachable && cycles != CycleAcceptance::Never)
    }

    /// The strength of this automaton.
    #[must_use]
    pub fn shape(&self) -> Strength {
        let matter =
            |state: &usize| self.reachable[*state] && self.cycles[*state] != CycleAcceptance::Never;
        let states: Vec<usize> = (0..self.cycles.len()).filter(matter).collect();
        if states.iter().all(|&state| self.everything[state]) {
            Strength::Terminal
        } else if states.iter().all(|&state| self.cycles[state] == CycleAcceptance::Always) {
            Strength::Weak
        } else {
            Strength::General
        }
    }
}

fn reachable(automaton: &Buchi) -> Vec<bool> {
    let mut seen = vec![false; automaton.states.len()];
    let mut waiting = vec![automaton.start];
    while let Some(state) = waiting.pop() {
        if !std::mem::replace(&mut seen[state as usize], true) {
            waiting.extend(automaton.states[state as usize].edges.iter().map(|edge| edge.to));
        }
    }
    seen
}

fn is_deterministic(automaton: &Buchi) -> bool {
    automaton.states.iter().all(|state| {
        state.edges.iter().enumerate().all(|(at, one)| {
            state.edges[..at].iter().all(|two| one.to == two.to || !one.guard.meets(&two.guard))
        })
    })
}

/// States that accept every word: each letter leads to an accepting state of this set, or to a
/// state with an edge into it.
fn everything(automaton: &Buchi) -> Vec<bool> {
    let covered = |state: usize, among: &[bool]| {
        let edges = automaton.states[state].edges.iter();
        let cubes: Vec<Cube> =
            edges.filter(|edge| among[edge.to as usize]).map(|edge| cube(&edge.guard)).collect();
        Cube::default().is_covered(cubes.iter())
    };
    let mut all: Vec<bool> = automaton.states.iter().map(|state| state.accepting).collect();
    while let Some(state) = (0..all.len()).find(|&state| all[state] && !covered(state, &all)) {
        all[state] = false;
    }
    while let Some(state) = (0..all.len()).find(|&state| !all[state] && covered(state, &all)) {
        all[state] = true;
    }
    all
}

fn cube(guard: &Guard) -> Cube {
    let (mut positive, mut negative) = (Bits::default(), Bits::default());
    for literal in guard.literals() {
        let side = if literal.positive { &mut positive } else { &mut negative };
        side.insert(literal.atom.0 as usize);
    }
    Cube { positive, negative }
}
