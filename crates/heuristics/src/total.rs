//! The sum of several estimates.
//!
//! Source: folklore.
//! Claims: safe when all are; a sum of lower bounds is none, unless there is only one.
//! One that sees a dead end is believed.

use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic};

/// The sum of estimates.
pub struct Total<'a>(Vec<Box<dyn Heuristic + 'a>>);

impl<'a> Total<'a> {
    /// Of these.
    pub fn new(each: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        Total(each)
    }
}

impl Heuristic for Total<'_> {
    fn name(&self) -> &str {
        "sum"
    }

    fn claims(&self) -> Claims {
        if let [only] = &self.0[..] {
            return only.claims();
        }
        Claims { safe: self.0.iter().all(|each| each.claims().safe), ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.0.iter_mut().map(|each| each.estimate(state)).fold(Estimate::Finite(Cost::ZERO), add)
    }

    fn estimate_all(&mut self, state: &[u8], successors: &Expansion, found: &mut Vec<Estimate>) {
        found.clear();
        found.resize(successors.len(), Estimate::Finite(Cost::ZERO));
        let mut others = Vec::with_capacity(successors.len());
        for each in &mut self.0 {
            each.estimate_all(state, successors, &mut others);
            for (total, &more) in found.iter_mut().zip(&others) {
                *total = add(*total, more);
            }
        }
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(Total(self.0.iter().map(|each| each.fork()).collect()))
    }
}

fn add(one: Estimate, two: Estimate) -> Estimate {
    match (one, two) {
        (Estimate::Finite(one), Estimate::Finite(two)) => Estimate::Finite(one + two),
        _ => Estimate::DeadEnd,
    }
}
