//! Adjacency lists of a graph, its reversal and its strongly connected components.

use std::ops::Range;

/// The successors of each node, node by node.
#[derive(Debug)]
pub(super) struct Adjacency {
    /// The place of the first edge of each node, and the place behind the last edge.
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Default for Adjacency {
    fn default() -> Adjacency {
        Adjacency { starts: vec![0], targets: Vec::new() }
    }
}

impl Adjacency {
    /// Adds an edge to the node under construction.
    pub(super) fn push(&mut self, target: usize) {
        self.targets.push(u32::try_from(target).expect("graphs of tests are small"));
    }

    /// Ends the node under construction.
    pub(super) fn end_node(&mut self) {
        self.starts.push(self.targets.len());
    }

    /// Whether the node under construction has no edge.
    pub(super) fn is_last_empty(&self) -> bool {
        self.starts.last() == Some(&self.targets.len())
    }

    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The places of the edges of a node.
    pub(super) fn range(&self, node: usize) -> Range<usize> {
        self.starts[node]..self.starts[node + 1]
    }

    /// The target of the edge at a place.
    pub(super) fn target(&self, place: usize) -> usize {
        self.targets[place] as usize
    }

    /// The successors of a node.
    pub(super) fn of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.targets[self.range(node)].iter().map(|&target| target as usize)
    }

    /// The same edges in the other direction.
    pub(super) fn reversed(&self) -> Adjacency {
        let mut starts = vec![0; self.starts.len()];
        self.targets.iter().for_each(|&target| starts[target as usize + 1] += 1);
        (0..self.nodes()).for_each(|at| starts[at + 1] += starts[at]);
        let (mut place, mut targets) = (starts.clone(), vec![0; self.targets.len()]);
        for node in 0..self.nodes() {
            for target in self.of(node) {
                targets[place[target]] = node as u32;
                place[target] += 1;
            }
        }
        Adjacency { starts, targets }
    }

    /// The number of the strongly connected component of each node, by Tarjan's algorithm without
    /// recursion.
    pub(super) fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut component = vec![NONE; self.nodes()];
        // The order of the first visits, and the least one that is known to be reached.
        let (mut index, mut low) = (vec![NONE; self.nodes()], vec![NONE; self.nodes()]);
        let (mut visited, mut found) = (0, 0);
        // Nodes without a component, and the path with the places of the next edges.
        let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        for root in 0..self.nodes() {
            if index[root] != NONE {
                continue;
            }
            path.push((root, self.starts[root]));
            while let Some((node, place)) = path.pop() {
                if index[node] == NONE {
                    (index[node], low[node]) = (visited, visited);
                    visited += 1;
                    open.push(node);
                }
                if place < self.starts[node + 1] {
                    path.push((node, place + 1));
                    let target = self.target(place);
                    if index[target] == NONE {
                        path.push((target, self.starts[target]));
                    } else if component[target] == NONE {
                        low[node] = low[node].min(low[target]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    while let Some(member) = open.pop() {
                        component[member] = found;
                        if member == node {
                            break;
                        }
                    }
                    found += 1;
                }
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[node]);
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    fn reaches(graph: &Adjacency, from: usize, to: usize) -> bool {
        let (mut seen, mut waiting) = (vec![false; graph.nodes()], vec![from]);
        while let Some(node) = waiting.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                waiting.extend(graph.of(node));
            }
        }
        false
    }

    #[test]
    fn nodes_of_a_component_reach_each_other() {
        for seed in 0..200 {
            let mut rng = SplitMix64::new(seed);
            let count = 1 + rng.below(12);
            let mut graph = Adjacency::default();
            for _ in 0..count {
                for _ in 0..rng.below(3) {
                    graph.push(rng.below(count));
                }
                graph.end_node();
            }
            let (components, reversed) = (graph.components(), graph.reversed());
            for a in 0..count {
                for b in 0..count {
                    let both = reaches(&graph, a, b) && reaches(&graph, b, a);
                    assert_eq!(components[a] == components[b], both, "seed {seed}, {a}, {b}");
                    assert_eq!(reaches(&graph, a, b), reaches(&reversed, b, a), "seed {seed}");
                }
            }
        }
    }
}
