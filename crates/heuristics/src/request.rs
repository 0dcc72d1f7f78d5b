//! Rows of the registry, and requests from which heuristics are built.
//!
//! Each heuristic has its row in its own file.

use beeline_analysis::factored::{FactoredGoal, relaxed_view};
use beeline_engine::interpreter::Machine;
use beeline_factored::FactoredView;
use beeline_kernel::registry::{self, ArgumentProblem, ArgumentRow, Arguments, Expected, Row};
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_kernel::{BoxedHeuristic, Resources};

use crate::error::BuildError;
use crate::goal::{GoalKind, HeuristicGoal};

/// An argument without further description.
pub(crate) const fn argument(name: &'static str, values: &'static str) -> ArgumentRow {
    ArgumentRow::new(name, values, "")
}

/// The argument of heuristics that combine others.
pub(crate) const EACH: &[ArgumentRow] =
    &[ArgumentRow { name: "of", values: "a heuristic", about: "", repeated: true }];

/// A row of the registry. The promises are the claims in words;
/// [`Heuristic::claims`](beeline_kernel::Heuristic::claims) has those for a model.
pub type HeuristicRow = Row<HeuristicBuilder>;

/// What builds a heuristic.
#[derive(Clone, Copy)]
pub struct HeuristicBuilder {
    /// The goals that it is for.
    pub goals: &'static [GoalKind],
    pub(crate) build: for<'a, 'r> fn(&Request<'a, 'r>) -> Result<BoxedHeuristic<'a>, BuildError>,
}

/// The request for a heuristic: its row, arguments, machine and goal.
pub struct Request<'a, 'r> {
    /// All rows, for heuristics that combine others.
    rows: &'static [HeuristicRow],
    pub(crate) row: &'static HeuristicRow,
    pub(crate) arguments: Arguments<'r>,
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) goal: &'r HeuristicGoal,
    pub(crate) resources: Resources<'r>,
}

impl<'a> Request<'a, '_> {
    /// Builds the heuristic that a spec names.
    pub(crate) fn build(
        rows: &'static [HeuristicRow],
        spec: &Spec,
        machine: &'a Machine<'a>,
        goal: &HeuristicGoal,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'a>, BuildError> {
        let Some(row) = registry::find(rows, &spec.name) else {
            let (name, known) = (spec.name.clone(), registry::names(rows));
            return Err(BuildError::Unknown { name, known });
        };
        if !row.build.goals.contains(&goal.kind()) {
            return Err(wrong_goal(row, goal));
        }
        let arguments = Arguments::new(row.name, spec, row.arguments)?;
        (row.build.build)(&Request { rows, row, arguments, machine, goal, resources })
    }

    pub(crate) fn wrong_goal(&self) -> BuildError {
        wrong_goal(self.row, self.goal)
    }

    /// An error about an argument.
    pub(crate) fn wrong(&self, name: &str, cause: String) -> BuildError {
        let values =
            self.row.arguments.iter().find(|row| row.name == name).map_or("", |row| row.values);
        BuildError::Argument {
            name: self.row.name,
            cause: format!("`{name}` {cause}"),
            fix: format!("expected: {values}"),
        }
    }

    /// The error for a missing argument.
    pub(crate) fn missing(&self, name: &'static str) -> BuildError {
        self.arguments.error(ArgumentProblem::Missing(name)).into()
    }

    /// The error for a value that the row does not allow.
    pub(crate) fn refuse(&self, name: &'static str) -> BuildError {
        self.arguments.refuse(name, Expected::AsDescribed).into()
    }

    /// The factored view of the machine, with the goal.
    pub(crate) fn view(&self) -> Result<FactoredView, BuildError> {
        let sought = match self.goal {
            HeuristicGoal::Deadlock => FactoredGoal::Deadlock,
            HeuristicGoal::Assertions => FactoredGoal::Faults,
            HeuristicGoal::Invariant(invariant) => FactoredGoal::Violation(invariant.clone()),
            HeuristicGoal::Claim => FactoredGoal::Claim,
            HeuristicGoal::State(state) => FactoredGoal::State(state.clone()),
        };
        let name = self.row.name;
        relaxed_view(self.machine, &sought).map_err(|cause| BuildError::NoView { name, cause })
    }

    pub(crate) fn build_nested(&self, value: &SpecValue) -> Result<BoxedHeuristic<'a>, BuildError> {
        let spec = value.spec().ok_or_else(|| self.wrong("of", format!("is `{value}`")))?;
        Request::build(self.rows, &spec, self.machine, self.goal, self.resources)
    }

    pub(crate) fn nested(&self) -> Result<Vec<BoxedHeuristic<'a>>, BuildError> {
        let all = self.arguments.repeated();
        if all.is_empty() {
            return Err(self.missing("of"));
        }
        all.iter().map(|value| self.build_nested(value)).collect()
    }
}

fn wrong_goal(row: &HeuristicRow, goal: &HeuristicGoal) -> BuildError {
    BuildError::Goal { name: row.name, goal: goal.kind(), goals: row.build.goals }
}
