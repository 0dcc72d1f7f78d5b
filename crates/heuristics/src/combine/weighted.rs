//! An estimate multiplied by a weight.
//!
//! Source: WA\* of [ELL00] §4.1 weights the estimate in the search. Here the weight belongs to the
//! estimate, so that it can be a part of a sum or maximum.
//! Claims: those of the estimate; with a weight above one only its safety.

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepPreference};

use crate::goal::GoalKind;
use crate::incremental::process_sum::LARGEST;
use crate::request::{HeuristicBuilder, HeuristicRow, argument};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "weighted",
    aliases: &[],
    arguments: &[
        argument("of", "a heuristic"),
        argument("weight", "a number, at least 0 (default: 1)"),
    ],
    about: "an estimate multiplied by a weight",
    promises: Some(
        "safe if its part is; with a weight of at most 1, admissible and consistent if its part is",
    ),
    source: Some("[ELL00] §4.1"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| {
            let weight = of.arguments.number("weight")?.unwrap_or(1.0);
            let one = of.arguments.value("of").ok_or_else(|| of.missing("of"))?;
            Ok(Box::new(Weighted::new(of.build_nested(one)?, weight)))
        },
    },
};

/// An estimate multiplied by a weight, rounded down.
#[derive(Clone)]
pub struct Weighted<'a> {
    of: Box<dyn Heuristic + 'a>,
    weight: f64,
}

impl<'a> Weighted<'a> {
    /// A negative weight counts as zero.
    pub fn new(of: Box<dyn Heuristic + 'a>, weight: f64) -> Self {
        Weighted { of, weight: weight.max(0.0) }
    }

    fn weigh(&self, estimate: Estimate) -> Estimate {
        match estimate {
            Estimate::DeadEnd => Estimate::DeadEnd,
            Estimate::Finite(Cost(cost)) => {
                let weighted = (f64::from(cost) * self.weight) as u32;
                Estimate::Finite(Cost(weighted.min(LARGEST)))
            }
        }
    }
}

impl Heuristic for Weighted<'_> {
    fn name(&self) -> &str {
        "weighted"
    }

    fn claims(&self) -> Claims {
        let claims = self.of.claims();
        let light = self.weight <= 1.0;
        Claims {
            admissible: claims.admissible && light,
            consistent: claims.consistent && light,
            safe: claims.safe,
        }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let estimate = self.of.estimate(state);
        self.weigh(estimate)
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        self.of.estimate_all(state, successors, found);
        found.iter_mut().for_each(|estimate| *estimate = self.weigh(*estimate));
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        self.of.step_preferences(state, successors, preferences);
    }
}
