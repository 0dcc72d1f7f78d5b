//! A play that distinguishes two graphs: one side makes a step, the other one answers it, until a
//! step has no answer.

use super::observed_graph::ObservedGraph;
use super::report::Side;

/// A play. Both runs begin with the initial states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Play {
    /// The states of the first graph.
    pub(super) a: Vec<u32>,
    /// The states of the second graph that answer; `None` if several runs answer together.
    pub(super) b: Option<Vec<u32>>,
    /// The states in which the other side is when it has no answer, at least one.
    pub(super) without_answer: Vec<u32>,
    /// The side whose last step has no answer. Its run has one state more than that of the other,
    /// unless already the initial states differ.
    pub(super) by: Side,
}

impl Play {
    /// The play if already the initial states differ.
    pub(super) fn of_initial_states(a: &ObservedGraph, b: &ObservedGraph) -> Option<Play> {
        let differ = a.observation(0) != b.observation(0);
        let play = Play { a: vec![0], b: Some(vec![0]), without_answer: vec![0], by: Side::A };
        differ.then_some(play)
    }

    /// Whether already the initial states differ.
    pub(super) fn is_at_start(&self) -> bool {
        let first_only = |run: &Vec<u32>| run.len() == 1;
        first_only(&self.a) && self.b.as_ref().is_some_and(first_only)
    }
}
