//! Sums over factors: each factor has a distance for each value.
//!
//! The Hamming distance to a state is such a sum, with 1 for other values than that of the state;
//! the FSM distance has the distances of locations in the automata of the processes.

use std::collections::BTreeMap;

use beeline_factored::FactorId;

use crate::costed_step::{CostedSets, add_to};
use crate::ldd::{LevelAccess, Set, Support, SupportLevel};
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
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

/// The sum of the distances of factors.
#[derive(Clone, Debug)]
pub struct FactorSum {
    terms: Vec<Term>,
    /// The distances of factors that have one value. `None`: dead ends.
    constant: Option<u64>,
}

/// The distances of one level.
#[derive(Clone, Debug)]
struct Term {
    support: Support,
    /// Values by distance.
    values: CostedSets,
    listed: Set,
    otherwise: Option<u64>,
}

impl FactorSum {
    /// The sum of these distances.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn new(
        system: &mut SymbolicSystem<'_>,
        distances: &[FactorDistances],
    ) -> Result<FactorSum, SymbolicError> {
        let mut sum = FactorSum { terms: Vec::new(), constant: Some(0) };
        for one in distances {
            match system.order.level(one.factor) {
                Some(level) => sum.terms.push(Term::new(system, level, one)?),
                None => {
                    let value = system.system.initial[one.factor.index()];
                    let distance = one.values.get(&value).copied().or(one.otherwise);
                    sum.constant = sum.constant.zip(distance).map(|(a, b)| a + b);
                }
            }
        }
        Ok(sum)
    }
}

impl Term {
    fn new(
        system: &mut SymbolicSystem<'_>,
        level: u32,
        distances: &FactorDistances,
    ) -> Result<Term, SymbolicError> {
        let forest = &mut system.forest;
        let support = Support::new(forest, vec![SupportLevel::new(level, LevelAccess::Read)]);
        let mut by_distance: BTreeMap<u64, Vec<i32>> = BTreeMap::new();
        for (&value, &distance) in &distances.values {
            by_distance.entry(distance).or_default().push(value);
        }
        let mut values = Vec::new();
        let mut listed = forest.empty();
        for (distance, all) in by_distance {
            let set = forest.from_vectors(all.iter().map(std::slice::from_ref))?;
            listed = forest.union(&listed, &set)?;
            values.push((distance, set));
        }
        Ok(Term { support, values, listed, otherwise: distances.otherwise })
    }

    /// Splits a set by its distances.
    fn split(
        &self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let forest = &mut system.forest;
        let mut parts = Vec::new();
        for (distance, values) in &self.values {
            parts.push((*distance, forest.join(set, values, &self.support)?));
        }
        if let Some(distance) = self.otherwise {
            parts.push((distance, forest.anti_join(set, &self.listed, &self.support)?));
        }
        Ok(parts)
    }
}

impl SymbolicEstimate for FactorSum {
    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let Some(constant) = self.constant else { return Ok(Vec::new()) };
        let mut sums = BTreeMap::from([(constant, set.clone())]);
        for term in &self.terms {
            let mut next = BTreeMap::new();
            for (sum, part) in sums {
                for (distance, states) in term.split(system, &part)? {
                    add_to(&mut system.forest, &mut next, sum + distance, states)?;
                }
            }
            sums = next;
        }
        Ok(sums.into_iter().filter(|(_, part)| !part.is_empty()).collect())
    }
}
