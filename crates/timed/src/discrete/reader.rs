//! Reads the values of factors from stored states.

use beeline_factored::{FactorId, FactorReader};

use super::factors::NetworkFactors;
use crate::network::TimedNetwork;
use crate::semantics::layout::{StoredNumber, ZoneLayout};

/// Reads stored states; their zones are skipped.
pub(super) struct DiscreteReader {
    stored: Vec<(FactorId, StoredNumber)>,
    /// The values that never change.
    fixed: Vec<(FactorId, i32)>,
}

impl DiscreteReader {
    pub(super) fn new(
        net: &TimedNetwork,
        factors: &NetworkFactors,
        layout: &ZoneLayout,
    ) -> DiscreteReader {
        let mut stored = Vec::new();
        for number in layout.numbers() {
            let factor = match number.is_location {
                true => factors.locations[number.index as usize],
                false => Some(factors.variable(number.index as usize)),
            };
            stored.extend(factor.map(|factor| (factor, number)));
        }
        let variables = net.variables.iter().enumerate().filter(|(_, one)| !one.is_written);
        let mut fixed: Vec<(FactorId, i32)> =
            variables.map(|(at, one)| (factors.variable(at), one.initial)).collect();
        fixed.push((factors.failed, 0));
        DiscreteReader { stored, fixed }
    }
}

impl FactorReader for DiscreteReader {
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool {
        for (factor, number) in &self.stored {
            tell(*factor, number.of(state));
        }
        for &(factor, value) in &self.fixed {
            tell(factor, value);
        }
        true
    }
}
