//! Small state spaces whose truth is known independently: from a formula, or from a search of a
//! dozen lines that shares no code with the real one.

use std::collections::{HashMap, HashSet, VecDeque};

use beeline_kernel::{Expansion, Fault, FaultKind, FaultTransition, SiteId, Space};
use beeline_search::{Exploration, ExplorationOptions, ExplorationOrder};

/// All orders, random ones included.
pub(crate) const ORDERS: [ExplorationOrder; 4] = [
    ExplorationOrder::Breadth,
    ExplorationOrder::Depth,
    ExplorationOrder::RandomDepth { seed: 1 },
    ExplorationOrder::RandomDepth { seed: 0xbee },
];

/// Starts an exploration of a space that has an initial state.
pub(crate) fn explore<'a, S: Space>(
    space: &'a S,
    options: ExplorationOptions<'a>,
) -> Exploration<'a> {
    Exploration::new(space, options).expect("toys do not fail at once")
}

/// Counters that each go from 0 to `top`, one move at a time.
pub(crate) struct Grid {
    pub(crate) counters: usize,
    pub(crate) top: u8,
}

impl Grid {
    pub(crate) fn stored(&self) -> u64 {
        (u64::from(self.top) + 1).pow(self.counters as u32)
    }

    /// Each counter can move in all states except where it has its greatest value; the initial
    /// state counts as one.
    pub(crate) fn transitions(&self) -> u64 {
        let others = (u64::from(self.top) + 1).pow(self.counters as u32 - 1);
        1 + self.counters as u64 * u64::from(self.top) * others
    }

    pub(crate) fn diameter(&self) -> u64 {
        self.counters as u64 * u64::from(self.top)
    }
}

impl Space for Grid {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        state.clear();
        state.resize(self.counters, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        for counter in 0..self.counters {
            if state[counter] < self.top {
                let mut next = state.to_vec();
                next[counter] += 1;
                expansion.push(&next);
                // Each move has an intermediate state.
                expansion.hidden_steps += 1;
            }
        }
        expansion.deadlock = expansion.is_empty();
    }
}

/// A directed graph with parallel edges and loops. Node 0 is the initial state;
/// the state of node n is its number, followed by n % 7 zeros.
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<u32>>,
    /// The faults of each node.
    pub(crate) faults: HashMap<u32, Vec<Fault>>,
}

impl Graph {
    pub(crate) fn new(edges: Vec<Vec<u32>>) -> Graph {
        Graph { edges, faults: HashMap::new() }
    }

    /// A graph of this many nodes with 0 to `degree` edges from each, and some faults.
    pub(crate) fn random(seed: u64, nodes: u32, degree: u32) -> Graph {
        let mut state = seed;
        let mut below = |bound: u32| {
            // Knuth's MMIX generator, with its upper half.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
            (((state >> 32) * u64::from(bound)) >> 32) as u32
        };
        let edges = (0..nodes)
            .map(|node| {
                // The root has successors, so that the graph is not trivial.
                let least = if node == 0 { 3 } else { 0 };
                (0..least + below(degree + 1)).map(|_| below(nodes)).collect()
            })
            .collect();
        let faults = (0..nodes / 20)
            .map(|_| (below(nodes), (0..1 + below(2)).map(|_| assertion(below(5))).collect()));
        Graph { edges, faults: faults.collect() }
    }

    pub(crate) fn node(state: &[u8]) -> u32 {
        let number = u32::from_le_bytes(state[..4].try_into().expect("four bytes"));
        assert_eq!(state[4..], vec![0; number as usize % 7]);
        number
    }

    fn state(node: u32) -> Vec<u8> {
        let mut state = node.to_le_bytes().to_vec();
        state.resize(4 + node as usize % 7, 0);
        state
    }

    /// The distance of each reachable node.
    pub(crate) fn distances(&self) -> HashMap<u32, usize> {
        let mut distances = HashMap::from([(0, 0)]);
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for &next in &self.edges[node as usize] {
                if !distances.contains_key(&next) {
                    distances.insert(next, distances[&node] + 1);
                    queue.push_back(next);
                }
            }
        }
        distances
    }

    /// The nodes in the order of the textbook's recursive search, with the
    /// length of the stack at each: nodes, and how many of their edges were followed.
    pub(crate) fn preorder(&self) -> Vec<(u32, u64)> {
        let (mut known, mut visited) = (HashSet::from([0]), vec![(0, 0)]);
        let mut stack = vec![(0, 0)];
        while let Some((node, followed)) = stack.last_mut() {
            let Some(&next) = self.edges[*node as usize].get(*followed) else {
                stack.pop();
                continue;
            };
            *followed += 1;
            if known.insert(next) {
                visited.push((next, stack.len() as u64));
                stack.push((next, 0));
            }
        }
        visited
    }
}

impl Space for Graph {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        *state = Graph::state(0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let node = Graph::node(state);
        expansion.clear();
        for &next in &self.edges[node as usize] {
            expansion.push(&Graph::state(next));
        }
        let faults = self.faults.get(&node).into_iter().flatten();
        expansion.faults.extend(faults.map(|&fault| FaultTransition { fault, steps: 1 }));
        expansion.deadlock = expansion.is_empty();
    }
}

/// A failed assertion at this place.
pub(crate) fn assertion(site: u32) -> Fault {
    Fault { kind: FaultKind::Assertion, site: SiteId(site) }
}

/// A graph that goes from 0 to `last` along a line.
pub(crate) fn line(last: u32) -> Graph {
    Graph::new((0..=last).map(|node| (node + 1..=last).take(1).collect()).collect())
}

/// Graphs of all densities.
pub(crate) fn random_graphs() -> impl Iterator<Item = Graph> {
    (1..=40).map(|seed| Graph::random(seed, 10 + 13 * seed as u32, 1 + seed as u32 % 6))
}
