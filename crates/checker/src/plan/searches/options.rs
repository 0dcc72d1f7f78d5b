//! The arguments that several searches share: rows and parsing.

use beeline_kernel::CostModel;
use beeline_kernel::registry::{ArgumentError, ArgumentRow, Arguments, Expected};
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_search::{GoalTest, SuccessorOrder, Weight};

use crate::plan::error::PlanError;

pub(super) const HEURISTIC: ArgumentRow = ArgumentRow::new(
    "h",
    "auto, or any of `beeline list heuristics`",
    "the heuristic; auto is the default of the property",
);
pub(super) const TIES: ArgumentRow = ArgumentRow::new(
    "ties",
    "lifo, fifo, low-h, low-g, or a heuristic",
    "tie-breaking among states with equal f",
);
pub(super) const EVALUATE: ArgumentRow = ArgumentRow::new(
    "evaluate",
    "eager, lazy",
    "when a state is estimated: when it is generated, or when it is expanded",
);
pub(super) const TEST: ArgumentRow = ArgumentRow::new(
    "test",
    "pop, generation",
    "goal test: when a state is taken from the open list, or when it is generated",
);
pub(super) const REOPEN: ArgumentRow = ArgumentRow::new(
    "reopen",
    "yes, no; default: yes for astar, no for gbfs",
    "whether a state is expanded again when a shorter path to it is found",
);
pub(super) const ORDER: ArgumentRow =
    ArgumentRow::new("order", "forward, reversed", "the order of successors");
pub(super) const COST: ArgumentRow = ArgumentRow::new(
    "cost",
    "steps, switches, messages, steps-then-switches, time",
    "cost of a trail: its steps, its context switches, its messages, its steps and then its \
     context switches, or, for timed automata, the time that passes",
);
pub(super) const WEIGHT: ArgumentRow = ArgumentRow::new("w", "1, or any number", "f = g + w·h");
pub(super) const MIX: ArgumentRow =
    ArgumentRow::new("mix", "a number from 0 to 1", "f = (1 - mix)·g + mix·h, instead of w");

/// The denominator of weights, before the reduction to lowest terms.
const UNDER: u16 = 100;

/// The heuristic that a value names.
pub(crate) fn heuristic_of(value: &SpecValue) -> Result<Spec, PlanError> {
    value.spec().ok_or_else(|| PlanError::NoHeuristic(value.to_string()))
}

/// Parses the heuristic; `None` for the usual one.
pub(super) fn heuristic(arguments: &Arguments<'_>) -> Result<Option<Spec>, PlanError> {
    match arguments.value(HEURISTIC.name) {
        None => Ok(None),
        Some(value) if value.text() == Some("auto") => Ok(None),
        Some(SpecValue::List(_)) => Err(PlanError::OneHeuristic),
        Some(value) => heuristic_of(value).map(Some),
    }
}

/// Parses the cost of a trail; `None` for the number of steps.
pub(super) fn cost(arguments: &Arguments<'_>) -> Result<Option<CostModel>, ArgumentError> {
    let costs = [
        ("steps", None),
        ("switches", Some(CostModel::Switches)),
        ("messages", Some(CostModel::Messages)),
        ("steps-then-switches", Some(CostModel::StepsThenSwitches)),
        ("time", Some(CostModel::Time)),
    ];
    arguments.choice(COST.name, &costs)
}

pub(super) fn order(arguments: &Arguments<'_>) -> Result<SuccessorOrder, ArgumentError> {
    let orders = [("forward", SuccessorOrder::Forward), ("reversed", SuccessorOrder::Reversed)];
    arguments.choice(ORDER.name, &orders)
}

pub(super) fn goal_test(arguments: &Arguments<'_>) -> Result<GoalTest, ArgumentError> {
    let tests = [("pop", GoalTest::Expansion), ("generation", GoalTest::Generation)];
    arguments.choice(TEST.name, &tests)
}

/// The largest value of `w`.
pub(super) const MOST_WEIGHT: u16 = u16::MAX / UNDER;

/// Parses a number up to `most` as a fraction.
pub(super) fn weight(
    arguments: &Arguments<'_>,
    name: &'static str,
    most: u16,
) -> Result<Option<Weight>, ArgumentError> {
    let Some(value) = arguments.value(name) else { return Ok(None) };
    let number = value.number().map(|number| number * f64::from(UNDER));
    let Some(over) = number.filter(|&over| (0.0..=f64::from(most * UNDER)).contains(&over)) else {
        return Err(arguments.refuse(name, Expected::NumberWithin(0, most.into())));
    };
    Ok(Some(fraction(over.round() as u16, UNDER)))
}

/// A fraction in lowest terms: small terms give small ranks, and so few buckets.
pub(super) fn fraction(over: u16, under: u16) -> Weight {
    let common = common_divisor(over, under);
    Weight { over: over / common, under: under / common }
}

/// The greatest common divisor.
fn common_divisor(a: u16, b: u16) -> u16 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}
