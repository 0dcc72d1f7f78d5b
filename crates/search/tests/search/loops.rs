//! Graphs with accepting cycles, by accepting states or by marks, and their shortest lassos from a
//! search of a dozen lines.

use beeline_kernel::{AcceptanceMarks, ClaimComponent, CycleKind, Expansion, Fault, Space};
use beeline_search::Lasso;

use crate::roads::{Dice, node, state};

/// A transition: target, steps and marks.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) to: u32,
    pub(crate) steps: u32,
    pub(crate) marks: AcceptanceMarks,
}

/// A directed graph. Node 0 is the initial state; a state is the number of its node.
#[derive(Clone)]
pub(crate) struct Loops {
    pub(crate) ways: Vec<Vec<Way>>,
    /// The accepting nodes; `None` if marks are used instead.
    pub(crate) accepting: Option<Vec<bool>>,
    /// The reported component of each node.
    pub(crate) components: Vec<ClaimComponent>,
    /// The nodes that violate an invariant.
    pub(crate) broken: Vec<u32>,
}

impl Loops {
    /// A graph with accepting nodes, from its edges.
    pub(crate) fn plain(edges: &[Vec<(u32, u32)>], accepting: Vec<bool>) -> Loops {
        let ways = edges.iter().zip(&accepting).map(|(edges, &accepting)| {
            let marks = AcceptanceMarks::leaving(accepting);
            edges.iter().map(|&(to, steps)| Way { to, steps, marks }).collect()
        });
        let components = vec![ClaimComponent::default(); edges.len()];
        Loops { ways: ways.collect(), accepting: Some(accepting), components, broken: Vec::new() }
    }

    /// A graph of up to 30 nodes: plain ones, and those with up to four marks.
    pub(crate) fn random(seed: u64) -> Loops {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let nodes = 1 + dice.below(30);
        let (degree, steps, local) = (1 + dice.below(3), 1 + dice.below(3), dice.below(2) == 0);
        let marks = if dice.below(2) == 0 { 0 } else { 1 + dice.below(4) };
        let rare = 1 + dice.below(6);
        let used = AcceptanceMarks((1_u64 << marks) - 1);
        let edges: Vec<Vec<(u32, u32)>> = (0..nodes)
            .map(|from| {
                let target = |dice: &mut Dice| match dice.below(5) {
                    1.. if local => (from + dice.below(5)).saturating_sub(1).min(nodes - 1),
                    _ => dice.below(nodes),
                };
                let count = if from == 0 { 2 } else { dice.below(degree + 1) };
                (0..count).map(|_| (target(&mut dice), 1 + dice.below(steps))).collect()
            })
            .collect();
        let accepting = (0..nodes).map(|_| dice.below(2 * rare) == 0).collect();
        let mut loops = Loops::plain(&edges, accepting);
        if marks > 0 {
            loops.accepting = None;
            for way in loops.ways.iter_mut().flatten() {
                let bits = (0..marks)
                    .fold(0, |set, mark| if dice.below(rare) == 0 { set | 1 << mark } else { set });
                way.marks = AcceptanceMarks(!used.0 | bits);
            }
        }
        if dice.below(2) == 0 {
            loops.tell_components();
        }
        loops
    }

    /// A graph of some hundred nodes whose transitions mostly lead forward, so that cycles are few
    /// and long.
    pub(crate) fn long(seed: u64, nodes: u32, marks: u32) -> Loops {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let back = 5 + dice.below(6 * nodes);
        let edges: Vec<Vec<(u32, u32)>> = (0..nodes)
            .map(|from| {
                let target = |dice: &mut Dice| match dice.below(back) {
                    0 => dice.below(nodes),
                    _ => (from + 1 + dice.below(6)).min(nodes - 1),
                };
                let count = if from + 1 == nodes { 0 } else { 1 + dice.below(3) };
                (0..count).map(|_| (target(&mut dice), 1 + dice.below(2))).collect()
            })
            .collect();
        let rare = 1 + dice.below(12);
        let accepting = (0..nodes).map(|_| dice.below(rare) == 0).collect();
        let mut loops = Loops::plain(&edges, accepting);
        if marks > 0 {
            loops.accepting = None;
            for way in loops.ways.iter_mut().flatten() {
                let some = 1_u64 << dice.below(marks) | 1_u64 << dice.below(marks);
                way.marks = AcceptanceMarks(!((1_u64 << marks) - 1) | some);
            }
        }
        loops
    }

    /// Computes the component of each node, and whether it has no accepting cycle.
    fn tell_components(&mut self) {
        let reach: Vec<Vec<bool>> = (0..self.ways.len()).map(|from| self.reach(from)).collect();
        for (node, reached) in reach.iter().enumerate() {
            let mutual = |&other: &usize| reached[other] && reach[other][node];
            let number = (0..reach.len()).find(mutual).expect("itself") as u32;
            // The absence of accepting cycles is reported for some components only.
            let never = number.is_multiple_of(2) && self.least_cycle(node as u32).is_none();
            let cycles = if never { CycleKind::Never } else { CycleKind::Sometimes };
            self.components[node] = ClaimComponent { number, cycles };
        }
    }

