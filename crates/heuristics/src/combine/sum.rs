//! The sum of several estimates.
//!
//! Source: folklore.
//! Claims: safe if all parts are. A sum of lower bounds is no lower bound, unless it has one part.
//! A dead end of one part is a dead end.

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepPreference};

use crate::combine::preferences::combine_preferences;
use crate::goal::GoalKind;
use crate::request::{EACH, HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "sum",
    aliases: &[],
    arguments: EACH,
    about: "the sum of several estimates",
    promises: Some("safe if its parts are"),
    source: Some("textbook"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Sum::new(of.nested()?))),
    },
};

/// The sum of estimates.
#[derive(Clone)]
pub struct Sum<'a> {
    each: Vec<Box<dyn Heuristic + 'a>>,
    /// Reused buffer.
    others: Vec<Estimate>,
}

impl<'a> Sum<'a> {
    /// Combines these heuristics.
    pub fn new(each: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        Sum { each, others: Vec::new() }
    }
}

impl Heuristic for Sum<'_> {
    fn name(&self) -> &str {
        "sum"
    }

    fn claims(&self) -> Claims {
        if let [only] = &self.each[..] {
            return only.claims();
        }
        Claims { safe: self.each.iter().all(|each| each.claims().safe), ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.each
            .iter_mut()
            .map(|each| each.estimate(state))
            .fold(Estimate::Finite(Cost::ZERO), add)
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        found.resize(successors.len(), Estimate::Finite(Cost::ZERO));
        let mut others = std::mem::take(&mut self.others);
        for each in &mut self.each {
            each.estimate_all(state, successors, &mut others);
            for (total, &more) in found.iter_mut().zip(&others) {
                *total = add(*total, more);
            }
        }
        self.others = others;
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        combine_preferences(&mut self.each, state, successors, preferences);
    }
}

fn add(one: Estimate, two: Estimate) -> Estimate {
    match (one, two) {
        (Estimate::Finite(one), Estimate::Finite(two)) => Estimate::Finite(one + two),
        _ => Estimate::DeadEnd,
    }
}
