//! Witnesses: paths of the model that show why a formula holds or does not.
//!
//! Source: [EMJ05], CTL; E. M. Clarke, O. Grumberg, K. L. McMillan and X. Zhao, "Efficient generation
//! of counterexamples and witnesses in symbolic model checking", DAC 1995. A path is made of states
//! of the model, one step at a time: each next state is a successor that the sets of the evaluation
//! allow.

mod explain;
mod lasso;
mod walk;

use beeline_factored::FactoredView;
use beeline_kernel::{Expansion, Space};

/// The states of the model, one by one.
pub trait ExplicitStates {
    /// The initial state.
    fn initial(&mut self) -> Vec<u8>;

    /// The successors of a state, each with the process that moves.
    fn successors(&mut self, state: &[u8]) -> Vec<(u32, Vec<u8>)>;

    /// The values of the factors in a state.
    fn read(&self, state: &[u8]) -> Option<Vec<i32>>;
}

/// The states of a space, with the factors of its view.
pub struct SpaceStates<'a> {
    /// The space. Its initial state has no fault, as that of all spaces with an exact view.
    pub space: &'a dyn Space,
    /// The view.
    pub view: &'a FactoredView,
}

impl ExplicitStates for SpaceStates<'_> {
    fn initial(&mut self) -> Vec<u8> {
        let mut state = Vec::new();
        let _ = self.space.initial(&mut state);
        state
    }

    fn successors(&mut self, state: &[u8]) -> Vec<(u32, Vec<u8>)> {
        let mut expansion = Expansion::default();
        self.space.expand(state, &mut expansion);
        let labels = expansion.successors.transitions().iter().map(|one| one.label.process);
        labels.zip(expansion.states().map(<[u8]>::to_vec)).collect()
    }

    fn read(&self, state: &[u8]) -> Option<Vec<i32>> {
        self.view.read(state)
    }
}

/// Paths from the initial state: one for a linear witness, several for a branching one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The paths.
    pub paths: Vec<WitnessPath>,
}

/// A path, and those that continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessPath {
    /// The states.
    pub states: Vec<Vec<u8>>,
    /// The position of the state to which the last state has a step back, if the path is a lasso.
    pub cycle: Option<usize>,
    /// Whether the last state has no step and so repeats for ever.
    pub rests: bool,
    /// Paths from the last state on. All of them belong to the witness.
    pub then: Vec<WitnessPath>,
}

impl WitnessPath {
    /// A path that ends.
    pub(crate) fn plain(states: Vec<Vec<u8>>) -> WitnessPath {
        WitnessPath { states, cycle: None, rests: false, then: Vec::new() }
    }

    /// Whether one path shows everything.
    pub fn is_linear(&self) -> bool {
        match &self.then[..] {
            [] => true,
            [only] => only.is_linear(),
            _ => false,
        }
    }

    /// The path together with the first of those that continue it, to the end.
    #[must_use]
    pub fn main_line(&self) -> WitnessPath {
        let Some(next) = self.then.first() else {
            return WitnessPath { then: Vec::new(), ..self.clone() };
        };
        let next = next.main_line();
        let before = self.states.len() - 1;
        let states = self.states.iter().take(before).cloned().chain(next.states).collect();
        let cycle = next.cycle.map(|cycle| cycle + before);
        WitnessPath { states, cycle, rests: next.rests, then: Vec::new() }
    }
}