    fn reach(&self, from: usize) -> Vec<bool> {
        let mut reach = vec![false; self.ways.len()];
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut reach[at], true) {
                stack.extend(self.ways[at].iter().map(|way| way.to as usize));
            }
        }
        reach
    }

    /// The least number of transitions from a node to another.
    pub(crate) fn moves(&self, from: u32, to: u32) -> Option<u32> {
        let mut layer = vec![from];
        for moves in 0..=self.ways.len() as u32 {
            if layer.contains(&to) {
                return Some(moves);
            }
            let behind = layer.iter().flat_map(|&at| &self.ways[at as usize]);
            layer = behind.map(|way| way.to).collect();
            layer.sort_unstable();
            layer.dedup();
        }
        None
    }

    /// The cheapest transition between two nodes, with the marks of all.
    fn way(&self, from: u32, to: u32) -> Option<Way> {
        let ways = self.ways[from as usize].iter().filter(|way| way.to == to);
        ways.copied().reduce(|one, two| Way {
            to,
            steps: one.steps.min(two.steps),
            marks: one.marks | two.marks,
        })
    }

    /// The least cost from a node to each node with each set of marks, by Bellman and Ford; sets
    /// are numbered by the few marks in use.
    fn costs(&self, from: u32) -> Vec<Vec<Option<u32>>> {
        let number = |marks: AcceptanceMarks| (marks.0 & 15) as usize;
        let all = AcceptanceMarks::ALL;
        assert!(self.ways.iter().flatten().all(|way| way.marks.0 | 15 == all.0));
        let mut costs = vec![vec![None; 16]; self.ways.len()];
        costs[from as usize][0] = Some(0);
        loop {
            let before = costs.clone();
            for at in 0..self.ways.len() as u32 {
                for &Way { to, .. } in &self.ways[at as usize] {
                    let Way { steps, marks, .. } = self.way(at, to).expect("this one");
                    for set in 0..16 {
                        let Some(cost) = costs[at as usize][set] else { continue };
                        let there = &mut costs[to as usize][set | number(marks)];
                        *there = Some(there.map_or(cost + steps, |old: u32| old.min(cost + steps)));
                    }
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    /// The least cost of an accepting cycle through a node.
    fn least_cycle(&self, through: u32) -> Option<u32> {
        // The start has no marks yet, so the empty path does not count as a cycle.
        self.costs(through)[through as usize][15]
    }

    /// The cost of the shortest lasso.
    pub(crate) fn shortest(&self) -> Option<u32> {
        let stems = self.costs(0);
        let total = |entry: u32| {
            let stem = stems[entry as usize].iter().flatten().min()?;
            Some(stem + self.least_cycle(entry)?)
        };
        (0..self.ways.len() as u32).filter_map(total).min()
    }

    /// The cost of the nearest node that violates an invariant.
    pub(crate) fn nearest_broken(&self) -> Option<u32> {
        let costs = self.costs(0);
        self.broken
            .iter()
            .filter_map(|&node| costs[node as usize].iter().flatten().min())
            .min()
            .copied()
    }

    /// The cost of a lasso, which must be valid.
    pub(crate) fn cost(&self, lasso: &Lasso) -> u32 {
        assert!(lasso.is_valid(self), "not a lasso");
        let nodes: Vec<u32> = lasso.closed_path().iter().map(|s| node(&s)).collect();
        let steps = |pair: &[u32]| self.way(pair[0], pair[1]).expect("a way").steps;
        let cost = nodes.windows(2).map(steps).sum();
        let length = lasso.length(&mut *self.expander()).expect("it has a length");
        assert_eq!(length.total().0, cost);
        cost
    }
}

impl Space for Loops {
    fn initial(&self, initial: &mut Vec<u8>) -> Result<(), Fault> {
        *initial = state(0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        let node = node(state) as usize;
        expansion.clear();
        for way in &self.ways[node] {
            expansion.push_with_cost(way.steps, &self::state(way.to));
        }
        match &self.accepting {
            Some(accepting) => expansion.accepting = accepting[node],
            None => expansion.marks.extend(self.ways[node].iter().map(|way| way.marks)),
        }
        expansion.component = self.components[node];
        if self.broken.contains(&(node as u32)) {
            expansion.violated_invariants.push(0);
        }
    }
}

/// Cyclic counters that move one at a time: one large component. Some states are accepting, or each
/// counter has a mark of its own on its moves.
pub(crate) struct Clocks {
    pub(crate) counters: usize,
    pub(crate) top: u8,
    pub(crate) accepting: Option<fn(&[u8]) -> bool>,
}

impl Space for Clocks {
    fn initial(&self, initial: &mut Vec<u8>) -> Result<(), Fault> {
        initial.clear();
        initial.resize(self.counters, 0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        for counter in 0..self.counters {
            let mut next = state.to_vec();
            next[counter] = if next[counter] == self.top { 0 } else { next[counter] + 1 };
            expansion.push(&next);
            if self.accepting.is_none() {
                let others = AcceptanceMarks(!((1 << self.counters) - 1));
                expansion.marks.push(others | AcceptanceMarks(1 << counter));
            }
        }
        expansion.accepting = self.accepting.is_some_and(|accepting| accepting(state));
    }
}

/// A chain of accepting states, each with transitions to the next ones, without cycles.
pub(crate) struct Chain(pub(crate) u32);

impl Space for Chain {
    fn initial(&self, initial: &mut Vec<u8>) -> Result<(), Fault> {
        *initial = state(0);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        let node = node(state);
        let next = (node + 1..self.0).take(2);
        next.for_each(|next| expansion.push(&self::state(next)));
        expansion.accepting = true;
    }
}
