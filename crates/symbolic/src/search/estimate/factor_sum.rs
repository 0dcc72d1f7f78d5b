//! Sums over factors: each factor has a distance for each value.
//!
//! The Hamming distance to a state is such a sum, with 1 for other values than that of the state;
//! the FSM distance has the distances of locations in the automata of the processes.

use std::collections::BTreeMap;

use beeline_factored::FactorId;

use crate::ldd::WeightTable;
use crate::limits::SymbolicError;
use crate::search::estimate::ComponentSum;
use crate::system::SymbolicSystem;

/// The distance of each value of a factor.
#[derive(Clone, Debug)]
pub struct FactorDistances {
    /// The factor.
    pub factor: FactorId,
    /// Distances by value.
    pub values: BTreeMap<i32, u64>,
    /// The distance of all other values; without it, they are dead ends.
    pub otherwise: Option<u64>,
}

impl ComponentSum {
    /// The sum of the distances of factors.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn of_factors(
        system: &mut SymbolicSystem<'_>,
        distances: &[FactorDistances],
    ) -> Result<ComponentSum, SymbolicError> {
        let (mut constant, mut tables) = (Some(0), Vec::new());
        for one in distances {
            match system.order.level(one.factor) {
                Some(level) => tables.push(table(system, level, one)?),
                None => {
                    let value = system.system.initial[one.factor.index()];
                    let distance = one.values.get(&value).copied().or(one.otherwise);
                    constant = constant.zip(distance).map(|(a, b)| a + b);
                }
            }
        }
        Ok(ComponentSum::new(constant, tables))
    }
}

/// The distances of the factor of a level.
fn table(
    system: &mut SymbolicSystem<'_>,
    level: u32,
    distances: &FactorDistances,
) -> Result<WeightTable, SymbolicError> {
    let forest = &mut system.forest;
    let mut by_distance: BTreeMap<u64, Vec<i32>> = BTreeMap::new();
    for (&value, &distance) in &distances.values {
        by_distance.entry(distance).or_default().push(value);
    }
    let mut values = Vec::new();
    for (distance, all) in by_distance {
        values.push((distance, forest.from_vectors(all.iter().map(std::slice::from_ref))?));
    }
    Ok(WeightTable::new(forest, vec![level], &values, distances.otherwise)?)
}
