//! The play that distinguishes two models, as runs of these models.

use beeline_kernel::{StateId, StatePath};
use beeline_model::{System, Unconfirmed};
use beeline_search::StateSet as _;

use super::explore::ExploredModel;
use super::observed_graph::ObservedGraph;
use super::play::Play;
use super::quotient::Quotient;
use super::report::{ComparedRun, Difference, Observation, Side, StepMatching};
use super::stutter::single_steps;

/// A model with its states.
pub(super) struct ComparedModel<'a> {
    pub(super) system: &'a dyn System,
    pub(super) explored: &'a ExploredModel,
    pub(super) quotient: &'a Quotient,
}

/// The difference that a play of the quotients shows. `answers` is the quotient of the side that has
/// no answer, with the steps that count as one.
///
/// # Errors
///
/// When a run is not a trail of its model, which is an internal error.
pub(super) fn difference(
    play: &Play,
    models: [&ComparedModel<'_>; 2],
    answers: &ObservedGraph,
    matching: StepMatching,
) -> Result<Difference, Unconfirmed> {
    let [a, b] = models;
    let run = a.states(&play.a, matching);
    let answer = play.b.as_ref().map(|run| b.states(run, matching));
    let (model, last) = match (play.by, &answer) {
        (Side::B, Some(run)) => (b, run),
        (Side::A | Side::B, _) => (a, &run),
    };
    let graph = &model.explored.graph;
    let at_start = play.is_at_start();
    let possible = match at_start {
        true => vec![answers.observation(0)],
        false => possible(answers, &play.without_answer),
    };
    Ok(Difference {
        run: a.run(&run)?,
        answer: answer.as_ref().map(|run| b.run(run)).transpose()?,
        by: play.by,
        rests: matches!(last[..], [.., before, last] if before == last && graph.rests(last)),
        at_start,
        observed: last.last().map_or(Observation::default(), |&last| graph.observation(last)),
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
    /// The states along a run of the quotient.
    fn states(&self, run: &[u32], matching: StepMatching) -> Vec<u32> {
        let Quotient { graph, .. } = self.quotient;
        match matching {
            StepMatching::Strong => self.quotient.lift(&self.explored.graph, run),
            StepMatching::Stuttering => {
                self.quotient.lift(&self.explored.graph, &single_steps(graph, run))
            }
        }
    }

    /// The trail along some states.
    fn run(&self, states: &[u32]) -> Result<ComparedRun, Unconfirmed> {
        let graph = &self.explored.graph;
        let mut run = states.to_vec();
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
