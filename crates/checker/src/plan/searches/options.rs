//! The arguments that several searches share: rows, and how they are read.

use beeline_kernel::CostModel;
use beeline_kernel::registry::ArgumentRow;
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_search::{GoalTest, SuccessorOrder, Weight};

use crate::plan::arguments::Arguments;

pub(super) const HEURISTIC: ArgumentRow = ArgumentRow::new(
    "h",
    "auto, or any of `beeline list heuristics`",
    "the heuristic; auto is the usual one for the property",
);
pub(super) const TIES: ArgumentRow = ArgumentRow::new(
    "ties",
    "lifo, fifo, low-h, low-g, or a heuristic",
    "what decides between states with equal f",
);
pub(super) const EVALUATE: ArgumentRow = ArgumentRow::new(
    "evaluate",
    "eager, lazy",
    "when states are estimated: when generated, or when expanded",
);
pub(super) const TEST: ArgumentRow = ArgumentRow::new(
    "test",
    "pop, generation",
    "when a state is looked at: when it is taken, or when it is generated",
);
pub(super) const REOPEN: ArgumentRow = ArgumentRow::new(
    "reopen",
    "yes, no",
    "whether a state is expanded again when there is a shorter way to it",
);
pub(super) const ORDER: ArgumentRow =
    ArgumentRow::new("order", "forward, reversed", "the order of successors");
pub(super) const COST: ArgumentRow = ArgumentRow::new(
    "cost",
    "steps, switches, messages, steps-then-switches",
    "what a trail costs: its steps, its changes from process to process, its messages, \
            or steps first and of equally long ones, changes",
);
pub(super) const WEIGHT: ArgumentRow = ArgumentRow::new("w", "1, or any number", "f = g + w·h");
pub(super) const MIX: ArgumentRow =
    ArgumentRow::new("mix", "a number from 0 to 1", "f = (1 - mix)·g + mix·h, instead of w");

/// Weights are fractions with at most this below.
const UNDER: u16 = 100;

/// Why most searches do not follow several heuristics.
const ONE_LIST: &str = "it follows one heuristic: `max(h1, h2)` or `sum(h1, h2)` makes one of \
                        several; `gbfs` takes a list";

/// The heuristic that a value names.
pub(crate) fn heuristic_of(value: &SpecValue) -> Result<Spec, String> {
    value.spec().ok_or_else(|| format!("`{value}` is not a heuristic"))
}

impl Arguments<'_> {
    /// The heuristic, which needs no key; `None` for the usual one.
    pub(super) fn heuristic(&mut self) -> Result<Option<Spec>, String> {
        match self.take("h") {
            None => Ok(None),
            Some(value) if value.text() == Some("auto") => Ok(None),
            Some(SpecValue::List(_)) => Err(ONE_LIST.to_owned()),
            Some(value) => heuristic_of(value).map(Some),
        }
    }

    pub(super) fn price(&mut self) -> Result<Option<CostModel>, String> {
        let prices = [
            ("steps", None),
            ("switches", Some(CostModel::Switches)),
            ("messages", Some(CostModel::Messages)),
            ("steps-then-switches", Some(CostModel::StepsThenSwitches)),
        ];
        self.choice("cost", &prices)
    }

    pub(super) fn order(&mut self) -> Result<SuccessorOrder, String> {
        let orders = [("forward", SuccessorOrder::Forward), ("reversed", SuccessorOrder::Reversed)];
        self.choice("order", &orders)
    }

    pub(super) fn test(&mut self) -> Result<GoalTest, String> {
        let tests = [("pop", GoalTest::Expansion), ("generation", GoalTest::Generation)];
        self.choice("test", &tests)
    }

    /// A number as a fraction.
    pub(super) fn weight(&mut self, key: &str) -> Result<Option<Weight>, String> {
        self.weight_up_to(key, u16::MAX / UNDER)
    }

    /// The same, and at most this.
    pub(super) fn weight_up_to(&mut self, key: &str, most: u16) -> Result<Option<Weight>, String> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.number().map(|number| number * f64::from(UNDER));
        match number.filter(|&over| (0.0..=f64::from(most * UNDER)).contains(&over)) {
            Some(over) => {
                let over = over.round() as u16;
                // The smaller the numbers, the closer the ranks.
                let common = common_divisor(over, UNDER);
                Ok(Some(Weight { over: over / common, under: UNDER / common }))
            }
            None => Err(format!("`{key}` is a number from 0 to {most}")),
        }
    }
}

/// The greatest number that divides both.
pub(crate) fn common_divisor(a: u16, b: u16) -> u16 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}
