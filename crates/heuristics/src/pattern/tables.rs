//! The databases of a heuristic: for each group of errors the maximum of the distances, or their
//! sum with cost partitioning; then the minimum over groups.

use std::ops::Range;

use super::budget::{PatternBudget, PatternShortage, PatternTooLarge};
use super::combination::TableCombination;
use super::cost_partitioning::CostShare;
use super::database::Database;
use super::exploration::{AbstractSpace, NEVER};
use super::feature::Feature;
use super::projection::Projection;
use super::recipe::Recipe;
use super::task::{AbstractTarget, PatternTask};

/// The databases of one group of errors.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) of: Range<usize>,
    pub(crate) together: TableCombination,
}

/// All databases.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) databases: Vec<Database>,
    pub(crate) groups: Vec<Group>,
    /// Whether all groups have databases; otherwise estimates are 0.
    pub(crate) is_complete: bool,
    /// Abstract states explored in total.
    pub(crate) explored: usize,
    /// The exhausted limit, if tables are incomplete for it.
    pub(crate) short_of: Option<PatternShortage>,
}

impl Tables {
    /// No groups.
    pub(crate) fn new() -> Tables {
        let (databases, groups) = (Vec::new(), Vec::new());
        Tables { databases, groups, is_complete: true, explored: 0, short_of: None }
    }

    /// Adds the databases of a group; empty if not even the smallest fits.
    pub(crate) fn add(&mut self, databases: Vec<Database>, together: TableCombination) {
        let first = self.databases.len();
        self.is_complete &= !databases.is_empty();
        self.databases.extend(databases);
        self.groups.push(Group { of: first..self.databases.len(), together });
    }

    /// The tables of a recipe, for all errors at once, each with its own budget. If time or memory
    /// runs out, there are no tables.
    ///
    /// # Errors
    ///
    /// Name and line of the first table that is too large.
    pub(crate) fn from_recipe(
        task: &PatternTask,
        recipe: &Recipe,
        each: PatternBudget,
    ) -> Result<Tables, (String, usize)> {
        let (targets, mut tables) = (task.all(), Tables::new());
        let mut share = CostShare::all(task);
        let mut databases = Vec::new();
        for table in &recipe.tables {
            let mut budget = each;
            let explored = explore(task, &table.features, &targets, &share, &mut budget);
            if explored.is_err() && budget.short_of.is_some() {
                tables.short_of = budget.short_of;
                databases.clear();
                break;
            }
            let explored = explored.map_err(|_| (table.name.clone(), table.line))?;
            if recipe.together == TableCombination::Sum {
                explored.saturate(&mut share);
            }
            tables.explored += budget.explored;
            databases.push(Database::new(table.features.clone(), &explored));
        }
        tables.add(databases, recipe.together);
        Ok(tables)
    }

    /// The distance of a state, given the values of its factors; `u32::MAX` if no error is
    /// reachable.
    pub(crate) fn distance(&self, values: &[i32], kept: &mut Vec<i32>) -> u32 {
        if !self.is_complete {
            return 0;
        }
        let mut least = NEVER;
        for group in &self.groups {
            let all = self.databases[group.of.clone()].iter();
            least = least.min(group.together.of(all.map(|one| one.distance(values, kept))));
        }
        least
    }

    /// Whether the databases prove that there is no error.
    pub(crate) fn proves_absence(&self) -> bool {
        let is_proved =
            |group: &Group| self.databases[group.of.clone()].iter().any(Database::proves_absence);
        self.is_complete && self.groups.iter().all(is_proved)
    }
}

/// Explores the projection of a task.
pub(crate) fn explore(
    task: &PatternTask,
    features: &[Feature],
    targets: &[AbstractTarget],
    share: &CostShare,
    budget: &mut PatternBudget,
) -> Result<AbstractSpace, PatternTooLarge> {
    AbstractSpace::of(task, Projection::new(task, features, targets), share, budget)
}
