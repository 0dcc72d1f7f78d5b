//! The quotient of a graph by bisimulation: one state for each class of bisimilar states.
//!
//! It has the same observations, plays and traces as the graph, and often far fewer states.

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::refinement::Refinement;

/// A quotient.
pub(super) struct Quotient {
    pub(super) graph: ObservedGraph,
    /// For each state of the original graph its class, a state of the quotient.
    classes: Vec<u32>,
}

impl Quotient {
    /// The quotient of a graph.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub(super) fn new(original: &ObservedGraph, meter: &mut Meter<'_>) -> Result<Quotient, Stop> {
        let mut refinement = Refinement::new(original);
        while !refinement.is_stable() {
            refinement.refine(meter)?;
        }
        // Classes in the order of their first states, so that the initial one is 0.
        let mut numbers = vec![None; original.len()];
        let mut first_states = Vec::new();
        let classes = original.states().map(|state| {
            let class = refinement.partition().class(state) as usize;
            *numbers[class].get_or_insert_with(|| {
                first_states.push(state);
                first_states.len() as u32 - 1
            })
        });
        let classes: Vec<u32> = classes.collect();
        let mut graph = ObservedGraph::default();
        for state in first_states {
            let successors = original.successors(state).iter();
            let successors = successors.map(|&next| classes[next as usize]).collect();
            graph.push(original.observation(state), successors);
        }
        meter.keep(graph.bytes() + 4 * classes.capacity());
        Ok(Quotient { graph, classes })
    }

    /// A run of the original graph through these classes, which are a run of the quotient.
    pub(super) fn lift(&self, original: &ObservedGraph, run: &[u32]) -> Vec<u32> {
        let mut state = 0;
        let steps = run.iter().skip(1).map(|&class| {
            let mut successors = original.successors(state).iter().copied();
            let next = successors.find(|&next| self.classes[next as usize] == class);
            state = next.expect("bisimilar states have steps to the same classes");
            state
        });
        std::iter::once(0).chain(steps).collect()
    }
}
