//! A pattern database: the distance to an error of each abstract state of a pattern.

use std::collections::HashMap;

use beeline_factored::FactorId;

use super::exploration::{Exploration, NEVER};

/// The distances of all abstract states that can be reached.
#[derive(Debug)]
pub struct Database {
    pattern: Vec<FactorId>,
    distances: HashMap<Box<[i32]>, u32>,
    initial: u32,
}

impl Database {
    pub(crate) fn new(pattern: Vec<FactorId>, explored: &Exploration) -> Database {
        let all = (0..explored.len()).map(|at| (explored.state(at).into(), explored.distances[at]));
        Database { pattern, distances: all.collect(), initial: explored.distances[0] }
    }

    /// The factors that are kept.
    pub fn pattern(&self) -> &[FactorId] {
        &self.pattern
    }

    /// How many abstract states there are.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Never: the initial state is in it.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Whether no error can be reached in the abstract system, and so in none.
    pub fn proves_absence(&self) -> bool {
        self.initial == NEVER
    }

    /// The distance of the state where factors have these values, 0 where it is not known;
    /// `u32::MAX` where no error can be reached.
    pub(crate) fn distance(&self, values: &[i32], kept: &mut Vec<i32>) -> u32 {
        kept.clear();
        kept.extend(self.pattern.iter().map(|factor| values[factor.index()]));
        self.distances.get(kept.as_slice()).copied().unwrap_or(0)
    }
}
