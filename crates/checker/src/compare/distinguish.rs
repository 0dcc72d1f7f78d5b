//! The play that distinguishes two models, as runs of these models.

use beeline_kernel::{StateId, StatePath};
use beeline_model::{System, Unconfirmed};
use beeline_search::StateSet as _;

use super::explore::ExploredModel;
use super::observed_graph::ObservedGraph;
use super::play::Play;
use super::report::{ComparedRun, Difference, Observation, Side, StepMatching};
use super::stutter::single_steps;

/// A model with its states.
pub(super) struct ComparedModel<'a> {
    pub(super) system: &'a dyn System,
    pub(super) explored: &'a ExploredModel,
}

/// The difference that a play shows. `answers` is the graph of the side that has no answer, with
/// the steps that count as one.
///
/// # Errors
///
/// When a run is no trail of its model, which is an internal error.
pub(super) fn difference(
    play: &Play,
    models: [&ComparedModel<'_>; 2],
    answers: &ObservedGraph,
    matching: StepMatching,
) -> Result<Difference, Unconfirmed> {
    let [a, b] = models;
    let (model, run) = match (play.by, &play.b) {
        (Side::B, Some(run)) => (b, run),
        (Side::A | Side::B, _) => (a, &play.a),
    };
    let graph = &model.explored.graph;
    let at_start = play.is_at_start();
    let possible = match at_start {
        true => vec![answers.observation(0)],
        false => possible(answers, &play.without_answer),
    };
    Ok(Difference {
        run: a.run(&play.a, matching)?,
        answer: play.b.as_ref().map(|run| b.run(run, matching)).transpose()?,
        by: play.by,
        rests: matches!(run[..], [.., before, last] if before == last && graph.rests(last)),
        at_start,
        observed: run.last().map_or(Observation::default(), |&last| graph.observation(last)),
        possible,
    })
}

/// The observations of the successors of some states, in order.
fn possible(graph: &ObservedGraph, states: &[u32]) -> Vec<Observation> {
    let successors = states.iter().flat_map(|&state| graph.successors(state));
    let mut all: Vec<Observation> = successors.map(|&next| graph.observation(next)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl ComparedModel<'_> {
    /// The trail along some states.
    fn run(&self, run: &[u32], matching: StepMatching) -> Result<ComparedRun, Unconfirmed> {
        let graph = &self.explored.graph;
        let mut run = match matching {
            StepMatching::Strong => run.to_vec(),
            StepMatching::Stuttering => single_steps(graph, run),
        };
        // The repetition of a state without steps is no step of the model.
        run.dedup_by(|next, state| next == state && graph.rests(*state));
        let mut path = StatePath::new();
        let mut state = Vec::new();
        for id in run.iter().filter_map(|&number| StateId::new(number as usize)) {
            self.explored.store.load(id, &mut state);
            path.push(&state);
        }
        let (trail, steps) = self.system.trail_along(&path).ok_or_else(|| Unconfirmed {
            finding: None,
            why: "a path of observed states is not a path of the model".to_owned(),
        })?;
        Ok(ComparedRun { trail, steps })
    }
}
