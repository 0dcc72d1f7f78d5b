//! The distance-preserving abstraction as a heuristic: the error distance of the abstract state.
//!
//! Source: [DFP06] §3.
//! Claims: all, since every abstraction that preserves steps and errors is consistent (§2.2). If a
//! state has no abstract state, or no error is reachable from it, then no error is reachable from
//! the state: a proof.

use std::sync::Arc;

use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::component::StateFactors;
use super::system::Abstraction;

/// The error distance in an abstraction.
#[derive(Clone)]
pub struct Dpa<'a> {
    abstraction: Arc<Abstraction>,
    factors: Arc<dyn StateFactors + 'a>,
    locals: Vec<u32>,
    values: Vec<u32>,
}

impl<'a> Dpa<'a> {
    /// The error distance in an abstraction, for states that `factors` maps.
    pub fn new(abstraction: Arc<Abstraction>, factors: Arc<dyn StateFactors + 'a>) -> Dpa<'a> {
        let locals = vec![0; abstraction.components()];
        let values = vec![0; abstraction.nodes()];
        Dpa { abstraction, factors, locals, values }
    }
}

impl Heuristic for Dpa<'_> {
    fn name(&self) -> &str {
        "dpa"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        if !self.factors.locals(state, &mut self.locals) {
            return Estimate::Finite(Cost::ZERO);
        }
        match self.abstraction.distance(&self.locals, &mut self.values) {
            Some(distance) => Estimate::Finite(Cost(distance)),
            None => Estimate::DeadEnd,
        }
    }
}
