//! Distances within a component, forwards and backwards.

use std::collections::VecDeque;

use super::component::{LabelledComponent, LabelledEdge, starts};

/// Distance of each state to an error state; `u32::MAX` if unreachable.
pub(crate) fn distances(component: &LabelledComponent) -> Vec<u32> {
    backwards(component, LabelledEdge::cost)
}

/// Distances where every edge costs 1.
pub(crate) fn steps(component: &LabelledComponent) -> Vec<u32> {
    backwards(component, |_| 1)
}

fn backwards(component: &LabelledComponent, cost: impl Fn(LabelledEdge) -> u32) -> Vec<u32> {
    let backwards: Vec<(u32, u32, u32)> =
        component.edges.iter().map(|&edge| (edge.to, edge.from, cost(edge))).collect();
    let is_error = |&state: &u32| component.error[state as usize];
    let errors = (0..component.states as u32).filter(is_error).collect();
    breadth_first(component.states, errors, &backwards)
}

/// The reachable states.
pub(crate) fn reachable(component: &LabelledComponent) -> Vec<bool> {
    let forwards: Vec<(u32, u32, u32)> =
        component.edges.iter().map(|edge| (edge.from, edge.to, edge.cost())).collect();
    let depths = breadth_first(component.states, component.initial.clone(), &forwards);
    depths.into_iter().map(|depth| depth != u32::MAX).collect()
}

/// Distance of each state from the first ones, by 0-1 breadth-first search.
fn breadth_first(states: usize, first: Vec<u32>, edges: &[(u32, u32, u32)]) -> Vec<u32> {
    let starts = starts(states, edges.iter().map(|edge| edge.0));
    let (mut next_place, mut ways) = (starts.clone(), vec![(0, 0); edges.len()]);
    for &(from, to, cost) in edges {
        ways[next_place[from as usize]] = (to, cost);
        next_place[from as usize] += 1;
    }
    let mut depths = vec![u32::MAX; states];
    let mut queue = VecDeque::new();
    for state in first {
        depths[state as usize] = 0;
        queue.push_back((state, 0));
    }
    while let Some((state, depth)) = queue.pop_front() {
        if depth > depths[state as usize] {
            continue;
        }
        for &(next, cost) in &ways[starts[state as usize]..starts[state as usize + 1]] {
            let new = depth + cost;
            if new < depths[next as usize] {
                depths[next as usize] = new;
                if cost == 0 {
                    queue.push_front((next, new));
                } else {
                    queue.push_back((next, new));
                }
            }
        }
    }
    depths
}
