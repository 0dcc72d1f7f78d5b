//! A model in factored form, with a decoder of its states.

use std::sync::Arc;

use crate::dump::dump;
use crate::factor_reader::FactorReader;
use crate::ranges::Ranges;
use crate::system::System;

/// The view: the system, the ranges of its factors, and a decoder of states.
#[derive(Clone)]
pub struct FactoredView {
    /// The system.
    pub system: Arc<System>,
    /// The values of factors in reachable states.
    pub ranges: Ranges,
    /// Decodes states of the model into values of factors.
    pub reading: Arc<dyn FactorReader>,
}

impl FactoredView {
    /// The view as text.
    pub fn dump(&self) -> String {
        dump(&self.system, &self.ranges)
    }

    /// The values of the factors in a state of the model. `None` if no factors represent it.
    pub fn read(&self, state: &[u8]) -> Option<Vec<i32>> {
        let mut values = vec![0; self.system.factors.len()];
        let is_read = self.reading.read(state, &mut |factor, value| values[factor.index()] = value);
        is_read.then_some(values)
    }
}
