//! Trace inclusion: each sequence of observations of the first graph is one of the second.
//!
//! The second graph is followed by the sets of its states that a sequence can reach (subset
//! construction), breadth-first along the steps of the first graph. A pair of a state and a set is
//! left out if a smaller set was met with the state: what the smaller set answers, the larger one
//! answers, too. Each state has a successor and finitely many of them, so that the inclusion of
//! finite sequences is that of infinite ones.
//! Promises: the run is a shortest one whose observations are not those of a run of the second
//! graph.

use std::collections::HashMap;

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::play::Play;
use super::report::{Observation, Side};

/// A run of the first graph that the second one does not have; `None` if there is none.
///
/// # Errors
///
/// When a limit is reached.
pub(super) fn distinguish_by_traces(
    steps: &ObservedGraph,
    answers: &ObservedGraph,
    meter: &mut Meter<'_>,
) -> Result<Option<Play>, Stop> {
    if let Some(play) = Play::of_initial_states(steps, answers) {
        return Ok(Some(play));
    }
    let mut sets = StateSets::new(answers);
    let met = vec![Vec::new(); steps.len()];
    let mut search = TraceSearch { nodes: Vec::new(), met, met_sets: 0 };
    let initial = sets.number(vec![0]);
    search.add(Node { state: 0, set: initial, parent: 0 }, &sets);
    let mut at = 0;
    while at < search.nodes.len() {
        let node = search.nodes[at];
        for &next in steps.successors(node.state) {
            meter.work(search.bytes() + sets.bytes)?;
            let Some(set) = sets.successor(node.set, steps.observation(next)) else {
                let mut a = search.run(at);
                a.push(next);
                let without_answer = sets.sets[node.set as usize].to_vec();
                return Ok(Some(Play { a, b: None, without_answer, by: Side::A }));
            };
            search.add(Node { state: next, set, parent: at as u32 }, &sets);
        }
        at += 1;
    }
    Ok(None)
}

/// A state of the first graph, and the states in which the second may be.
#[derive(Clone, Copy)]
struct Node {
    state: u32,
    set: u32,
    parent: u32,
}

/// The breadth-first search.
struct TraceSearch {
    nodes: Vec<Node>,
    /// For each state the sets that were met with it, none within another.
    met: Vec<Vec<u32>>,
    met_sets: usize,
}

impl TraceSearch {
    /// Memory in bytes.
    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.met.capacity() * size_of::<Vec<u32>>()
            + self.met_sets * 8
    }

    /// Adds a node, unless a smaller set was met with its state.
    fn add(&mut self, node: Node, sets: &StateSets<'_>) {
        let met = &mut self.met[node.state as usize];
        if met.iter().any(|&smaller| sets.is_within(smaller, node.set)) {
            return;
        }
        let before = met.len();
        met.retain(|&larger| !sets.is_within(node.set, larger));
        met.push(node.set);
        self.met_sets = self.met_sets + met.len() - before;
        self.nodes.push(node);
    }

    /// The states from the initial one to that of a node.
    fn run(&self, mut at: usize) -> Vec<u32> {
        let mut run = vec![self.nodes[at].state];
        while at > 0 {
            at = self.nodes[at].parent as usize;
            run.push(self.nodes[at].state);
        }
        run.reverse();
        run
    }
}

/// The successors of a set of states, by their observations.
type SetSteps = Box<[(Observation, u32)]>;

/// Sets of states of the second graph, each once.
struct StateSets<'g> {
    graph: &'g ObservedGraph,
    /// Sorted.
    sets: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    /// For each set its successors, if they were computed.
    steps: Vec<Option<SetSteps>>,
    /// Memory in bytes, approximately.
    bytes: usize,
}

impl<'g> StateSets<'g> {
    fn new(graph: &'g ObservedGraph) -> StateSets<'g> {
        StateSets { graph, sets: Vec::new(), numbers: HashMap::new(), steps: Vec::new(), bytes: 0 }
    }

    /// The number of a sorted set, which may be new.
    fn number(&mut self, set: Vec<u32>) -> u32 {
        // Beside its elements, which are stored twice.
        const OVERHEAD: usize = 96;
        if let Some(&number) = self.numbers.get(&set[..]) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.bytes += 2 * 4 * set.len() + OVERHEAD;
        self.sets.push(set.clone().into_boxed_slice());
        self.numbers.insert(set.into_boxed_slice(), number);
        self.steps.push(None);
        number
    }

    /// The states with this observation that the states of a set reach in one step; `None` if there
    /// are none.
    fn successor(&mut self, set: u32, observation: Observation) -> Option<u32> {
        if self.steps[set as usize].is_none() {
            let steps = self.compute_successors(set);
            self.bytes += size_of_val(&*steps);
            self.steps[set as usize] = Some(steps);
        }
        let mut steps = self.steps[set as usize].iter().flatten();
        steps.find(|(other, _)| *other == observation).map(|&(_, next)| next)
    }

    fn compute_successors(&mut self, set: u32) -> SetSteps {
        let graph = self.graph;
        let states = self.sets[set as usize].iter();
        let reached = states.flat_map(|&state| graph.successors(state)).copied();
        let mut reached: Vec<(Observation, u32)> =
            reached.map(|state| (graph.observation(state), state)).collect();
        reached.sort_unstable();
        reached.dedup();
        let groups = reached.chunk_by(|one, other| one.0 == other.0);
        let groups = groups.map(|group| {
            let states = group.iter().map(|&(_, state)| state).collect();
            (group[0].0, self.number(states))
        });
        groups.collect()
    }

    /// Whether a set is within another.
    fn is_within(&self, smaller: u32, larger: u32) -> bool {
        let larger = &self.sets[larger as usize];
        let smaller = &self.sets[smaller as usize];
        smaller.len() <= larger.len()
            && smaller.iter().all(|state| larger.binary_search(state).is_ok())
    }
}
