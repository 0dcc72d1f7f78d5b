//! Rows of the registry, and requests from which heuristics are built.
//!
//! Each heuristic has its row in its own file.

use beeline_analysis::factored::{FactoredGoal, FactoredView};
use beeline_engine::interpreter::Machine;
use beeline_kernel::BoxedHeuristic;
use beeline_kernel::Resources;
use beeline_kernel::registry::{
    self, ArgumentProblem, ArgumentRow, Arguments, Expected, RegistryRow,
};
use beeline_kernel::spec::{Spec, SpecValue};

use crate::error::BuildError;
use crate::goal::{GoalKind, HeuristicGoal};

/// An argument without further description.
pub(crate) const fn argument(name: &'static str, values: &'static str) -> ArgumentRow {
    ArgumentRow::new(name, values, "")
}

/// The argument of heuristics that combine others.
pub(crate) const EACH: &[ArgumentRow] =
    &[ArgumentRow { name: "of", values: "a heuristic", about: "", repeated: true }];

/// A row of the registry.
#[derive(Clone, Copy)]
pub struct HeuristicRow {
    /// The name.
    pub name: &'static str,
    /// Other names, as in the papers.
    pub aliases: &'static [&'static str],
    /// The arguments, in order; each can also be given by its name.
    pub arguments: &'static [ArgumentRow],
    /// Its description.
    pub about: &'static str,
    /// Its source; keys are in `docs/bibliography.md`.
    pub source: &'static str,
    /// Its claims in words; [`Heuristic::claims`](beeline_kernel::Heuristic::claims) has those for a model.
    pub claims: &'static str,
    /// The supported goals.
    pub goals: &'static [GoalKind],
    pub(crate) build: for<'a, 'r> fn(&Request<'a, 'r>) -> Result<BoxedHeuristic<'a>, BuildError>,
}

impl RegistryRow for HeuristicRow {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn arguments(&self) -> &'static [ArgumentRow] {
        self.arguments
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn promises(&self) -> Option<&'static str> {
        Some(self.claims)
    }

    fn source(&self) -> Option<&'static str> {
        Some(self.source)
    }
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
        if !row.goals.contains(&goal.kind()) {
            return Err(wrong_goal(row, goal));
        }
        let arguments = Arguments::new(row.name, spec, row.arguments)?;
        (row.build)(&Request { rows, row, arguments, machine, goal, resources })
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
            fix: format!("it is {values}"),
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
        FactoredView::of(self.machine, &sought).map_err(|cause| BuildError::NoView { name, cause })
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
    BuildError::Goal { name: row.name, goal: goal.kind(), goals: row.goals }
}
