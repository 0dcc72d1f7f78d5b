//! The heuristics for networks, one row each.

use std::sync::Arc;
use std::time::Duration;

use beeline_heuristics::merge_and_shrink::{
    Abstraction, BucketOrder, Dpa, LabelReduction, LocalDistance, MergeAndShrinkOptions,
    MergeAndShrinkSettings, MergeBudget, MergeOrder, Shortage, Shrinking,
};
use beeline_heuristics::{Aggregation, BoxedHeuristic, Max, Sum};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, Deadline};

use super::factored::FactoredNetwork;
use crate::arguments::Arguments;
use crate::searches::SearchArgument;

/// A heuristic for networks that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct NetworkHeuristicRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it promises.
    pub claims: &'static str,
    /// Where it comes from; keys are in `docs/bibliography.md`.
    pub source: &'static str,
    /// What can stand in brackets.
    pub arguments: &'static [SearchArgument],
}

const EACH: &[SearchArgument] =
    &[SearchArgument { name: "of", values: "heuristics", about: "as many as one likes" }];

/// All heuristics for networks. The first is the usual one.
pub const NETWORK_HEURISTICS: &[NetworkHeuristicRow] = &[
    NetworkHeuristicRow {
        name: "dpa",
        about: "the error distance in a distance-preserving abstraction",
        claims: "admissible, consistent, safe",
        source: "[DFP06] §§3 to 5",
        arguments: &[
            SearchArgument {
                name: "n",
                values: "50, or 1 to 100000",
                about: "how many states a component has at most when it was shrunk",
            },
            SearchArgument {
                name: "order",
                values: "ranking, default",
                about: "which components are composed first: those that do something together \
                        near an error, or those that are defined first",
            },
            SearchArgument {
                name: "buckets",
                values: "near, far",
                about: "which states are kept apart first: those near to an error or far from one",
            },
            SearchArgument {
                name: "labels",
                values: "apart, combined",
                about: "whether actions are combined that all other components do alike",
            },
            SearchArgument {
                name: "shrink",
                values: "buckets, bisimulation",
                about: "whether bisimilar states of a process are one from the start, or only \
                        when it is composed",
            },
            SearchArgument {
                name: "bytes",
                values: "1073741824, or any number",
                about: "how much memory composing may take; then it ends, and estimates are lower",
            },
            SearchArgument {
                name: "seconds",
                values: "any number",
                about: "how long composing may take; without it work is counted, about ten \
                        seconds of it, so that every run is the same",
            },
        ],
    },
    NetworkHeuristicRow {
        name: "fsm",
        about: "how far each process is from an error state of its own",
        claims: "safe; `max` admissible and consistent",
        source: "[DFP06] §7, [ELL01] §4.2",
        arguments: &[SearchArgument {
            name: "combine",
            values: "max, sum",
            about: "the greatest distance of a process, or the sum of all",
        }],
    },
    NetworkHeuristicRow {
        name: "blind",
        about: "zero everywhere",
        claims: "admissible, consistent, safe",
        source: "[ELL00] §3.5",
        arguments: &[],
    },
    NetworkHeuristicRow {
        name: "max",
        about: "the largest of several estimates",
        claims: "what all of its parts claim",
        source: "",
        arguments: EACH,
    },
    NetworkHeuristicRow {
        name: "sum",
        about: "the sum of several estimates",
        claims: "safe if its parts are",
        source: "",
        arguments: EACH,
    },
];

/// The greatest N.
const MOST: usize = 100_000;

/// Whether there is a heuristic of this name for networks.
pub(crate) fn is_network_heuristic(name: &str) -> bool {
    NETWORK_HEURISTICS.iter().any(|row| row.name == name)
}

