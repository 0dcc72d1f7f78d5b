//! The heuristics of planning tasks, by name.

use std::sync::Arc;

use beeline_factored::FactoredView;
use beeline_kernel::registry::{self, ArgumentRow, Arguments, Row};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Resources};

use super::fact_costs::{FactCombination, FactCosts};
use super::fact_task::FactTask;
use super::lmcut::LandmarkCut;
use crate::combine::{Max, Sum};
use crate::error::BuildError;
use crate::request::EACH;

/// A planning task as factored systems.
#[derive(Clone, Copy)]
pub struct FactoredTask<'r> {
    /// With the costs of actions.
    pub real: &'r FactoredView,
    /// With costs that are greater by one, for heuristics that order states.
    pub plus_one: &'r FactoredView,
}

/// A row of the registry of heuristics for planning tasks.
pub type TaskHeuristicRow = Row<TaskHeuristicBuilder>;

type Build = for<'r> fn(&TaskRequest<'r>) -> Result<BoxedHeuristic<'static>, BuildError>;

/// What builds a heuristic of a planning task.
#[derive(Clone, Copy)]
pub struct TaskHeuristicBuilder(Build);

/// A request for a heuristic of a planning task.
struct TaskRequest<'r> {
    arguments: Arguments<'r>,
    task: FactoredTask<'r>,
    resources: Resources<'r>,
}

const fn row(
    name: &'static str,
    arguments: &'static [ArgumentRow],
    about: &'static str,
    promises: &'static str,
    source: &'static str,
    build: Build,
) -> TaskHeuristicRow {
    let (promises, source) = (Some(promises), Some(source));
    let build = TaskHeuristicBuilder(build);
    Row { name, aliases: &[], arguments, about, promises, source, build }
}

/// The heuristics of planning tasks.
pub const TASK_HEURISTICS: &[TaskHeuristicRow] = &[
    row("blind", &[], "zero everywhere", "admissible, consistent, safe", "[ELL00] §3.5", |_| {
        Ok(Box::new(Blind))
    }),
    row(
        "hmax",
        &[],
        "cost of the most expensive fact that the goal needs, in the delete relaxation",
        "admissible, consistent, safe",
        "[BG01]",
        |of| Ok(of.costs(of.task.real, FactCombination::Max)),
    ),
    row(
        "hadd",
        &[],
        "sum of the costs of all facts that the goal needs, in the delete relaxation",
        "safe",
        "[BG01]",
        |of| Ok(of.costs(of.task.plus_one, FactCombination::Add)),
    ),
    row("hff", &[], "cost of a plan in the delete relaxation", "safe", "[HN01]", |of| {
        Ok(of.costs(of.task.plus_one, FactCombination::Plan))
    }),
    row(
        "lmcut",
        &[],
        "sum of the costs of landmarks: sets of actions of which each plan has one",
        "admissible, safe",
        "[HD09]",
        |of| {
            let task = Arc::new(FactTask::new(of.task.real));
            Ok(Box::new(LandmarkCut::new(task, of.task.real.reading.clone())))
        },
    ),
    row(
        "max",
        EACH,
        "the largest of several estimates",
        "what all of its parts claim",
        "textbook",
        |of| Ok(Box::new(Max::new(of.nested()?))),
    ),
    row(
        "sum",
        EACH,
        "the sum of several estimates",
        "safe, if all of its parts are",
        "textbook",
        |of| Ok(Box::new(Sum::new(of.nested()?))),
    ),
];

impl TaskRequest<'_> {
    fn costs(&self, view: &FactoredView, combination: FactCombination) -> BoxedHeuristic<'static> {
        let task = Arc::new(FactTask::new(view));
        Box::new(FactCosts::new(task, view.reading.clone(), combination))
    }

    fn nested(&self) -> Result<Vec<BoxedHeuristic<'static>>, BuildError> {
        let specs = self.arguments.repeated().iter().filter_map(|value| value.spec());
        specs.map(|spec| build_for_task(&spec, self.task, self.resources)).collect()
    }
}

/// Builds a heuristic for the states of a planning task.
///
/// # Errors
///
/// When the name is unknown or the arguments are rejected.
pub fn build_for_task(
    spec: &Spec,
    task: FactoredTask<'_>,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'static>, BuildError> {
    let Some(row) = registry::find(TASK_HEURISTICS, &spec.name) else {
        let known = registry::names(TASK_HEURISTICS);
        return Err(BuildError::Unknown { name: spec.name.clone(), known });
    };
    let arguments = Arguments::new(row.name, spec, row.arguments)?;
    (row.build.0)(&TaskRequest { arguments, task, resources })
}
