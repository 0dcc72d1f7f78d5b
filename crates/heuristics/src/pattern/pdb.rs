//! Pattern databases as a heuristic: the distance of the abstract state, of the nearest group of
//! errors.
//!
//! Source: [EMJ05] Abstraction Databases.
//! Claims: all. A projection has a step, or stays, wherever the system has a step, and its errors
//! are all of those of the system, so a distance in it is at most the true one (Theorem there) and
//! falls by no more than a step costs; so does the least of several. Where no error can be reached
//! from the abstract state there is none from the state: a proof.
//! A state that cannot be read, or is not in a table, is worth 0. Neither is reachable: the system
//! has all states that can be reached, and a table all abstract states of them.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use beeline_factored::{FactorId, Ranges, Reading, System};
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::database::Database;
use super::exploration::{Budget, Exploration, NEVER};
use super::projection::Projection;
use super::refinement::{Settings, refine};
use super::task::Task;

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPattern {
    /// There is no factor of this name; such there are.
    Unknown(String, Vec<String>),
    /// The factor stands for many things of one kind.
    Crowd(String),
    /// There are too many abstract states.
    TooLarge,
}

impl fmt::Display for NoPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPattern::Unknown(name, known) => {
                let some = known.iter().take(8).map(|name| format!("`{name}`"));
                let some = some.collect::<Vec<_>>().join(", ");
                write!(f, "names `{name}`, which is not there; there are {some}")?;
                if known.len() > 8 {
                    write!(f, " and {} more (`beeline dump --form factored`)", known.len() - 8)?;
                }
                Ok(())
            }
            NoPattern::Crowd(name) => write!(f, "names `{name}`, which stands for many processes"),
            NoPattern::TooLarge => write!(f, "has too many abstract states"),
        }
    }
}

impl Error for NoPattern {}

/// The distance in pattern databases.
#[derive(Clone)]
pub struct Pdb<'a> {
    /// One for each group of errors.
    databases: Arc<Vec<Database>>,
    /// All groups have one; otherwise nothing is known.
    is_complete: bool,
    explored: usize,
    reading: Arc<dyn Reading + 'a>,
    values: Vec<i32>,
    kept: Vec<i32>,
}

impl<'a> Pdb<'a> {
    /// With patterns that are found by refinement.
    pub fn refined(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn Reading + 'a>,
        settings: Settings,
    ) -> Self {
        let task = Task::new(system, ranges);
        let mut budget = Budget::new(settings.states);
        let (mut databases, mut is_complete) = (Vec::new(), true);
        let mut left = task.groups.len();
        for targets in &task.groups {
            // What one group does not use is for the others.
            let share = budget.work / left;
            let mut own = Budget { work: share, ..budget };
            match refine(&task, targets, &mut own) {
                Some(database) => databases.push(database),
                None => is_complete = false,
            }
            budget = Budget { work: budget.work - (share - own.work), ..own };
            left -= 1;
        }
        Pdb::new(&task, databases, is_complete, budget.explored, reading)
    }

    /// With one pattern: these factors, by name, or all of a process, or of an array.
    ///
    /// # Errors
    ///
    /// When there are no such factors, or too many abstract states.
    pub fn named(
        system: Arc<System>,
        ranges: Ranges,
        reading: Arc<dyn Reading + 'a>,
        settings: Settings,
        names: &[String],
    ) -> Result<Self, NoPattern> {
        let task = Task::new(system, ranges);
        let mut pattern = Vec::new();
        for name in names {
            pattern.extend(find(&task.system, name)?);
        }
        pattern.sort_unstable();
        pattern.dedup();
        let mut budget = Budget::new(settings.states);
        let projection = Projection::new(&task, &pattern, &task.all());
        let explored = Exploration::of(&task, projection, &mut budget);
        let explored = explored.map_err(|_| NoPattern::TooLarge)?;
        let database = Database::new(pattern, &explored);
        Ok(Pdb::new(&task, vec![database], true, budget.explored, reading))
    }

    fn new(
        task: &Task,
        databases: Vec<Database>,
        is_complete: bool,
        explored: usize,
        reading: Arc<dyn Reading + 'a>,
    ) -> Self {
        let values = vec![0; task.system.factors.len()];
        let databases = Arc::new(databases);
        Pdb { databases, is_complete, explored, reading, values, kept: Vec::new() }
    }

    /// The databases, one for each group of errors.
    pub fn databases(&self) -> &[Database] {
        &self.databases
    }

    /// Abstract states that were explored in all, also for patterns that were given up or refined.
    pub fn explored(&self) -> usize {
        self.explored
    }

    /// Whether the abstractions alone prove that there is no error.
    pub fn proves_absence(&self) -> bool {
        self.is_complete && self.databases.iter().all(Database::proves_absence)
    }
}

/// The factors of a name, without those that stand for many.
fn find(system: &System, name: &str) -> Result<Vec<FactorId>, NoPattern> {
    let is_meant = |factor: &str| {
        let rest = factor.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', ':', '[', '.']))
    };
    let all = system.factors.iter().enumerate();
    let meant: Vec<usize> =
        all.filter(|(_, factor)| is_meant(&factor.name)).map(|(at, _)| at).collect();
    if meant.is_empty() {
        let known = system.factors.iter().filter(|factor| !factor.is_crowd);
        let known = known.map(|factor| factor.name.clone()).collect();
        return Err(NoPattern::Unknown(name.to_owned(), known));
    }
    if meant.iter().any(|&at| system.factors[at].is_crowd) {
        return Err(NoPattern::Crowd(name.to_owned()));
    }
    Ok(meant.into_iter().map(|at| FactorId(at as u32)).collect())
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
        if !fits || !self.is_complete {
            return Estimate::Finite(Cost::ZERO);
        }
        let mut least = NEVER;
        for database in self.databases.iter() {
            least = least.min(database.distance(&self.values, &mut self.kept));
        }
        if least == NEVER { Estimate::DeadEnd } else { Estimate::Finite(Cost(least)) }
    }

    fn fork(&self) -> Box<dyn Heuristic + '_> {
        Box::new(self.clone())
    }
}
