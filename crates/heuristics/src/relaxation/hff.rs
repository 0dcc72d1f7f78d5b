//! h^FF: the steps of a relaxed path to a goal, which is found backwards through the layers.
//! Each value that is needed came with the step that added it first; that step needs values,
//! and so on until all are there from the beginning.
//!
//! Source: h^U of Kupferschmid et al., which [AWW15] §1 names, is the same on the layers of
//! Algorithm 1; for planning, Hoffmann and Nebel's FF.
//! Claims: safe. Never less than the number of layers.
//!
//! Steps of the path that can be taken at once are worth being tried first ([`Hff::preferred`]).

use beeline_factored::ANY_PROCESS;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepLabel, StepPreference};

use super::Relaxation;
use super::layers::{Layers, LayersEnd};
use super::relaxed_plan::RelaxedPlan;

/// The length of a relaxed path.
#[derive(Clone)]
pub struct Hff<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
    path: RelaxedPlan,
    preferred: Vec<StepLabel>,
}

impl<'a> Hff<'a> {
    /// For the states that a relaxation can read.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        let layers = relaxation.layers();
        let path = RelaxedPlan::new(&layers);
        Hff { relaxation: relaxation.clone(), layers, path, preferred: Vec::new() }
    }

    /// Who takes a step of the relaxed path that can be taken in the state that was estimated
    /// last.
    pub fn preferred(&self) -> &[StepLabel] {
        &self.preferred
    }

    fn length(&mut self, layer: u32) -> u32 {
        self.path.find(&mut self.layers);
        for &step in &self.path.taken {
            let code = &self.layers.compiled.codes[step as usize];
            if code.cost > 0 && self.layers.agenda.was_first(step) {
                self.preferred.push(code.label);
            }
        }
        self.path.cost.max(layer)
    }
}

impl Heuristic for Hff<'_> {
    fn name(&self) -> &str {
        "hff"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.preferred.clear();
        match self.layers.explore(self.relaxation.reading.as_ref(), state) {
            LayersEnd::Reached(layer) => Estimate::Finite(Cost(self.length(layer))),
            end => end.estimate(),
        }
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        ways: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        self.estimate(state);
        preferences.clear();
        preferences.extend(ways.successors.transitions().iter().map(|way| {
            let StepLabel { edge, process } = way.label;
            let is_meant = |one: &StepLabel| {
                one.edge == edge && (one.process == process || one.process == ANY_PROCESS)
            };
            if self.preferred.iter().any(is_meant) {
                StepPreference::Preferred
            } else {
                StepPreference::Plain
            }
        }));
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }
}
