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

/// The most locations that are remembered as the nearest of one.
const MOST: usize = 256;

/// By location, the nearest of the targets, nearest first, each as its distance and its
/// number among them.
pub(crate) fn nearest(automaton: &Automaton, targets: &[Location]) -> Vec<Vec<(u32, u32)>> {
    let size = automaton.marks.len();
    let mut numbers = vec![UNREACHABLE; size];
    for (number, target) in targets.iter().enumerate() {
        numbers[target.0 as usize] = number as u32;
    }
    let mut behind: Vec<Vec<u32>> = vec![Vec::new(); size];
    for edge in &automaton.edges {
        behind[edge.from.0 as usize].push(edge.to.0);
    }
    let (mut seen, mut waiting) = (vec![usize::MAX; size], VecDeque::new());
    let each = |start: usize| {
        let mut found = Vec::new();
        waiting.clear();
        waiting.push_back((start, 0));
        seen[start] = start;
        while let Some((at, distance)) = waiting.pop_front() {
            if numbers[at] != UNREACHABLE {
                found.push((distance, numbers[at]));
            }
            if found.len() == MOST {
                break;
            }
            for &to in &behind[at] {
                if seen[to as usize] != start {
                    seen[to as usize] = start;
                    waiting.push_back((to as usize, distance + 1));
                }
            }
        }
        found
    };
    (0..size).map(each).collect()
}
