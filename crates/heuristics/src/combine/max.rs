//! The maximum of several estimates.
//!
//! Source: folklore; the maximum of lower bounds is a lower bound.
//! Claims: those that all parts share. A dead end of one part is a dead end.

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepPreference};

use crate::combine::preferences::combine_preferences;
use crate::goal::GoalKind;
use crate::request::{EACH, HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "max",
    aliases: &[],
    arguments: EACH,
    about: "the largest of several estimates",
    promises: Some("the guarantees that all of its parts have"),
    source: Some("textbook"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Max::new(of.nested()?))),
    },
};

/// The maximum of estimates.
#[derive(Clone)]
pub struct Max<'a> {
    each: Vec<Box<dyn Heuristic + 'a>>,
    /// Reused buffer.
    others: Vec<Estimate>,
}

impl<'a> Max<'a> {
    /// Combines these heuristics.
    pub fn new(each: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        Max { each, others: Vec::new() }
    }
}

/// The claims that all of these heuristics have.
pub(crate) fn shared_claims<'a>(each: &[Box<dyn Heuristic + 'a>]) -> Claims {
    let each = || each.iter().map(|each| each.claims());
    Claims {
        admissible: each().all(|claims| claims.admissible),
        consistent: each().all(|claims| claims.consistent),
        safe: each().all(|claims| claims.safe),
    }
}

impl Heuristic for Max<'_> {
    fn name(&self) -> &str {
        "max"
    }

    fn claims(&self) -> Claims {
        shared_claims(&self.each)
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.each
            .iter_mut()
            .map(|each| each.estimate(state))
            .max()
            .unwrap_or(Estimate::Finite(Cost::ZERO))
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        found.resize(successors.len(), Estimate::Finite(Cost::ZERO));
        let mut others = std::mem::take(&mut self.others);
        for each in &mut self.each {
            each.estimate_all(state, successors, &mut others);
            for (total, &more) in found.iter_mut().zip(&others) {
                *total = (*total).max(more);
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
