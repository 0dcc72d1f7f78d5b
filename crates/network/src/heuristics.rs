//! The heuristics for networks, one row each.

use std::sync::Arc;
use std::time::Duration;

use beeline_heuristics::merge_and_shrink::{
    Abstraction, BucketOrder, Dpa, LabelReduction, LocalDistance, MergeAndShrinkOptions,
    MergeAndShrinkSettings, MergeBudget, MergeOrder, Shrinking,
};
use beeline_heuristics::{Aggregation, Max, Sum};
use beeline_kernel::registry::{self, ArgumentError, ArgumentRow, Arguments, Expected, Row};
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_kernel::{Blind, BoxedHeuristic, Resources};
use beeline_model::HeuristicError;
use beeline_source::diagnostic::known_names;

use crate::components::NetworkComponents;

/// A heuristic for networks.
pub type NetworkHeuristicRow =
    Row<for<'a> fn(&NetworkRequest<'a, '_>) -> Result<BoxedHeuristic<'a>, HeuristicError>>;

/// The request for a heuristic, with the components of the network.
pub struct NetworkRequest<'a, 'r> {
    network: &'a NetworkComponents,
    arguments: Arguments<'r>,
    resources: Resources<'r>,
}

const EACH: &[ArgumentRow] =
    &[ArgumentRow { name: "of", values: "heuristics", about: "one or more", repeated: true }];

/// All heuristics for networks. The first is the default.
pub const NETWORK_HEURISTICS: &[NetworkHeuristicRow] = &[
    NetworkHeuristicRow {
        name: "dpa",
        aliases: &[],
        arguments: &[
            ArgumentRow::new(
                "n",
                "50, or 1 to 100000",
                "maximum number of states of a shrunk component",
            ),
            ArgumentRow::new(
                "order",
                "ranking, default",
                "which components are composed first: those that synchronise near an error, or \
                 those that are declared first",
            ),
            ArgumentRow::new(
                "buckets",
                "near, far",
                "which buckets are split first: those near an error, or those far from one",
            ),
            ArgumentRow::new(
                "labels",
                "apart, combined",
                "whether labels are combined that no other component distinguishes",
            ),
            ArgumentRow::new(
                "shrink",
                "buckets, bisimulation",
                "how components are shrunk: by buckets, or with bisimilar states of each process \
                 merged before the composition",
            ),
            ArgumentRow::new(
                "bytes",
                "1073741824, or any number",
                "memory limit of the composition; when it is reached, the composition stops, and \
                 estimates are lower",
            ),
            ArgumentRow::new(
                "seconds",
                "any number",
                "time limit of the composition; without one, the work is limited, to about ten \
                 seconds, so that every run is the same",
            ),
        ],
        about: "the error distance in a distance-preserving abstraction",
        promises: Some("admissible, consistent, safe"),
        source: Some("[DFP06] §§3 to 5"),
        build: |of| of.abstraction(),
    },
    NetworkHeuristicRow {
        name: "fsm",
        aliases: &[],
        arguments: &[ArgumentRow::new(
            "combine",
            "max, sum",
            "how distances are combined: their maximum or their sum",
        )],
        about: "distance of each process to its nearest error state",
        promises: Some("safe; `max` admissible and consistent"),
        source: Some("[DFP06] §7, [ELL01] §4.2"),
        build: |of| {
            let combines = [("max", Aggregation::Max), ("sum", Aggregation::Sum)];
            let combine = of.arguments.choice("combine", &combines)?;
            let factors = Arc::new(of.network);
            Ok(Box::new(LocalDistance::new(of.network.components(), factors, combine)))
        },
    },
    NetworkHeuristicRow {
        name: "blind",
        aliases: &[],
        arguments: &[],
        about: "zero everywhere",
        promises: Some("admissible, consistent, safe"),
        source: Some("[ELL00] §3.5"),
        build: |_| Ok(Box::new(Blind)),
    },
    NetworkHeuristicRow {
        name: "max",
        aliases: &[],
        arguments: EACH,
        about: "the largest of several estimates",
        promises: Some("the guarantees that all of its parts have"),
        source: Some("textbook"),
        build: |of| Ok(Box::new(Max::new(of.nested()?))),
    },
    NetworkHeuristicRow {
        name: "sum",
        aliases: &[],
        arguments: EACH,
        about: "the sum of several estimates",
        promises: Some("safe if its parts are"),
        source: Some("textbook"),
        build: |of| Ok(Box::new(Sum::new(of.nested()?))),
    },
];

