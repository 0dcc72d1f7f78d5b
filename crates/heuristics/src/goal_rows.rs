//! Rows whose heuristic depends on the goal: `formula` and `fsm`.

use beeline_engine::automata::{Location, label_location};
use beeline_kernel::BoxedHeuristic;
use beeline_kernel::spec::SpecValue;
use beeline_promela::hir::{LabelId, ProcessId};

use crate::combine::aggregation::{Aggregation, COMBINE, COMBINES};
use crate::deadlock::dangerous_states::DangerousStates;
use crate::deadlock::deadlock_formula::DeadlockFormula;
use crate::distance::assertion_distance::{AssertionDistance, FaultSites};
use crate::distance::claim_distance::ClaimDistance;
use crate::distance::fsm::Fsm;
use crate::distance::fsm_state::FsmState;
use crate::error::BuildError;
use crate::formula::property_formula::FormulaDistance;
use crate::goal::{GoalKind, HeuristicGoal};
use crate::request::{HeuristicBuilder, HeuristicRow, Request, argument};

/// The formula-based estimate for the goal.
pub(crate) const FORMULA: HeuristicRow = HeuristicRow {
    name: "formula",
    aliases: &["hf"],
    arguments: &[],
    about: "distance of the property from being violated, computed from its formula",
    promises: Some("safe; for a known state, the guarantees of `fsm-state`"),
    source: Some("[EMJ05] Heuristics"),
    build: HeuristicBuilder { goals: GoalKind::ALL, build: |of| Ok(of.formula()) },
};

/// The FSM distance for the goal, or to named locations.
pub(crate) const FSM: HeuristicRow = HeuristicRow {
    name: "fsm",
    aliases: &[],
    arguments: &[
        argument(
            "locations",
            "a list of \"proctype@label\" (default: where the property is violated)",
        ),
        COMBINE,
    ],
    about: "steps of processes, or of the claim, in their automata to locations that have \
            labels or where the property is violated",
    promises: Some(
        "safe; without `locations`, the guarantees of the default heuristic of the property",
    ),
    source: Some("[ELL01] §4.2"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| {
            let combine = of.arguments.choice("combine", COMBINES)?;
            match of.locations("locations")? {
                Some(targets) => Ok(Box::new(Fsm::new(of.machine, &targets, combine))),
                None => Ok(of.automata(combine)),
            }
        },
    },
};

/// Locations that the user names.
type Locations = Vec<(ProcessId, Location)>;

impl<'a> Request<'a, '_> {
    /// The formula-based estimate for the goal.
    fn formula(&self) -> BoxedHeuristic<'a> {
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
    fn automata(&self, combine: Aggregation) -> BoxedHeuristic<'a> {
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

    fn locations(&self, name: &str) -> Result<Option<Locations>, BuildError> {
        let Some(value) = self.arguments.value(name) else { return Ok(None) };
        let one = std::slice::from_ref(value);
        let all = if let SpecValue::List(all) = value { &all[..] } else { one };
        let found = |value: &SpecValue| {
            let target = value.text().and_then(|text| self.location(text));
            target.ok_or_else(|| self.wrong(name, format!("names `{value}`, which does not exist")))
        };
        all.iter().map(found).collect::<Result<_, _>>().map(Some)
    }

    /// `proctype@label`
    fn location(&self, text: &str) -> Option<(ProcessId, Location)> {
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
