//! The distance-preserving abstraction as a heuristic: the error distance of the abstract state.
//!
//! Source: [DFP06] §3.
//! Claims: all of them, since every abstraction of a system that keeps its steps and its errors
//! is consistent (§2.2). Where a state has no abstract state, or there is no error to be reached
//! from that, there is none to be reached from the state, which is a proof.

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
    /// In this abstraction, for states that are read so.
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
