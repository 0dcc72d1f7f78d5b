//! h^FF: the length of a relaxed plan, extracted backwards through the layers: each needed value is
//! supported by the operator that added it first, which needs further values.
//!
//! Source: [HN01] for planning; h^U of [KHDB06], which [AWW15] §1 names, is the same on the layers
//! of Algorithm 1.
//! Claims: safe. At least the number of layers.
//!
//! Operators of the relaxed plan that are applicable in the state are preferred
//! ([`Hff::preferred`]).

use beeline_factored::ANY_PROCESS;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepLabel, StepPreference};

use super::compiled_relaxation::{ARGUMENTS, Relaxation};
use super::layers::{Layers, LayersEnd};
use super::relaxed_plan::RelaxedPlan;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "hff",
    aliases: &["hu"],
    arguments: ARGUMENTS,
    about: "number of steps of a plan that reaches an error in the delete relaxation",
    promises: Some("safe"),
    source: Some("[AWW15] §1"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Hff::new(&Relaxation::requested(of)?))),
    },
};

/// The length of a relaxed plan.
#[derive(Clone)]
pub struct Hff<'a> {
    relaxation: Relaxation<'a>,
    layers: Layers,
    path: RelaxedPlan,
    preferred: Vec<StepLabel>,
}

impl<'a> Hff<'a> {
    /// For the states of a relaxation.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        let layers = relaxation.layers();
        let path = RelaxedPlan::new(&layers);
        Hff { relaxation: relaxation.clone(), layers, path, preferred: Vec::new() }
    }

    /// Labels of the relaxed plan's steps that are applicable in the last estimated state.
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
