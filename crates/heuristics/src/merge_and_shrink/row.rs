//! Building `dpa`: the merge-and-shrink abstraction of a model.

use std::sync::Arc;
use std::time::Duration;

use super::budget::MergeBudget;
use super::dpa::Dpa;
use super::from_factors::FromFactors;
use super::label_reduction::LabelReduction;
use super::merge_strategy::MergeOrder;
use super::options::{MergeAndShrinkOptions, MergeAndShrinkSettings};
use super::shrink::{BucketOrder, Shrinking};
use super::system::Abstraction;
use crate::error::BuildError;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow, Request, argument};
use beeline_factored::FactoredView;
use beeline_kernel::registry::{ArgumentRow, Arguments, Expected};
use beeline_kernel::{BoxedHeuristic, Resources};

/// The arguments of `dpa` for factored systems.
pub(crate) const ARGUMENTS: &[ArgumentRow] = &[
    argument("n", "maximum number of states of the abstraction, 1 to 100000 (default: 500)"),
    argument(
        "order",
        "order of composition, ranking or default, which is as declared (default: ranking)",
    ),
    argument("buckets", "near or far: which buckets are split first (default: near)"),
    argument(
        "labels",
        "apart, or combined where no other component distinguishes them (default: apart)",
    ),
    argument(
        "shrink",
        "buckets, or bisimulation: bisimilar states are merged before the composition (default: \
         buckets)",
    ),
    argument("bytes", "memory limit of the composition (default: 1073741824, a gibibyte)"),
    argument(
        "seconds",
        "time limit of the composition; without one, the work is limited, to about a second",
    ),
];

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "dpa",
    aliases: &[],
    arguments: ARGUMENTS,
    about: "error distance in a distance-preserving abstraction of the whole system",
    promises: Some("admissible, consistent, safe"),
    source: Some("[DFP06] §3"),
    build: HeuristicBuilder { goals: GoalKind::ALL, build: |of| of.abstracted() },
};

/// Default abstraction size for models. Models have fewer and larger components than networks: on
/// 23 goals of BEEM models, 500 expands a third fewer states than 50 in the mean, and takes 8 %
/// more time; 200 expands still fewer, but solves one goal less.
const USUAL_N: usize = 500;
/// The largest abstraction size.
const LARGEST_N: usize = 100_000;

impl<'a> Request<'a, '_> {
    /// The distance-preserving abstraction.
    fn abstracted(&self) -> Result<BoxedHeuristic<'a>, BuildError> {
        abstracted(&self.view()?, &self.arguments, self.resources)
    }
}

/// The distance-preserving abstraction of a factored view.
pub(crate) fn abstracted(
    view: &FactoredView,
    arguments: &Arguments<'_>,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'static>, BuildError> {
    let (settings, budget) = (settings(arguments)?, budget(arguments, resources)?);
    let options = MergeAndShrinkOptions { settings, budget };
    let factors = FromFactors::new(&view.system, view.reading.clone(), options.budget);
    let abstraction = Abstraction::new(factors.components(), options);
    if let Some(shortage) = factors.shortage().or(abstraction.shortage()) {
        (resources.tell)(shortage.remark());
    }
    Ok(Box::new(Dpa::new(Arc::new(abstraction), Arc::new(factors))))
}

fn settings(arguments: &Arguments<'_>) -> Result<MergeAndShrinkSettings, BuildError> {
    let n = arguments.count("n", 1, LARGEST_N)?.unwrap_or(USUAL_N);
    let order = [("ranking", MergeOrder::Ranking), ("default", MergeOrder::Default)];
    let buckets = [("near", BucketOrder::Near), ("far", BucketOrder::Far)];
    let labels = [("apart", LabelReduction::Apart), ("combined", LabelReduction::Combined)];
    let shrink = [("buckets", Shrinking::Buckets), ("bisimulation", Shrinking::Bisimulation)];
    Ok(MergeAndShrinkSettings {
        n,
        order: arguments.choice("order", &order)?,
        buckets: arguments.choice("buckets", &buckets)?,
        labels: arguments.choice("labels", &labels)?,
        shrink: arguments.choice("shrink", &shrink)?,
    })
}

/// The budget: a given time limit replaces the work limit, within the limits of the run.
fn budget(arguments: &Arguments<'_>, resources: Resources<'_>) -> Result<MergeBudget, BuildError> {
    let mut budget = match arguments.number("seconds")? {
        None => MergeBudget::QUICK,
        Some(seconds) => {
            let time = Duration::try_from_secs_f64(seconds);
            let refused = |_| arguments.refuse("seconds", Expected::AsDescribed);
            MergeBudget::seconds(time.map_err(refused)?)
        }
    };
    // The cast saturates, which is no limit.
    let bytes = arguments.number("bytes")?;
    budget.bytes = bytes.map_or(budget.bytes, |bytes| bytes as usize);
    Ok(budget.within(resources.bytes, resources.deadline))
}