/// Builds a heuristic for the states of a network, with remarks for the user, and with what is
/// known when time is over.
///
/// # Errors
///
/// When there is none of this name, or it has no such arguments: in words, with what there is.
pub fn build_network_heuristic<'a>(
    spec: &Spec,
    network: &'a FactoredNetwork,
    deadline: Deadline,
    remarks: &mut Vec<String>,
) -> Result<BoxedHeuristic<'a>, String> {
    let Some(row) = NETWORK_HEURISTICS.iter().find(|row| row.name == spec.name) else {
        let names: Vec<_> = NETWORK_HEURISTICS.iter().map(|row| row.name).collect();
        let (name, names) = (&spec.name, names.join(", "));
        return Err(format!("there is no heuristic `{name}` for networks; there are: {names}"));
    };
    if matches!(row.name, "max" | "sum") {
        let each = nested(spec, network, deadline, remarks)?;
        return Ok(match row.name {
            "max" => Box::new(Max::new(each)),
            _ => Box::new(Sum::new(each)),
        });
    }
    let keys: Vec<&str> = row.arguments.iter().map(|argument| argument.name).collect();
    let mut arguments = Arguments::new(spec, &keys)?;
    let components = network.components();
    Ok(match row.name {
        "dpa" => {
            let settings = settings(&mut arguments)?;
            let options =
                MergeAndShrinkOptions { settings, budget: budget(&mut arguments, deadline)? };
            let abstraction = Abstraction::new(components, options);
            remarks.extend(abstraction.shortage().map(Shortage::remark));
            Box::new(Dpa::new(Arc::new(abstraction), Arc::new(network)))
        }
        "fsm" => {
            let combines = [("max", Aggregation::Max), ("sum", Aggregation::Sum)];
            let combine = arguments.choice("combine", &combines)?;
            Box::new(LocalDistance::new(components, network, combine))
        }
        _ => Box::new(Blind),
    })
}

fn settings(arguments: &mut Arguments<'_>) -> Result<MergeAndShrinkSettings, String> {
    let usual = MergeAndShrinkSettings::default();
    let n = match arguments.count("n")? {
        None => usual.n,
        Some(n @ 1..=MOST) => n,
        Some(_) => return Err(format!("`n` is a number from 1 to {MOST}")),
    };
    let orders = [("ranking", MergeOrder::Ranking), ("default", MergeOrder::Default)];
    let buckets = [("near", BucketOrder::Near), ("far", BucketOrder::Far)];
    let labels = [("apart", LabelReduction::Apart), ("combined", LabelReduction::Combined)];
    let shrink = [("buckets", Shrinking::Buckets), ("bisimulation", Shrinking::Bisimulation)];
    Ok(MergeAndShrinkSettings {
        labels: arguments.choice("labels", &labels)?,
        n,
        order: arguments.choice("order", &orders)?,
        buckets: arguments.choice("buckets", &buckets)?,
        shrink: arguments.choice("shrink", &shrink)?,
    })
}

fn budget(arguments: &mut Arguments<'_>, deadline: Deadline) -> Result<MergeBudget, String> {
    let mut budget = match arguments.take("seconds") {
        None => MergeBudget::AMPLE,
        Some(value) => {
            let time = value.number().map(Duration::try_from_secs_f64);
            let wrong = "`seconds` is a number from 0 on".to_owned();
            MergeBudget::seconds(time.and_then(Result::ok).ok_or(wrong)?)
        }
    };
    budget.bytes = arguments.count("bytes")?.unwrap_or(budget.bytes);
    Ok(budget.within(usize::MAX, deadline))
}

fn nested<'a>(
    spec: &Spec,
    network: &'a FactoredNetwork,
    deadline: Deadline,
    remarks: &mut Vec<String>,
) -> Result<Vec<BoxedHeuristic<'a>>, String> {
    if spec.arguments.is_empty() {
        return Err(format!("`{}` takes heuristics, as in max(dpa, fsm)", spec.name));
    }
    let mut build = |argument: &beeline_kernel::spec::SpecArgument| {
        let value = &argument.value;
        let inner = value.spec().filter(|_| argument.key.is_none());
        let inner = inner.ok_or_else(|| format!("`{value}` is not a heuristic"))?;
        build_network_heuristic(&inner, network, deadline, remarks)
    };
    spec.arguments.iter().map(&mut build).collect()
}
