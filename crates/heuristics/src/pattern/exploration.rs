//! The reachable abstract space of a projection, with goal distances.
//!
//! Source: [EMJ05] Abstraction Databases: forward exploration that builds the inverse graph, then
//! backward search on it.

use std::collections::{HashMap, VecDeque};

use super::budget::{PatternBudget, PatternShortage, PatternTooLarge};
use super::cost_partitioning::CostShare;
use super::projection::Projection;
use super::task::PatternTask;

/// The distance if no error is reachable.
pub(crate) const NEVER: u32 = u32::MAX;

/// Bytes of a state besides its values: hash table and distances.
const BYTES_PER_STATE: usize = 96;
/// Bytes of an edge: growing list and inverse graph.
const BYTES_PER_EDGE: usize = 3 * size_of::<AbstractEdge>();

/// An abstract transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AbstractEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The operator of the task.
    pub(crate) step: u32,
}

/// The abstract space; the initial state is the first.
pub(crate) struct AbstractSpace {
    width: usize,
    /// Feature values of all states, concatenated.
    values: Vec<i32>,
    count: usize,
    pub(crate) edges: Vec<AbstractEdge>,
    pub(crate) distances: Vec<u32>,
    /// Whether distances depend on the cost of failing steps.
    pub(crate) needs_ends: bool,
    /// The first edge of a shortest path; `NEVER` at targets.
    next: Vec<u32>,
}

impl AbstractSpace {
    /// Explores a projection; distances count the operators of `share`.
    pub(crate) fn of(
        task: &PatternTask,
        mut projection: Projection<'_>,
        share: &CostShare,
        budget: &mut PatternBudget,
    ) -> Result<AbstractSpace, PatternTooLarge> {
        let features = projection.features.iter();
        let first: Vec<i32> = features.map(|feature| feature.of(&task.system.initial)).collect();
        let mut numbers: HashMap<Box<[i32]>, u32> = HashMap::new();
        numbers.insert(first.clone().into(), 0);
        let mut explored = AbstractSpace {
            width: first.len(),
            values: first,
            count: 1,
            edges: Vec::new(),
            distances: Vec::new(),
            needs_ends: false,
            next: Vec::new(),
        };
        let mut here = Vec::new();
        let mut at = 0;
        while at < explored.count {
            budget.explored += 1;
            here.clear();
            here.extend_from_slice(explored.state(at));
            projection.enter(&here);
            let end = projection.end(&here);
            explored.distances.push(end.map_or(NEVER, |cost| share.end(cost)));
            let edges = explored.edges.len();
            let looked = projection.successors(&here, &mut |step, after| {
                if after == here {
                    return;
                }
                let to = numbers.get(after).copied().unwrap_or_else(|| {
                    let new = explored.count as u32;
                    numbers.insert(after.into(), new);
                    explored.values.extend_from_slice(after);
                    explored.count += 1;
                    new
                });
                explored.edges.push(AbstractEdge { from: at as u32, to, step });
            })?;
            budget.spend(1 + looked + (explored.edges.len() - edges))?;
            if explored.bytes() > budget.bytes {
                budget.short_of = budget.short_of.or(Some(PatternShortage::Bytes));
                return Err(PatternTooLarge);
            }
            if explored.count > budget.states {
                return Err(PatternTooLarge);
            }
            at += 1;
        }
        explored.measure(task, share);
        Ok(explored)
    }

    /// Approximate bytes of the exploration: each state is stored twice, once as a key.
    fn bytes(&self) -> usize {
        let state = 2 * self.width * size_of::<i32>() + BYTES_PER_STATE;
        self.count.saturating_mul(state) + self.edges.len().saturating_mul(BYTES_PER_EDGE)
    }

    /// Removes from `share` the operators that distances depend on (saturated cost partitioning).
    pub(crate) fn saturate(&self, share: &mut CostShare) {
        for edge in &self.edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            if self.distances[from] != NEVER && self.distances[from] > self.distances[to] {
                share.remove(edge.step);
            }
        }
        if self.needs_ends {
            share.remove_ends();
        }
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The feature values of a state.
    pub(crate) fn state(&self, at: usize) -> &[i32] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// A shortest path from the initial state to an error, if there is one.
    pub(crate) fn shortest_path(&self) -> Option<Vec<AbstractEdge>> {
        if self.distances[0] == NEVER {
            return None;
        }
        let mut way = Vec::new();
        let mut at = 0;
        while self.next[at] != NEVER {
            let edge = self.edges[self.next[at] as usize];
            way.push(edge);
            at = edge.to as usize;
        }
        Some(way)
    }

    /// Backward 0-1 breadth-first search from the targets.
    fn measure(&mut self, task: &PatternTask, share: &CostShare) {
        let mut starts = vec![0usize; self.count + 1];
        self.edges.iter().for_each(|edge| starts[edge.to as usize + 1] += 1);
        (0..self.count).for_each(|at| starts[at + 1] += starts[at]);
        let mut back = vec![0u32; self.edges.len()];
        let mut free = starts.clone();
        for (number, edge) in self.edges.iter().enumerate() {
            let at = &mut free[edge.to as usize];
            back[*at] = number as u32;
            *at += 1;
        }
        self.next = vec![NEVER; self.count];
        let ends: Vec<usize> = (0..self.count).filter(|&at| self.distances[at] == 1).collect();
        let mut queue = VecDeque::new();
        for cost in 0..=1 {
            let ends = (0..self.count).filter(|&at| self.distances[at] == cost);
            queue.extend(ends.map(|at| (cost, at)));
        }
        while let Some((distance, at)) = queue.pop_front() {
            if distance > self.distances[at] {
                continue;
            }
            for &number in &back[starts[at]..starts[at + 1]] {
                let edge = self.edges[number as usize];
                let (from, cost) = (edge.from as usize, share.cost(task, edge.step));
                if distance + cost >= self.distances[from] {
                    continue;
                }
                self.distances[from] = distance + cost;
                self.next[from] = number;
                match cost {
                    0 => queue.push_front((distance, from)),
                    _ => queue.push_back((distance + cost, from)),
                }
            }
        }
        self.needs_ends = ends.iter().any(|&at| self.distances[at] == 1);
    }
}
