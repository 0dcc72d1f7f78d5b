//! Distances within process automata: the number of edges from a location to the nearest of some
//! targets. Each edge is one step, also in an atomic sequence.

use std::collections::{HashSet, VecDeque};

use beeline_engine::automata::{Automaton, Location};

/// The distance to an unreachable location.
pub(crate) const UNREACHABLE: u32 = u32::MAX;

/// Predecessors of each location.
fn before(automaton: &Automaton) -> Vec<Vec<u32>> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); automaton.marks.len()];
    for edge in &automaton.edges {
        before[edge.to.0 as usize].push(edge.from.0);
    }
    before
}

/// By location: distance to the nearest target.
pub(crate) fn distances_to(automaton: &Automaton, targets: &[Location]) -> Vec<u32> {
    let before = before(automaton);
    let mut distances = vec![UNREACHABLE; before.len()];
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

/// Upper bound on the stored targets of a location.
const MOST: usize = 256;

/// By location: the nearest targets in order, as pairs of distance and target number.
///
/// Breadth-first search backwards from all targets at once. A target beyond the bound of a location
/// is beyond that of its predecessors as well.
pub(crate) fn nearest(automaton: &Automaton, targets: &[Location]) -> Vec<Vec<(u32, u32)>> {
    let before = before(automaton);
    let mut found: Vec<Vec<(u32, u32)>> = vec![Vec::new(); before.len()];
    let mut waiting = VecDeque::new();
    let mut seen = HashSet::new();
    for (number, target) in targets.iter().enumerate() {
        seen.insert((target.0, number as u32));
        waiting.push_back((target.0, 0, number as u32));
    }
    while let Some((at, distance, number)) = waiting.pop_front() {
        let own = &mut found[at as usize];
        if own.len() == MOST {
            continue;
        }
        own.push((distance, number));
        for &from in &before[at as usize] {
            if found[from as usize].len() < MOST && seen.insert((from, number)) {
                waiting.push_back((from, distance + 1, number));
            }
        }
    }
    found
}
