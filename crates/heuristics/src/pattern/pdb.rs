//! Pattern databases as a heuristic: the distance of the abstract state, minimised over groups of
//! errors.
//!
//! Source: [CS98], [EMJ05] Abstraction Databases.
//! Claims: all. A projection is a homomorphic image with all errors of the system, so its distances
//! are admissible and consistent (theorem there); so are the minimum and the maximum of several,
//! and the sum if each operator costs in one table only. If no error is reachable from the abstract
//! state, none is from the state: a proof.
//! A state that cannot be read, or is not in a table, has estimate 0. Neither is reachable.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use beeline_factored::{FactorReader, Ranges, System};
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::budget::{PatternBudget, PatternShortage};
use super::combination::TableCombination;
use super::database::Database;
use super::exploration::NEVER;
use super::feature::Feature;
use super::recipe::{Recipe, TableRecipe, UnknownFactor, find, instead};
use super::refinement::{RefinementSettings, refine};
use super::tables::Tables;
use super::task::PatternTask;

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPattern {
    /// There is no factor of this name; the known names.
    Unknown(String, Vec<String>),
    /// The factor is a summary factor.
    Summary(String),
    /// There are too many abstract states.
    TooLarge,
    /// A table of a recipe, by name and line, has too many abstract states.
    TableTooLarge(String, usize),
}

impl fmt::Display for NoPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPattern::Unknown(name, known) => {
                write!(f, "names `{name}`, which does not exist; {}", instead(name, known))
            }
            NoPattern::Summary(name) => {
                write!(f, "names `{name}`, which stands for many processes")
            }
            NoPattern::TooLarge => write!(f, "has too many abstract states"),
            NoPattern::TableTooLarge(name, line) => {
                write!(
                    f,
                    "line {line}: table `{name}` has too many abstract states, or too many steps \
                     between them"
                )
            }
        }
    }
}

impl Error for NoPattern {}

/// The distance in pattern databases.
#[derive(Clone)]
pub struct Pdb<'a> {
    tables: Arc<Tables>,
    reading: Arc<dyn FactorReader + 'a>,
    values: Vec<i32>,
    kept: Vec<i32>,
}

impl<'a> Pdb<'a> {
    /// Patterns by refinement.
    pub fn refined(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        settings: RefinementSettings,
    ) -> Self {
        let task = PatternTask::new(system, ranges);
        Pdb::new(&task.system, refined(&task, PatternBudget::new(settings.states)), reading)
    }

    /// The same within a budget. Tells what it was short of.
    pub(crate) fn refined_within(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        budget: PatternBudget,
    ) -> (Self, Option<PatternShortage>) {
        let task = PatternTask::new(system, ranges);
        let tables = refined(&task, budget);
        let short_of = tables.short_of;
        (Pdb::new(&task.system, tables, reading), short_of)
    }

    /// One pattern: factors by name, or all factors of a process or an array.
    ///
    /// # Errors
    ///
    /// When there are no such factors, or too many abstract states.
    pub fn named(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        settings: RefinementSettings,
        names: &[String],
    ) -> Result<Self, NoPattern> {
        let task = PatternTask::new(system, ranges);
        let tables = named(&task, PatternBudget::new(settings.states), names)?;
        Ok(Pdb::new(&task.system, tables, reading))
    }

    /// The tables of a recipe.
    ///
    /// # Errors
    ///
    /// When a table has too many abstract states.
    pub fn from_recipe(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn FactorReader + 'a>,
        settings: RefinementSettings,
        recipe: &Recipe,
    ) -> Result<Self, NoPattern> {
        let task = PatternTask::new(system, ranges);
        let tables = from_recipe(&task, PatternBudget::new(settings.states), recipe)?;
        Ok(Pdb::new(&task.system, tables, reading))
    }

    pub(crate) fn new(
        system: &System,
        tables: Tables,
        reading: Arc<dyn FactorReader + 'a>,
    ) -> Self {
        let values = vec![0; system.factors.len()];
        Pdb { tables: Arc::new(tables), reading, values, kept: Vec::new() }
    }

    /// The databases, ordered by groups of errors.
    pub fn databases(&self) -> &[Database] {
        &self.tables.databases
    }

    /// Abstract states explored in total, including abandoned and refined patterns.
    pub fn explored(&self) -> usize {
        self.tables.explored
    }

    /// Whether the abstractions alone prove that there is no error.
    pub fn proves_absence(&self) -> bool {
        self.tables.proves_absence()
    }
}

/// Tables by refinement.
pub(crate) fn refined(task: &PatternTask, mut budget: PatternBudget) -> Tables {
    let mut tables = Tables::new();
    let mut left = task.groups.len();
    for targets in &task.groups {
        // Unused work is left for the next groups.
        let share = budget.work / left;
        let mut own = PatternBudget { work: share, ..budget };
        let (databases, together) = refine(task, targets, &mut own);
        tables.add(databases, together);
        budget = PatternBudget { work: budget.work - share.saturating_sub(own.work), ..own };
        left -= 1;
    }
    (tables.explored, tables.short_of) = (budget.explored, budget.short_of);
    tables
}

/// A table of named factors.
pub(crate) fn named(
    task: &PatternTask,
    budget: PatternBudget,
    names: &[String],
) -> Result<Tables, NoPattern> {
    let mut pattern = Vec::new();
    for name in names {
        pattern.extend(find(&task.system, name).map_err(|cause| match cause {
            UnknownFactor::Unknown(known) => NoPattern::Unknown(name.clone(), known),
            UnknownFactor::Summary => NoPattern::Summary(name.clone()),
        })?);
    }
    pattern.sort_unstable();
    pattern.dedup();
    let features = pattern.into_iter().map(Feature::Value).collect();
    let table = TableRecipe { name: String::new(), features, line: 0 };
    let recipe = Recipe { together: TableCombination::Max, tables: vec![table] };
    from_recipe(task, budget, &recipe).map_err(|_| NoPattern::TooLarge)
}

/// The tables of a recipe.
pub(crate) fn from_recipe(
    task: &PatternTask,
    budget: PatternBudget,
    recipe: &Recipe,
) -> Result<Tables, NoPattern> {
    let tables = Tables::from_recipe(task, recipe, budget);
    tables.map_err(|(name, line)| NoPattern::TableTooLarge(name, line))
}

impl Heuristic for Pdb<'_> {
    fn name(&self) -> &str {
        "pdb"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let values = &mut self.values;
        let fits = self.reading.read(state, &mut |factor, value| values[factor.index()] = value);
        if !fits {
            return Estimate::Finite(Cost::ZERO);
        }
        match self.tables.distance(&self.values, &mut self.kept) {
            NEVER => Estimate::DeadEnd,
            distance => Estimate::Finite(Cost(distance)),
        }
    }
}
