//! Building a heuristic from its row and its arguments.

use beeline_analysis::factored::{FactoredGoal, FactoredView};
use beeline_engine::automata::{Location, label_location};
use beeline_engine::interpreter::Machine;
use beeline_kernel::registry::{
    self, ArgumentProblem, ArgumentRow, Arguments, Expected, RegistryRow,
};
use beeline_kernel::spec::{Spec, SpecValue};
use beeline_kernel::{BoxedHeuristic, Resources};
use beeline_promela::hir::{LabelId, ProcessId};

use crate::combine::aggregation::Aggregation;
use crate::deadlock::danger::DangerMeasure;
use crate::deadlock::dangerous_states::DangerousStates;
use crate::deadlock::deadlock_formula::DeadlockFormula;
use crate::deadlock::joint_danger::{JointDanger, LARGEST_GROUP};
use crate::distance::assertion_distance::{AssertionDistance, FaultSites};
use crate::distance::claim_distance::ClaimDistance;
use crate::distance::fsm_state::FsmState;
use crate::error::BuildError;
use crate::formula::property_formula::FormulaDistance;
use crate::goal::{GoalKind, HeuristicGoal};
use crate::relaxation::{ChannelModel, Relaxation, RelaxationOptions, RelaxedHeuristic, ValueSets};

/// Locations that the user names.
type Locations = Vec<(ProcessId, Location)>;

/// A row of the registry.
pub struct HeuristicRow {
    /// The name.
    pub name: &'static str,
    /// Other names, as in the papers.
    pub aliases: &'static [&'static str],
    /// The arguments, in order; each can also be given by its name.
    pub arguments: &'static [ArgumentRow],
    /// What it does.
    pub about: &'static str,
    /// Its source; keys are in `docs/bibliography.md`.
    pub source: &'static str,
    /// Its claims in words; [`Heuristic::claims`](beeline_kernel::Heuristic::claims) has those for a
    /// model.
    pub claims: &'static str,
    /// The goals that it is for.
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

/// What a heuristic is built from.
pub struct Request<'a, 'r> {
    /// All rows, for heuristics that combine others.
    rows: &'static [HeuristicRow],
    pub(super) row: &'static HeuristicRow,
    pub(super) arguments: Arguments<'r>,
    pub(super) machine: &'a Machine<'a>,
    pub(super) goal: &'r HeuristicGoal,
    pub(super) resources: Resources<'r>,
}

impl<'a> Request<'a, '_> {
    /// Builds the heuristic that a spec names.
    pub(super) fn build(
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

    pub(super) fn wrong_goal(&self) -> BuildError {
        wrong_goal(self.row, self.goal)
    }

    /// An error about an argument.
    pub(super) fn wrong(&self, name: &str, cause: String) -> BuildError {
        let values =
            self.row.arguments.iter().find(|row| row.name == name).map_or("", |row| row.values);
        BuildError::Argument {
            name: self.row.name,
            cause: format!("`{name}` {cause}"),
            fix: format!("it is {values}"),
        }
    }

    /// An argument has to be given.
    pub(super) fn missing(&self, name: &'static str) -> BuildError {
        self.arguments.error(ArgumentProblem::Missing(name)).into()
    }

    /// An argument has a value that its row does not allow.
    pub(super) fn refuse(&self, name: &'static str) -> BuildError {
        self.arguments.refuse(name, Expected::AsDescribed).into()
    }

    pub(super) fn joint(&self, measure: DangerMeasure) -> Result<BoxedHeuristic<'a>, BuildError> {
        let group = self.arguments.count("group", 1, LARGEST_GROUP)?.unwrap_or(2);
        Ok(Box::new(JointDanger::new(self.machine, measure, group)))
    }

    /// A heuristic of the delete relaxation.
    pub(super) fn relaxed(
        &self,
        which: RelaxedHeuristic,
    ) -> Result<BoxedHeuristic<'a>, BuildError> {
        let options = RelaxationOptions {
            values: self.arguments.choice(
                "values",
                &[("sets", ValueSets::Sets), ("intervals", ValueSets::Intervals)],
            )?,
            channels: self.arguments.choice(
                "channels",
                &[("slots", ChannelModel::Slots), ("pooled", ChannelModel::Pooled)],
            )?,
        };
        let view = self.view()?;
        let relaxation = Relaxation::within(&view.system, &view.ranges, view.reading, options);
        Ok(which.build(&relaxation))
    }

    /// The factored view of the machine, with the goal.
    pub(super) fn view(&self) -> Result<FactoredView, BuildError> {
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

    pub(super) fn build_nested(&self, value: &SpecValue) -> Result<BoxedHeuristic<'a>, BuildError> {
        let spec = value.spec().ok_or_else(|| self.wrong("of", format!("is `{value}`")))?;
        Request::build(self.rows, &spec, self.machine, self.goal, self.resources)
    }

    pub(super) fn nested(&self) -> Result<Vec<BoxedHeuristic<'a>>, BuildError> {
        let all = self.arguments.repeated();
        if all.is_empty() {
            return Err(self.missing("of"));
        }
        all.iter().map(|value| self.build_nested(value)).collect()
    }

    /// The formula-based estimate for the goal.
    pub(super) fn formula(&self) -> BoxedHeuristic<'a> {
        match self.goal {
            HeuristicGoal::State(target) => {
                Box::new(FsmState::new(self.machine, target, Aggregation::Sum))
            }
            goal => match FormulaDistance::new(self.machine, goal) {
                Some(formula) => Box::new(formula),
                None => Box::new(DeadlockFormula::new(self.machine)),
            },
        }
    }

    /// The FSM distance for the goal.
    pub(super) fn automata(&self, combine: Aggregation) -> BoxedHeuristic<'a> {
        match self.goal {
            HeuristicGoal::Deadlock => Box::new(DangerousStates::new(self.machine, combine)),
            HeuristicGoal::Assertions => {
                Box::new(AssertionDistance::new(self.machine, FaultSites::All))
            }
            HeuristicGoal::Invariant(_) => self.formula(),
            HeuristicGoal::Claim => Box::new(ClaimDistance::new(self.machine)),
            HeuristicGoal::State(target) => Box::new(FsmState::new(self.machine, target, combine)),
        }
    }

    pub(super) fn locations(&self, name: &str) -> Result<Option<Locations>, BuildError> {
        let Some(value) = self.arguments.value(name) else { return Ok(None) };
        let one = std::slice::from_ref(value);
        let all = if let SpecValue::List(all) = value { &all[..] } else { one };
        let found = |value: &SpecValue| {
            let target = value.text().and_then(|text| self.location(text));
            target.ok_or_else(|| self.wrong(name, format!("names `{value}`, which is not there")))
        };
        all.iter().map(found).collect::<Result<_, _>>().map(Some)
    }

    /// `proctype@label`
    pub(super) fn location(&self, text: &str) -> Option<(ProcessId, Location)> {
        let (process, label) = text.split_once('@')?;
        let processes = &self.machine.model().processes;
        let number = processes.iter().position(|one| &*one.name.name == process)?;
        let mut labels = processes[number].labels.iter();
        let label = labels.position(|one| &*one.name.name == label)?;
        let id = ProcessId(number as u32);
        let location = label_location(self.machine.automaton(id), LabelId(label as u32))?;
        Some((id, location))
    }
}

fn wrong_goal(row: &HeuristicRow, goal: &HeuristicGoal) -> BuildError {
    BuildError::Goal { name: row.name, goal: goal.kind(), goals: row.goals }
}