/// The greatest value of N.
const MOST: usize = 100_000;

/// Builds a heuristic for the states of a network.
///
/// # Errors
///
/// When the name is unknown, or an argument is; the message lists the known ones.
pub fn build_network_heuristic<'a>(
    spec: &Spec,
    network: &'a NetworkComponents,
    resources: Resources<'_>,
) -> Result<BoxedHeuristic<'a>, HeuristicError> {
    let Some(row) = registry::find(NETWORK_HEURISTICS, &spec.name) else {
        let (name, names) = (&spec.name, registry::names(NETWORK_HEURISTICS));
        let known = known_names(name, &names);
        return Err(HeuristicError::Request(format!(
            "there is no heuristic `{name}` for networks{known}"
        )));
    };
    let arguments = Arguments::new(row.name, spec, row.arguments)?;
    (row.build)(&NetworkRequest { network, arguments, resources })
}

impl<'a> NetworkRequest<'a, '_> {
    /// The distance-preserving abstraction.
    fn abstraction(&self) -> Result<BoxedHeuristic<'a>, HeuristicError> {
        let options = MergeAndShrinkOptions { settings: self.settings()?, budget: self.budget()? };
        let abstraction = Abstraction::new(self.network.components(), options);
        if let Some(shortage) = abstraction.shortage() {
            (self.resources.tell)(shortage.remark());
        }
        Ok(Box::new(Dpa::new(Arc::new(abstraction), Arc::new(self.network))))
    }

    fn settings(&self) -> Result<MergeAndShrinkSettings, ArgumentError> {
        let arguments = &self.arguments;
        let orders = [("ranking", MergeOrder::Ranking), ("default", MergeOrder::Default)];
        let buckets = [("near", BucketOrder::Near), ("far", BucketOrder::Far)];
        let labels = [("apart", LabelReduction::Apart), ("combined", LabelReduction::Combined)];
        let shrink = [("buckets", Shrinking::Buckets), ("bisimulation", Shrinking::Bisimulation)];
        let usual = MergeAndShrinkSettings::default();
        Ok(MergeAndShrinkSettings {
            labels: arguments.choice("labels", &labels)?,
            n: arguments.count("n", 1, MOST)?.unwrap_or(usual.n),
            order: arguments.choice("order", &orders)?,
            buckets: arguments.choice("buckets", &buckets)?,
            shrink: arguments.choice("shrink", &shrink)?,
        })
    }

    fn budget(&self) -> Result<MergeBudget, ArgumentError> {
        let mut budget = match self.arguments.number("seconds")? {
            None => MergeBudget::AMPLE,
            Some(seconds) => {
                let time = Duration::try_from_secs_f64(seconds);
                let wrong = |_| self.arguments.refuse("seconds", Expected::NumberFrom(0));
                MergeBudget::seconds(time.map_err(wrong)?)
            }
        };
        budget.bytes = self.arguments.count("bytes", 0, usize::MAX)?.unwrap_or(budget.bytes);
        Ok(budget.within(usize::MAX, self.resources.deadline))
    }

    /// The heuristics that `max` and `sum` combine.
    fn nested(&self) -> Result<Vec<BoxedHeuristic<'a>>, HeuristicError> {
        let values = self.arguments.repeated();
        if values.is_empty() {
            let why = "it takes heuristics, as in max(dpa, fsm)";
            return Err(HeuristicError::Request(why.to_owned()));
        }
        let build = |value: &&SpecValue| {
            let inner = value.spec();
            let inner = inner
                .ok_or_else(|| HeuristicError::Request(format!("`{value}` is not a heuristic")))?;
            build_network_heuristic(&inner, self.network, self.resources)
        };
        values.iter().map(build).collect()
    }
}
