//! h^max: the cost of the most expensive value that a goal needs; an operator costs its own cost
//! plus the cost of the most expensive value that it needs.
//!
//! Source: [BG01], generalised to sets of values.
//! Since operators cost at most 1, the cost of a value is the number of the first layer that has
//! it: the estimates are those of `hpl`.
//! Claims: all.

use beeline_kernel::{Claims, Estimate, Heuristic};

use super::compiled_relaxation::{ARGUMENTS, Relaxation};
use super::hpl::Hpl;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "hmax",
    aliases: &[],
    arguments: ARGUMENTS,
    about: "cost of the most expensive fact that an error needs, in the delete relaxation",
    promises: Some("admissible, consistent, safe"),
    source: Some("[AWW15] §2"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Hmax::new(&Relaxation::requested(of)?))),
    },
};

/// The cost of the most expensive value.
#[derive(Clone)]
pub struct Hmax<'a> {
    layers: Hpl<'a>,
}

impl<'a> Hmax<'a> {
    /// For the states of a relaxation.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        Hmax { layers: Hpl::new(relaxation) }
    }
}

impl Heuristic for Hmax<'_> {
    fn name(&self) -> &str {
        "hmax"
    }

    fn claims(&self) -> Claims {
        self.layers.claims()
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.layers.estimate(state)
    }

    fn effort(&self) -> u64 {
        self.layers.effort()
    }
}
