//! The largest of several estimates: the most cautious voice is heard.
//!
//! Source: folklore; the maximum of lower bounds is a lower bound.
//! Claims: what all of them claim. One that sees a dead end is believed.

use beeline_kernel::{Advice, Claims, Cost, Estimate, Expansion, Heuristic};

use crate::together::advise_together;

/// The largest estimate.
pub struct Maximum<'a> {
    each: Vec<Box<dyn Heuristic + 'a>>,
    /// Kept for its memory.
    others: Vec<Estimate>,
}

impl<'a> Maximum<'a> {
    /// Of these.
    pub fn new(each: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        Maximum { each, others: Vec::new() }
    }
}

impl Heuristic for Maximum<'_> {
    fn name(&self) -> &str {
        "max"
    }

    fn claims(&self) -> Claims {
        let each = || self.each.iter().map(|each| each.claims());
        Claims {
            admissible: each().all(|claims| claims.admissible),
            consistent: each().all(|claims| claims.consistent),
            safe: each().all(|claims| claims.safe),
        }
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

    fn advise(&mut self, state: &[u8], successors: &Expansion, advice: &mut Vec<Advice>) {
        advise_together(&mut self.each, state, successors, advice);
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(Maximum::new(self.each.iter().map(|each| each.fork()).collect()))
    }
}
