//! Distances within process automata: how many edges lie between a location and the
//! nearest of some others. Each edge is one step, also inside of an atomic sequence.

use std::collections::VecDeque;

use beeline_engine::automata::{Automaton, Location};

/// No way leads there.
pub(crate) const UNREACHABLE: u32 = u32::MAX;

/// By location, how far the nearest of the targets is.
pub(crate) fn distances_to(automaton: &Automaton, targets: &[Location]) -> Vec<u32> {
    let size = automaton.marks.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
    for edge in &automaton.edges {
        before[edge.to.0 as usize].push(edge.from.0);
    }
    let mut distances = vec![UNREACHABLE; size];
    let mut waiting = VecDeque::new();
    for target in targets {
        if distances[target.0 as usize] != 0 {
            distances[target.0 as usize] = 0;
            waiting.push_back(target.0 as usize);
        }
    }
    while let Some(at) = waiting.pop_front() {
        for &from in &before[at] {
            if distances[from as usize] == UNREACHABLE {
                distances[from as usize] = distances[at] + 1;
                waiting.push_back(from as usize);
            }
        }
    }
    distances
}
