//! The heuristics that need a factored view alone, by name: for languages whose models have one.

use std::sync::Arc;

use beeline_factored::{FactoredView, System};
use beeline_kernel::registry::{self, ArgumentRow, Arguments, Row};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Claims, Estimate, Heuristic, Resources};

use crate::combine::max::shared_claims;
use crate::combine::{Aggregation, Max, Sum};
use crate::error::BuildError;
use crate::merge_and_shrink::{FromFactors, LocalDistance, MergeBudget, row as merge_and_shrink};
use crate::relaxation::{self, Relaxation, RelaxedHeuristic};
use crate::request::{EACH, argument};

/// A row of the registry of heuristics for factored views.
pub type ViewHeuristicRow = Row<ViewHeuristicBuilder>;

type Build = for<'r> fn(&ViewRequest<'r>) -> Result<BoxedHeuristic<'static>, BuildError>;

/// What builds a heuristic of a factored view.
#[derive(Clone, Copy)]
pub struct ViewHeuristicBuilder(Build);

/// A request for a heuristic of a factored view.
struct ViewRequest<'r> {
    arguments: Arguments<'r>,
    view: &'r FactoredView,
    resources: Resources<'r>,
}

const fn row(
    name: &'static str,
    arguments: &'static [ArgumentRow],
    about: &'static str,
    promises: &'static str,
    source: &'static str,
    build: Build,
) -> ViewHeuristicRow {
    let (promises, source) = (Some(promises), Some(source));
    let build = ViewHeuristicBuilder(build);
    Row { name, aliases: &[], arguments, about, promises, source, build }
}

const COMBINE: &[ArgumentRow] =
    &[argument("combine", "max or sum of the distances of processes (default: max)")];

/// The most goals that `fsm` considers one by one.
const MOST_GOALS: usize = 40;

/// The heuristics of factored views. The first is the default.
pub const VIEW_HEURISTICS: &[ViewHeuristicRow] = &[
    row(
        "dpa",
        merge_and_shrink::ARGUMENTS,
        "error distance in a distance-preserving abstraction of the whole system",
        "admissible, consistent, safe",
        "[DFP06] §3",
        |of| merge_and_shrink::abstracted(of.view, &of.arguments, of.resources),
    ),
    row(
        "fsm",
        COMBINE,
        "distance of each process to its part of the nearest error",
        "safe; `max` admissible and consistent",
        "[DFP06] §7, [ELL01] §4.2",
        |of| of.local_distance(),
    ),
    row(
        "hpl",
        relaxation::ARGUMENTS,
        "number of layers of the relaxed state space before an error is reached; h^L of Mcta",
        "admissible, consistent, safe",
        "[AWW15] §2, Algorithm 1",
        |of| of.relaxed(RelaxedHeuristic::Layers),
    ),
    row(
        "hmax",
        relaxation::ARGUMENTS,
        "cost of the most expensive value that an error needs, in the delete relaxation",
        "admissible, consistent, safe",
        "[BG01]",
        |of| of.relaxed(RelaxedHeuristic::Max),
    ),
    row(
        "hadd",
        relaxation::ARGUMENTS,
        "sum of the costs of all values that an error needs, in the delete relaxation",
        "safe",
        "[BG01]",
        |of| of.relaxed(RelaxedHeuristic::Add),
    ),
    row(
        "hff",
        relaxation::ARGUMENTS,
        "number of steps of a plan that reaches an error in the delete relaxation; h^U of Mcta",
        "safe",
        "[AWW15] §1",
        |of| of.relaxed(RelaxedHeuristic::Path),
    ),
    row("blind", &[], "zero everywhere", "admissible, consistent, safe", "[ELL00] §3.5", |_| {
        Ok(Box::new(Blind))
    }),
    row(
        "max",
        EACH,
        "the largest of several estimates",
        "the guarantees that all of its parts have",
        "textbook",
        |of| Ok(Box::new(Max::new(of.nested()?))),
    ),
    row("sum", EACH, "the sum of several estimates", "safe if its parts are", "textbook", |of| {
        Ok(Box::new(Sum::new(of.nested()?)))
    }),
];

/// Builds a heuristic for the states that a view reads.
///
/// # Errors
///
/// When the name is unknown or the arguments are rejected.
pub fn build_for_view(
    spec: &Spec,
    view: &FactoredView,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'static>, BuildError> {
    let Some(row) = registry::find(VIEW_HEURISTICS, &spec.name) else {
        let known = registry::names(VIEW_HEURISTICS);
        return Err(BuildError::Unknown { name: spec.name.clone(), known });
    };
    let arguments = Arguments::new(row.name, spec, row.arguments)?;
    (row.build.0)(&ViewRequest { arguments, view, resources })
}

impl ViewRequest<'_> {
    fn relaxed(&self, of: RelaxedHeuristic) -> Result<BoxedHeuristic<'static>, BuildError> {
        Ok(of.build(&Relaxation::of_view(self.view, &self.arguments)?))
    }

    /// The distance of each process to the nearest goal. With several goals, the least distance
    /// to one of them.
    fn local_distance(&self) -> Result<BoxedHeuristic<'static>, BuildError> {
        let combines = [("max", Aggregation::Max), ("sum", Aggregation::Sum)];
        let combine = self.arguments.choice("combine", &combines)?;
        let Resources { bytes, deadline, .. } = self.resources;
        let budget = MergeBudget::QUICK.within(bytes, deadline);
        let of = |system: &System| -> BoxedHeuristic<'static> {
            let factors = FromFactors::new(system, self.view.reading.clone(), budget);
            let factors = Arc::new(factors);
            Box::new(LocalDistance::new(factors.components(), factors.clone(), combine))
        };
        let system = &*self.view.system;
        if !(2..=MOST_GOALS).contains(&system.goals.len()) {
            return Ok(of(system));
        }
        let goals = system.goals.iter().map(|goal| {
            let goals = vec![goal.clone()];
            of(&System { goals, ..system.clone() })
        });
        Ok(Box::new(NearestGoal { name: "fsm", each: goals.collect() }))
    }

    /// The heuristics that `max` and `sum` combine.
    fn nested(&self) -> Result<Vec<BoxedHeuristic<'static>>, BuildError> {
        let values = self.arguments.repeated();
        let specs = values.iter().filter_map(|value| value.spec());
        specs.map(|spec| build_for_view(&spec, self.view, self.resources)).collect()
    }
}

/// The least of the estimates for several goals.
///
/// Claims: those that all parts share, each about its goal. A state is a dead end if it is one for
/// each goal.
#[derive(Clone)]
struct NearestGoal {
    name: &'static str,
    each: Vec<BoxedHeuristic<'static>>,
}

impl Heuristic for NearestGoal {
    fn name(&self) -> &str {
        self.name
    }

    fn claims(&self) -> Claims {
        shared_claims(&self.each)
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let estimates = self.each.iter_mut().map(|each| each.estimate(state));
        estimates.min().unwrap_or(Estimate::DeadEnd)
    }
}
