//! Cascading tables: a merge-and-shrink abstraction as a function of the values of factors.
//!
//! Source: M. Helmert, P. Haslum, J. Hoffmann and R. Nissim, "Merge-and-shrink abstraction: a method
//! for generating lower bounds in factored state spaces", JACM 2014, which has the name.

use crate::factor::FactorId;
use crate::interval::Interval;

/// The values that errors have at some factors; `None` if they may have any values.
pub type ErrorValues<'v> = dyn FnMut(&[FactorId]) -> Option<Vec<Vec<i32>>> + 'v;

/// A merge-and-shrink abstraction: tables from the states of groups of factors to abstract states,
/// and the error distances of abstract states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CascadingTables {
    /// Groups of factors with their domains. The state of a group is a number of mixed radix, the
    /// first factor most significant.
    pub groups: Vec<Vec<(FactorId, Interval)>>,
    /// The tables. Each comes after those that it depends on.
    pub tables: Vec<CascadingTable>,
    /// The tables whose distances count, with the distance of each of their states; `None` where no
    /// error is reachable. The largest one is the estimate.
    pub roots: Vec<(usize, Vec<Option<u32>>)>,
}

/// A table of abstract states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CascadingTable {
    /// What it maps.
    pub source: TableSource,
    /// The abstract state by the number of the state; `None` where no error is reachable.
    pub states: Vec<Option<u32>>,
}

/// The states that a table maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSource {
    /// Those of a group.
    Group(usize),
    /// Those of another table.
    Table(usize),
    /// Pairs of states of two tables: the number of the first, times `width`, plus that of the
    /// second.
    Pairs {
        /// The first table.
        first: usize,
        /// The second table.
        second: usize,
        /// The number of states of the second table.
        width: usize,
    },
}

impl CascadingTables {
    /// The error distance of a state; `None` if no error is reachable from it.
    pub fn distance(&self, state: &[i32]) -> Option<u32> {
        let mut values: Vec<u32> = Vec::new();
        for table in &self.tables {
            let number = match table.source {
                TableSource::Group(group) => self.number(group, state)?,
                TableSource::Table(table) => values[table] as usize,
                TableSource::Pairs { first, second, width } => {
                    values[first] as usize * width + values[second] as usize
                }
            };
            values.push(table.states[number]?);
        }
        let distances = self.roots.iter().map(|(root, all)| all[values[*root] as usize]);
        distances.collect::<Option<Vec<u32>>>().map(|all| all.into_iter().max().unwrap_or(0))
    }

    /// The number of the state of a group; `None` outside of the domains.
    fn number(&self, group: usize, state: &[i32]) -> Option<usize> {
        self.groups[group].iter().try_fold(0, |number, &(factor, domain)| {
            let value = state[factor.index()];
            let digit = (i64::from(value) - domain.least) as usize;
            domain.contains(value).then_some(number * domain.size() as usize + digit)
        })
    }
}
