//! The heuristics of planning tasks, by name.

use std::sync::{Arc, OnceLock};

use beeline_factored::{FactorReader, FactoredView};
use beeline_kernel::registry::{self, ArgumentRow, Arguments, Row};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Resources};

use super::fact_costs::{FactCombination, FactCosts};
use super::fact_task::{FactTask, OperatorCosts};
use super::landmark_count::LandmarkCount;
use super::lmcut::LandmarkCut;
use super::watched_max::WatchedMax;
use crate::combine::{Max, Sum};
use crate::error::BuildError;
use crate::merge_and_shrink::{
    Abstraction, Dpa, FromFactors, MergeAndShrinkOptions, MergeAndShrinkSettings, MergeBudget,
};
use crate::pattern::{PatternBudget, Pdb, RefinementSettings};
use crate::request::{EACH, argument};

/// A planning task as a factored system.
pub struct FactoredTask {
    view: FactoredView,
    /// Its facts, when a heuristic has used them.
    facts: OnceLock<Arc<FactTask>>,
    /// The same with the operators that the goal needs.
    relevant: OnceLock<Arc<FactTask>>,
}

impl FactoredTask {
    /// A task with this view.
    pub fn new(view: FactoredView) -> FactoredTask {
        FactoredTask { view, facts: OnceLock::new(), relevant: OnceLock::new() }
    }

    /// The view.
    pub fn view(&self) -> &FactoredView {
        &self.view
    }

    fn all(&self) -> &Arc<FactTask> {
        self.facts.get_or_init(|| Arc::new(FactTask::new(&self.view)))
    }

    /// The facts with all operators, with these costs.
    fn facts(&self, costs: OperatorCosts) -> Arc<FactTask> {
        with_costs(self.all(), costs)
    }

    /// The facts with the operators that the goal needs, with these costs.
    fn relevant(&self, costs: OperatorCosts) -> Arc<FactTask> {
        let relevant = self.relevant.get_or_init(|| Arc::new(self.all().relevant()));
        with_costs(relevant, costs)
    }
}

fn with_costs(real: &Arc<FactTask>, costs: OperatorCosts) -> Arc<FactTask> {
    match costs {
        OperatorCosts::Real => real.clone(),
        other => Arc::new(real.with_costs(other)),
    }
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
    task: &'r FactoredTask,
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

/// Which costs a heuristic that is not admissible has.
const COSTS: &[ArgumentRow] = &[ArgumentRow {
    name: "costs",
    values: "plus-one, task or one",
    about: "the costs of actions: those of the task and one more, those of the task, or one",
    repeated: false,
}];

const STATES: &[ArgumentRow] =
    &[argument("states", "maximum number of abstract states of a table, from 1 (default: 100000)")];

const SIZE: &[ArgumentRow] =
    &[argument("n", "maximum number of states of the abstraction, 1 to 100000 (default: 500)")];

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
        |of| Ok(Box::new(WatchedMax::new(of.task.relevant(OperatorCosts::Real), of.reading()))),
    ),
    row(
        "hadd",
        COSTS,
        "sum of the costs of all facts that the goal needs, in the delete relaxation",
        "safe",
        "[BG01]",
        |of| Ok(of.fact_costs(FactCombination::Add, of.costs()?)),
    ),
    row("hff", COSTS, "cost of a plan in the delete relaxation", "safe", "[HN01]", |of| {
        Ok(of.fact_costs(FactCombination::Plan, of.costs()?))
    }),
    row(
        "lmcut",
        &[],
        "sum of the costs of landmarks: sets of actions of which each plan has one",
        "admissible, safe",
        "[HD09]",
        |of| Ok(Box::new(LandmarkCut::new(of.task.relevant(OperatorCosts::Real), of.reading()))),
    ),
    row(
        "lmcount",
        COSTS,
        "cost of the facts that each plan has still to make true",
        "safe",
        "[RW10]",
        |of| {
            let (facts, deadline) = (of.task.facts(of.costs()?), of.resources.deadline);
            Ok(Box::new(LandmarkCount::new(facts, of.reading(), deadline)))
        },
    ),
    row(
        "pdb",
        STATES,
        "cost to the goal in abstractions that keep some variables, from tables",
        "admissible, consistent, safe",
        "[EMJ05] Abstraction Databases",
        |of| of.patterns(),
    ),
    row(
        "dpa",
        SIZE,
        "number of actions with a cost to the goal, in a merge-and-shrink abstraction",
        "admissible, consistent, safe",
        "[DFP06] §3",
        |of| of.abstraction(),
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
    fn reading(&self) -> Arc<dyn FactorReader> {
        self.task.view.reading.clone()
    }

    /// The costs that are asked for.
    fn costs(&self) -> Result<OperatorCosts, BuildError> {
        let choices = [
            ("plus-one", OperatorCosts::PlusOne),
            ("task", OperatorCosts::Real),
            ("one", OperatorCosts::One),
        ];
        Ok(self.arguments.choice("costs", &choices)?)
    }

    fn fact_costs(
        &self,
        combination: FactCombination,
        costs: OperatorCosts,
    ) -> BoxedHeuristic<'static> {
        Box::new(FactCosts::new(self.task.relevant(costs), self.reading(), combination))
    }

    /// Pattern databases by refinement.
    fn patterns(&self) -> Result<BoxedHeuristic<'static>, BuildError> {
        let states = self.arguments.count("states", 1, usize::MAX)?;
        let states = states.unwrap_or(RefinementSettings::default().states);
        let FactoredView { system, ranges, reading } = self.task.view.clone();
        let Resources { bytes, deadline, .. } = self.resources;
        let budget = PatternBudget { bytes, deadline, ..PatternBudget::new(states) };
        let (pdb, short_of) = Pdb::refined_within(system, ranges, reading, budget);
        if let Some(short_of) = short_of {
            (self.resources.tell)(short_of.remark());
        }
        Ok(Box::new(pdb))
    }

    /// A merge-and-shrink abstraction. Its labels cost 1 or nothing.
    fn abstraction(&self) -> Result<BoxedHeuristic<'static>, BuildError> {
        let n = self.arguments.count("n", 1, 100_000)?.unwrap_or(500);
        let settings = MergeAndShrinkSettings { n, ..MergeAndShrinkSettings::default() };
        let budget = MergeBudget::QUICK.within(self.resources.bytes, self.resources.deadline);
        let options = MergeAndShrinkOptions { settings, budget };
        let factors = FromFactors::new(&self.task.view.system, self.reading(), budget);
        let abstraction = Abstraction::new(factors.components(), options);
        if let Some(shortage) = factors.shortage().or(abstraction.shortage()) {
            (self.resources.tell)(shortage.remark());
        }
        Ok(Box::new(Dpa::new(Arc::new(abstraction), Arc::new(factors))))
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
    task: &FactoredTask,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'static>, BuildError> {
    let Some(row) = registry::find(TASK_HEURISTICS, &spec.name) else {
        let known = registry::names(TASK_HEURISTICS);
        return Err(BuildError::Unknown { name: spec.name.clone(), known });
    };
    let arguments = Arguments::new(row.name, spec, row.arguments)?;
    (row.build.0)(&TaskRequest { arguments, task, resources })
}
