//! The union of automata: it accepts what one of them accepts.
//!
//! A disjunction has the union of the automata of its disjuncts, whose size is the sum of theirs.
//! The automaton of the whole is often smaller, but can be exponentially larger.

use crate::buchi::{Buchi, BuchiEdge, BuchiState};

/// The union: a new initial state has the edges of all initial states.
pub(crate) fn union(automata: &[Buchi]) -> Buchi {
    let start = BuchiState { accepting: false, edges: Vec::new() };
    let mut all = Buchi { start: 0, states: vec![start] };
    for automaton in automata {
        let base = u32::try_from(all.states.len()).expect("fewer states than numbers");
        let shifted = |edge: &BuchiEdge| BuchiEdge { to: edge.to + base, ..edge.clone() };
        let first = automaton.states[automaton.start as usize].edges.iter().map(shifted);
        all.states[0].edges.extend(first);
        all.states.extend(automaton.states.iter().map(|state| BuchiState {
            accepting: state.accepting,
            edges: state.edges.iter().map(shifted).collect(),
        }));
    }
    reachable(&all)
}

/// The automaton without unreachable states, which are numbered in the order of edges.
fn reachable(automaton: &Buchi) -> Buchi {
    let mut names = vec![None; automaton.states.len()];
    let mut order = vec![automaton.start];
    names[automaton.start as usize] = Some(0);
    let mut states = Vec::new();
    while let Some(&old) = order.get(states.len()) {
        let state = &automaton.states[old as usize];
        let edges = state.edges.iter().map(|edge| {
            let next = u32::try_from(order.len()).expect("fewer states than numbers");
            let to = *names[edge.to as usize].get_or_insert_with(|| {
                order.push(edge.to);
                next
            });
            BuchiEdge { guard: edge.guard.clone(), to }
        });
        let edges = edges.collect();
        states.push(BuchiState { accepting: state.accepting, edges });
    }
    Buchi { start: 0, states }
}
