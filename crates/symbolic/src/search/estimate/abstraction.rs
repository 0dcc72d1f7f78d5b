//! Merge-and-shrink abstractions as sets: cascading tables become a weight table over all levels that
//! they depend on, from the tables of single groups of factors to those of their products.
//!
//! Source: S. Edelkamp, P. Kissmann and A. Torralba, "Symbolic A* search with pattern databases and
//! the merge-and-shrink abstraction", ECAI 2012. With components in the order of the levels, the
//! diagram has at most as many nodes at a level as the abstraction has states.
//! Claims: those of the abstraction.

use beeline_factored::{CascadingTables, ErrorValues, FactorId, Interval, TableSource};

use crate::costed_step::CostedSets;
use crate::ldd::{LevelAccess, Support, SupportLevel, WeightTable};
use crate::limits::SymbolicError;
use crate::search::estimate::{ComponentSum, LargestEstimate};
use crate::system::SymbolicSystem;

/// A group of factors with more combinations of values among the errors counts as one in which all
/// are errors.
const MOST_VALUES: u64 = 1 << 14;

/// Builds an abstraction: given the order of the factors, and the values of the errors.
pub type BuildAbstraction<'b> =
    dyn Fn(&[FactorId], &mut ErrorValues<'_>) -> CascadingTables + Sync + 'b;

impl SymbolicSystem<'_> {
    /// The distances in an abstraction to errors.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub(super) fn abstraction_distances(
        &mut self,
        errors: &CostedSets,
        build: &BuildAbstraction<'_>,
    ) -> Result<LargestEstimate<'static>, SymbolicError> {
        let order = self.order.factors().to_vec();
        let mut failed = None;
        let mut values = |factors: &[FactorId]| match self.values_at(factors, errors) {
            Ok(values) => values,
            Err(error) => {
                failed = Some(error);
                None
            }
        };
        let tables = build(&order, &mut values);
        match failed {
            Some(error) => Err(error),
            None => self.distances_in(&tables, true),
        }
    }

    /// The distances in an abstraction, which may be of another system; then they may not be
    /// consistent.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn distances_in(
        &mut self,
        cascading: &CascadingTables,
        is_consistent: bool,
    ) -> Result<LargestEstimate<'static>, SymbolicError> {
        let mut made: Vec<WeightTable> = Vec::new();
        for table in &cascading.tables {
            let state = |number: u64| table.states[number as usize].map(u64::from);
            made.push(match table.source {
                TableSource::Group(group) => {
                    self.group_table(&cascading.groups[group], &table.states)?
                }
                TableSource::Table(of) => made[of].map(&mut self.forest, state)?,
                TableSource::Pairs { first, second, width } => {
                    let pair = |a: u64, b: u64| state(a * width as u64 + b);
                    WeightTable::product(&mut self.forest, [&made[first], &made[second]], pair)?
                }
            });
        }
        let mut parts = LargestEstimate::default();
        for (root, distances) in &cascading.roots {
            let distance = |state: u64| distances[state as usize].map(u64::from);
            let table = made[*root].map(&mut self.forest, distance)?;
            let sum = match table.levels() {
                [] => ComponentSum::new(table.constant(&self.forest), Vec::new()),
                _ => ComponentSum::new(Some(0), vec![table]),
            };
            parts.add(if is_consistent { sum.consistent() } else { sum });
        }
        Ok(parts)
    }

    /// The abstract states of the values of a group.
    fn group_table(
        &mut self,
        group: &[(FactorId, Interval)],
        states: &[Option<u32>],
    ) -> Result<WeightTable, SymbolicError> {
        let mut places: Vec<(u32, usize)> = Vec::new();
        for (at, (factor, _)) in group.iter().enumerate() {
            places.extend(self.order.level(*factor).map(|level| (level, at)));
        }
        places.sort_unstable();
        let mut rows: Vec<Vec<i32>> = Vec::new();
        for (number, state) in states.iter().enumerate() {
            let Some(state) = state else { continue };
            let mut rest = number as u64;
            let mut values = vec![0; group.len()];
            for (value, (_, domain)) in values.iter_mut().zip(group).rev() {
                *value = (domain.least + (rest % domain.size()) as i64) as i32;
                rest /= domain.size();
            }
            // A factor without a level has its initial value.
            let is_possible = group.iter().zip(&values).all(|((factor, _), value)| {
                let initial = self.system.initial[factor.index()];
                self.order.level(*factor).is_some() || *value == initial
            });
            if is_possible {
                let row = places.iter().map(|&(_, at)| values[at]);
                rows.push(row.chain([*state as i32]).collect());
            }
        }
        let rows = self.forest.from_vectors(rows.iter().map(Vec::as_slice))?;
        Ok(WeightTable::of_rows(places.into_iter().map(|(level, _)| level).collect(), rows))
    }

    /// The values that states have at some factors.
    fn values_at(
        &mut self,
        factors: &[FactorId],
        states: &CostedSets,
    ) -> Result<Option<Vec<Vec<i32>>>, SymbolicError> {
        let mut levels: Vec<u32> =
            factors.iter().filter_map(|&factor| self.order.level(factor)).collect();
        levels.sort_unstable();
        let reads = levels.iter().map(|&level| SupportLevel::new(level, LevelAccess::Read));
        let support = Support::new(&mut self.forest, reads.collect());
        let mut all = self.forest.empty();
        for (_, set) in states {
            let short = self.forest.project(set, &support)?;
            all = self.forest.union(&all, &short)?;
        }
        if self.forest.count(&all).to_u64().is_none_or(|count| count > MOST_VALUES) {
            return Ok(None);
        }
        let row = |vector: Vec<i32>| {
            let value = |&factor: &FactorId| {
                let at =
                    self.order.level(factor).and_then(|level| levels.binary_search(&level).ok());
                at.map_or(self.system.initial[factor.index()], |at| vector[at])
            };
            factors.iter().map(value).collect()
        };
        Ok(Some(self.forest.vectors(&all).map(row).collect()))
    }
}
