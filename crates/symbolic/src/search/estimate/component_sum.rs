//! Sums of functions of a few levels each: distances of single factors, of patterns, of parts of a
//! condition.
//!
//! Claims: those of the sum; it is admissible if each step costs something in one function only.

use std::collections::BTreeMap;

use crate::costed_step::{CostedSets, add_to};
use crate::ldd::{Set, WeightTable};
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::system::SymbolicSystem;

/// Tables that are read at the same time, at most: a set is divided for each combination of what is
/// left of them.
const MOST_OPEN: usize = 8;

/// A sum of weight tables and a constant.
#[derive(Clone, Debug)]
pub struct ComponentSum {
    /// `None`: all states are dead ends.
    constant: Option<u64>,
    /// Tables that are read together.
    groups: Vec<Vec<WeightTable>>,
    is_consistent: bool,
}

impl ComponentSum {
    /// The sum of these tables and of a constant.
    pub fn new(constant: Option<u64>, tables: Vec<WeightTable>) -> ComponentSum {
        ComponentSum { constant, groups: groups(tables), is_consistent: false }
    }

    /// The sum, which is consistent by its construction.
    pub(super) fn consistent(self) -> ComponentSum {
        ComponentSum { is_consistent: true, ..self }
    }
}

/// Groups of tables of which at most `MOST_OPEN` overlap with one of them.
pub(super) fn groups(mut tables: Vec<WeightTable>) -> Vec<Vec<WeightTable>> {
    tables.sort_by(|a, b| a.levels().cmp(b.levels()));
    let mut groups: Vec<Vec<WeightTable>> = Vec::new();
    for table in tables {
        let has_room = |group: &&mut Vec<WeightTable>| {
            group.iter().filter(|other| other.overlaps(&table)).count() < MOST_OPEN
        };
        match groups.iter_mut().find(has_room) {
            Some(group) => group.push(table),
            None => groups.push(vec![table]),
        }
    }
    groups
}

/// Divides sets further by the sums of groups of tables.
pub(super) fn divide(
    system: &mut SymbolicSystem<'_>,
    sets: CostedSets,
    groups: &[Vec<WeightTable>],
) -> Result<CostedSets, SymbolicError> {
    let mut parts = sets;
    for group in groups {
        let mut finer = BTreeMap::new();
        for (sum, part) in parts {
            for (weight, states) in system.forest.divide(&part, group)?.parts {
                add_to(&mut system.forest, &mut finer, sum + weight, states)?;
            }
        }
        parts = finer.into_iter().collect();
    }
    Ok(parts)
}

impl SymbolicEstimate for ComponentSum {
    fn is_consistent(&self) -> bool {
        self.is_consistent
    }

    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let Some(constant) = self.constant else { return Ok(Vec::new()) };
        divide(system, vec![(constant, set.clone())], &self.groups)
    }
}
