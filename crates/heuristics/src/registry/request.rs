//! A heuristic asked for: reading the arguments that its row describes.

use beeline_engine::automata::{Location, label_location};
use beeline_engine::factored::{FactoredGoal, FactoredView};
use beeline_engine::interpreter::Machine;
use beeline_kernel::spec::{Spec, SpecValue};
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
use crate::goal::HeuristicGoal;
use crate::registry::{BoxedHeuristic, HeuristicRow, build_with};
use crate::relaxation::{ChannelModel, Relaxation, RelaxationOptions, RelaxedHeuristic, ValueSets};
use crate::resources::Resources;

/// Locations that the user names.
type Locations = Vec<(ProcessId, Location)>;

/// What a heuristic is built from.
pub struct Request<'a, 'r> {
    pub(crate) row: &'static HeuristicRow,
    pub(crate) spec: &'r Spec,
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) goal: &'r HeuristicGoal,
    pub(crate) resources: Resources<'r>,
}

impl<'a> Request<'a, '_> {
    pub(crate) fn wrong_goal(&self) -> BuildError {
        let HeuristicRow { name, goals, .. } = *self.row;
        BuildError::Goal { name, goal: self.goal.kind(), goals }
    }

    /// Something is wrong with an argument.
    pub(crate) fn wrong(&self, at: usize, cause: String) -> BuildError {
        let argument = &self.row.arguments[at];
        BuildError::Argument {
            name: self.row.name,
            cause: format!("`{}` {cause}", argument.name),
            fix: format!("it is {}", argument.about),
        }
    }

    /// Refuses arguments that nobody looks at.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let arguments = self.row.arguments;
        let known: Vec<&str> = arguments.iter().map(|argument| argument.name).collect();
        let fix = match &known[..] {
            [] => "it takes no arguments".to_owned(),
            known => format!("it takes: {}", known.join(", ")),
        };
        let refuse = |cause| Err(BuildError::Argument { name: self.row.name, cause, fix });
        let keys = self.spec.arguments.iter().filter_map(|argument| argument.key.as_deref());
        if let Some(key) = keys.into_iter().find(|key| !known.contains(key)) {
            return refuse(format!("`{key}` is not known"));
        }
        let repeated = arguments.iter().any(|argument| argument.repeated);
        if !repeated && self.spec.positional().count() > arguments.len() {
            return refuse("too many arguments".to_owned());
        }
        Ok(())
    }

    /// An argument by its place, or by its name.
    pub(crate) fn value(&self, at: usize) -> Option<&SpecValue> {
        let named = self.spec.value(self.row.arguments[at].name);
        named.or_else(|| self.spec.positional().nth(at))
    }

    /// One of several words; the first when nothing is given.
    pub(crate) fn word<T: Copy>(&self, at: usize, words: &[(&str, T)]) -> Result<T, BuildError> {
        let Some(value) = self.value(at) else { return Ok(words[0].1) };
        let found = words.iter().find(|(word, _)| value.text() == Some(word));
        found.map(|(_, meaning)| *meaning).ok_or_else(|| self.wrong(at, format!("is `{value}`")))
    }

    pub(crate) fn number(&self, at: usize, default: f64) -> Result<f64, BuildError> {
        let Some(value) = self.value(at) else { return Ok(default) };
        let number = value.number().filter(|number| *number >= 0.0);
        number.ok_or_else(|| self.wrong(at, format!("is `{value}`")))
    }

    pub(crate) fn joint(&self, measure: DangerMeasure) -> Result<BoxedHeuristic<'a>, BuildError> {
        let group = self.number(0, 2.0)?;
        if group.fract() != 0.0 || group < 1.0 || group > LARGEST_GROUP as f64 {
            return Err(self.wrong(0, format!("is `{group}`")));
        }
        let group = group as usize;
        Ok(Box::new(JointDanger::new(self.machine, measure, group)))
    }

    /// A heuristic on relaxed states.
    pub(crate) fn relaxed(
        &self,
        which: RelaxedHeuristic,
    ) -> Result<BoxedHeuristic<'a>, BuildError> {
        let options = RelaxationOptions {
            values: self
                .word(0, &[("sets", ValueSets::Sets), ("intervals", ValueSets::Intervals)])?,
            channels: self
                .word(1, &[("slots", ChannelModel::Slots), ("pooled", ChannelModel::Pooled)])?,
        };
        let view = self.view()?;
        let relaxation = Relaxation::within(&view.system, &view.ranges, view.reading, options);
        Ok(which.build(&relaxation))
    }

    /// The machine in factors, with the goal.
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
        let spec = value.spec().ok_or_else(|| self.wrong(0, format!("is `{value}`")))?;
        build_with(&spec, self.machine, self.goal, self.resources)
    }

    pub(crate) fn nested(&self) -> Result<Vec<BoxedHeuristic<'a>>, BuildError> {
        let all: Vec<&SpecValue> = self.spec.arguments.iter().map(|one| &one.value).collect();
        if all.is_empty() {
            return Err(self.wrong(0, "is missing".to_owned()));
        }
        all.into_iter().map(|value| self.build_nested(value)).collect()
    }

    /// How far the property is from being violated.
    pub(crate) fn formula(&self) -> BoxedHeuristic<'a> {
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

    /// The distance, in automata, to where the property is violated.
    pub(crate) fn automata(&self, combine: Aggregation) -> BoxedHeuristic<'a> {
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

    pub(crate) fn locations(&self, at: usize) -> Result<Option<Locations>, BuildError> {
        let Some(value) = self.value(at) else { return Ok(None) };
        let one = std::slice::from_ref(value);
        let all = if let SpecValue::List(all) = value { &all[..] } else { one };
        let found = |value: &SpecValue| {
            let target = value.text().and_then(|text| self.location(text));
            target.ok_or_else(|| self.wrong(at, format!("names `{value}`, which is not there")))
        };
        all.iter().map(found).collect::<Result<_, _>>().map(Some)
    }

    /// `proctype@label`
    pub(crate) fn location(&self, text: &str) -> Option<(ProcessId, Location)> {
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
