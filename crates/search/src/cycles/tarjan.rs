//! The strongly connected components of a graph that may contain an accepting cycle: those whose
//! transitions bear all marks.
//!
//! Source: [Tar72], with an explicit stack instead of recursion.
//!
//! Promises: an accepting cycle through remaining states lies in one of the components.

use beeline_kernel::AcceptanceMarks;

use super::reached_graph::ReachedGraph;

/// Not visited yet, or in no component.
pub(super) const NONE: u32 = u32::MAX;

/// The components.
pub(super) struct AcceptingSccs {
    /// For each state the number of its component.
    pub(super) of: Vec<u32>,
    /// The states of each component.
    pub(super) members: Vec<Vec<u32>>,
}

/// The state of the depth-first search.
struct Tarjan {
    /// The time of the first visit.
    seen: Vec<u32>,
    /// The earliest state on the stack that is known to be reachable.
    low: Vec<u32>,
    /// The states of components that are not complete.
    stack: Vec<u32>,
    /// The path to the current state, with the next transition of each state.
    path: Vec<(u32, u32)>,
    time: u32,
    found: AcceptingSccs,
}

impl AcceptingSccs {
    /// Finds them among the states that `lives` selects.
    pub(super) fn new(graph: &ReachedGraph<'_>, lives: impl Fn(u32) -> bool) -> AcceptingSccs {
        let len = graph.len();
        let found = AcceptingSccs { of: vec![NONE; len], members: Vec::new() };
        let (seen, low) = (vec![NONE; len], vec![NONE; len]);
        let mut tarjan = Tarjan { seen, low, stack: Vec::new(), path: Vec::new(), time: 0, found };
        for root in 0..len as u32 {
            if tarjan.seen[root as usize] == NONE && lives(root) {
                tarjan.enter(root);
                tarjan.walk(graph, &lives);
            }
        }
        tarjan.found
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        // Each state is a member at most once.
        2 * self.of.capacity() * size_of::<u32>()
    }
}

impl Tarjan {
    fn enter(&mut self, state: u32) {
        (self.seen[state as usize], self.low[state as usize]) = (self.time, self.time);
        self.time += 1;
        self.stack.push(state);
        self.path.push((state, 0));
    }

    fn walk(&mut self, graph: &ReachedGraph<'_>, lives: &impl Fn(u32) -> bool) {
        while let Some((state, next)) = self.path.last_mut() {
            let (state, at) = (*state, *next);
            if at < graph.degree(state) {
                *next += 1;
                let to = graph.edge(state, at).to;
                if self.seen[to as usize] == NONE {
                    if lives(to) {
                        self.enter(to);
                    }
                } else if self.low[to as usize] != NONE {
                    let low = &mut self.low[state as usize];
                    *low = (*low).min(self.seen[to as usize]);
                }
                continue;
            }
            self.path.pop();
            let low = self.low[state as usize];
            if let Some(&(parent, _)) = self.path.last() {
                let above = &mut self.low[parent as usize];
                *above = (*above).min(low);
            }
            if low == self.seen[state as usize] {
                self.complete(graph, state);
            }
        }
    }

    /// Takes a complete component from the stack, and keeps it if it may contain an accepting
    /// cycle.
    fn complete(&mut self, graph: &ReachedGraph<'_>, root: u32) {
        let place = self.stack.iter().rposition(|&state| state == root);
        let members = self.stack.split_off(place.expect("a root waits on the stack"));
        let number = self.found.members.len() as u32;
        for &state in &members {
            // No longer on the stack.
            self.low[state as usize] = NONE;
            self.found.of[state as usize] = number;
        }
        let inner = |state: &u32| {
            let of = &self.found.of;
            graph.edges(*state).filter(move |edge| of[edge.to as usize] == number)
        };
        let marks =
            members.iter().flat_map(inner).fold(AcceptanceMarks::NONE, |all, way| all | way.marks);
        if marks.is_all() {
            self.found.members.push(members);
        } else {
            members.iter().for_each(|&state| self.found.of[state as usize] = NONE);
        }
    }
}
