//! Generalised Büchi automata with acceptance marks on edges, as the translation uses them.
//!
//! A run is accepted if it meets a mark of every set infinitely often. Acceptance on states is the
//! special case of one set where all edges of a state agree ([`MarkPosition::State`]), so that
//! every reduction is written once.

use crate::bits::Bits;
use crate::cube::Cube;
use crate::expand::{Expander, Overflow};
use crate::pool::{Id, Pool};
use crate::scc::components;
use std::collections::HashMap;

/// An edge with its acceptance marks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MarkedEdge {
    pub(crate) to: usize,
    pub(crate) marks: Bits,
    pub(crate) cube: Cube,
}

/// A generalised Büchi automaton with marks on edges.
#[derive(Clone, Debug)]
pub(crate) struct TransitionBuchi {
    pub(crate) start: usize,
    /// Number of acceptance sets.
    pub(crate) sets: usize,
    pub(crate) arrows: Vec<Vec<MarkedEdge>>,
}

/// The position of acceptance marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MarkPosition {
    /// On edges.
    Edge,
    /// On states: all edges of a state agree.
    State,
}

/// The strongly connected components, and which of them have a cycle and an accepting cycle.
#[derive(Debug)]
pub(crate) struct SccFacts {
    pub(crate) of: Vec<usize>,
    pub(crate) cyclic: Vec<bool>,
    pub(crate) accepting: Vec<bool>,
}

impl TransitionBuchi {
    /// The automaton of a formula: states are sets of obligations; sets with the same terms are one
    /// state.
    pub(crate) fn build(
        pool: &Pool,
        root: Id,
        atoms: &[u32],
        limit: usize,
    ) -> Result<Self, Overflow> {
        let mut expander = Expander::new(pool, atoms, limit);
        let mut by_obligations = HashMap::new();
        let mut by_terms = HashMap::new();
        let mut states = Vec::new();
        let mut total = 0;
        let first = expander.oblige(root);
        let mut waiting = vec![first.clone()];
        while let Some(obligations) = waiting.pop() {
            if by_obligations.contains_key(&obligations) {
                continue;
            }
            let terms = expander.meet(&obligations)?;
            let state = *by_terms.entry(terms.clone()).or_insert_with(|| {
                waiting.extend(terms.iter().rev().map(|term| term.next.clone()));
                total += terms.len();
                states.push(terms);
                states.len() - 1
            });
            by_obligations.insert(obligations, state);
            if total > limit {
                return Err(Overflow);
            }
        }
        let sets = expander.promises();
        let all = Bits::below(sets);
        let arrows = states
            .into_iter()
            .map(|terms| {
                let arrow = |term: crate::expand::Term| MarkedEdge {
                    to: by_obligations[&term.next],
                    marks: all.difference(&term.promises),
                    cube: term.guard,
                };
                terms.into_iter().map(arrow).collect()
            })
            .collect();
        Ok(Self { start: by_obligations[&first], sets, arrows })
    }

    /// Numbers of states and edges.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.arrows.len(), self.arrows.iter().map(Vec::len).sum())
    }

    pub(crate) fn parts(&self) -> SccFacts {
        let of = components(self.arrows.len(), |state| self.arrows[state].iter().map(|a| a.to));
        let count = of.iter().max().map_or(0, |most| most + 1);
        let mut marks = vec![Bits::default(); count];
        let mut cycles = vec![false; count];
        for (state, arrows) in self.arrows.iter().enumerate() {
            for arrow in arrows.iter().filter(|arrow| of[arrow.to] == of[state]) {
                marks[of[state]] = marks[of[state]].union(&arrow.marks);
                cycles[of[state]] = true;
            }
        }
        let all = Bits::below(self.sets);
        let accepting = marks.iter().zip(&cycles).map(|(marks, cycle)| *cycle && *marks == all);
        SccFacts { accepting: accepting.collect(), cyclic: cycles, of }
    }

    /// Drops states, edges and marks that no accepted run needs. Marks of edges on no cycle are
    /// irrelevant: they become `idle`.
    pub(crate) fn clean(&mut self, basis: MarkPosition, idle: &Bits) {
        let parts = self.parts();
        let count = self.arrows.len();
        // Components have smaller numbers than their predecessors.
        let mut states: Vec<usize> = (0..count).collect();
        states.sort_by_key(|&state| parts.of[state]);
        let mut useful = parts.accepting.clone();
        for &state in &states {
            let mut arrows = self.arrows[state].iter();
            useful[parts.of[state]] |= arrows.any(|arrow| useful[parts.of[arrow.to]]);
        }
        for state in 0..count {
            let own = parts.of[state];
            self.arrows[state].retain(|arrow| useful[parts.of[arrow.to]]);
            for arrow in &mut self.arrows[state] {
                let stays = match basis {
                    MarkPosition::Edge => parts.of[arrow.to] == own,
                    MarkPosition::State => parts.cyclic[own],
                };
                if !stays {
                    arrow.marks = idle.clone();
                } else if !parts.accepting[own] {
                    arrow.marks = Bits::default();
                }
            }
        }
        self.tidy();
    }

    /// Whether the automaton is nondeterministic.
    pub(crate) fn has_choices(&self) -> bool {
        self.arrows.iter().any(|arrows| {
            arrows.iter().enumerate().any(|(at, one)| {
                arrows[..at].iter().any(|two| one.to != two.to && one.cube.meets(&two.cube))
            })
        })
    }

    /// Merges states with equal edges to a fixpoint.
    pub(crate) fn merge_equal(&mut self) {
        loop {
            let mut first = HashMap::new();
            let names: Vec<usize> = (0..self.arrows.len())
                .map(|state| *first.entry(self.arrows[state].clone()).or_insert(state))
                .collect();
            if names.iter().enumerate().all(|(state, &name)| state == name) {
                return;
            }
            for arrow in self.arrows.iter_mut().flatten() {
                arrow.to = names[arrow.to];
            }
            self.start = names[self.start];
            self.tidy();
        }
    }

    /// Merges guards of parallel edges, numbers states from the start in the order of edges, and
    /// drops unreachable ones.
    pub(crate) fn tidy(&mut self) {
        const NOWHERE: usize = usize::MAX;
        let mut name = vec![NOWHERE; self.arrows.len()];
        let mut order = vec![self.start];
        name[self.start] = 0;
        let mut at = 0;
        let mut tidied: Vec<Vec<MarkedEdge>> = Vec::new();
        while at < order.len() {
            let mut arrows = std::mem::take(&mut self.arrows[order[at]]);
            for arrow in &mut arrows {
                if name[arrow.to] == NOWHERE {
                    name[arrow.to] = order.len();
                    order.push(arrow.to);
                }
                arrow.to = name[arrow.to];
            }
            tidied.push(merged(arrows));
            at += 1;
        }
        self.arrows = tidied;
        self.start = 0;
    }
}

/// The edges with as few guards as possible for each target and marks.
fn merged(mut arrows: Vec<MarkedEdge>) -> Vec<MarkedEdge> {
    arrows.sort_unstable();
    let mut result = Vec::with_capacity(arrows.len());
    for group in arrows.chunk_by(|one, two| (one.to, &one.marks) == (two.to, &two.marks)) {
        let cubes = crate::cube::fewer(group.iter().map(|arrow| arrow.cube.clone()).collect());
        let (to, marks) = (group[0].to, &group[0].marks);
        result.extend(cubes.into_iter().map(|cube| MarkedEdge { to, marks: marks.clone(), cube }));
    }
    result
}
