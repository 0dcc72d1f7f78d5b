//! A pattern database: the distance to an error of each abstract state.

use std::collections::HashMap;

use beeline_factored::FactorId;

use super::exploration::{AbstractSpace, NEVER};
use super::feature::Feature;

/// The distances of all abstract states that can be reached.
#[derive(Debug)]
pub struct Database {
    features: Vec<Feature>,
    pattern: Vec<FactorId>,
    distances: HashMap<Box<[i32]>, u32>,
    initial: u32,
}

impl Database {
    pub(crate) fn new(features: Vec<Feature>, explored: &AbstractSpace) -> Database {
        let all = (0..explored.len()).map(|at| (explored.state(at).into(), explored.distances[at]));
        Database::of(features, all.collect(), explored.distances[0])
    }

    /// With distances that are known, also that of the initial state.
    pub(crate) fn of(
        features: Vec<Feature>,
        distances: HashMap<Box<[i32]>, u32>,
        initial: u32,
    ) -> Database {
        let mut pattern = Vec::new();
        features.iter().for_each(|feature| feature.factors(&mut |factor| pattern.push(factor)));
        pattern.sort_unstable();
        pattern.dedup();
        Database { features, pattern, distances, initial }
    }

    /// The factors that it looks at.
    pub fn pattern(&self) -> &[FactorId] {
        &self.pattern
    }

    /// What is kept.
    pub fn features(&self) -> &[Feature] {
        &self.features
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

    /// The distance of the initial state; `u32::MAX` where no error can be reached.
    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// What is kept of each state, with its distance, in order.
    pub(crate) fn sorted(&self) -> Vec<(&[i32], u32)> {
        let mut all: Vec<(&[i32], u32)> =
            self.distances.iter().map(|(kept, &distance)| (&**kept, distance)).collect();
        all.sort_unstable();
        all
    }

    /// The distance of the state where factors have these values, 0 where it is not known;
    /// `u32::MAX` where no error can be reached.
    pub(crate) fn distance(&self, values: &[i32], kept: &mut Vec<i32>) -> u32 {
        kept.clear();
        kept.extend(self.features.iter().map(|feature| feature.of(values)));
        self.distances.get(kept.as_slice()).copied().unwrap_or(0)
    }
}
