//! A pattern database: the goal distance of each abstract state.

use std::collections::HashMap;

use beeline_factored::FactorId;

use super::exploration::{AbstractSpace, NEVER};
use super::feature::Feature;

/// The distances of all reachable abstract states.
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

    /// A database with known distances.
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

    /// The factors of its features.
    pub fn pattern(&self) -> &[FactorId] {
        &self.pattern
    }

    /// The features.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Number of abstract states.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether it has no states; never true, since it has the initial state.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Whether no error is reachable in the abstract system, and so in the system.
    pub fn proves_absence(&self) -> bool {
        self.initial == NEVER
    }

    /// The distance of the initial state; `u32::MAX` if no error is reachable.
    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// The abstract states with their distances, sorted.
    pub(crate) fn sorted(&self) -> Vec<(&[i32], u32)> {
        let mut all: Vec<(&[i32], u32)> =
            self.distances.iter().map(|(kept, &distance)| (&**kept, distance)).collect();
        all.sort_unstable();
        all
    }

    /// The distance of a state, given the values of its factors; 0 if it is not in the table,
    /// `u32::MAX` if no error is reachable.
    pub(crate) fn distance(&self, values: &[i32], kept: &mut Vec<i32>) -> u32 {
        kept.clear();
        kept.extend(self.features.iter().map(|feature| feature.of(values)));
        self.distances.get(kept.as_slice()).copied().unwrap_or(0)
    }
}
