//! Models as planning tasks: the errors of properties become goals, and a plan becomes a trail.
//!
//! Source: [EMJ05], the section on planning. Both directions start from the exact factored view, so
//! that a plan needs no file beside it. A plan is executed on the view, its states are followed in
//! the state space, and the trail is replayed like every other.

use std::error::Error;
use std::fmt;

use beeline_kernel::Expansion;
use beeline_model::{Model, Property, SymbolicProblem, System, Unsupported, Violation};
use beeline_search::{FindingKind, SearchTarget};
use beeline_translation::{
    ActionForm, FactoredError, PlanMistake, QueueMisfit, QueueModel, Translation, Unfit,
    is_queue_plan, run_plan, run_queue_plan, translate,
};

use crate::plan::Plan;
use crate::report::CheckError;
use crate::symbolic::{TargetErrors, concrete_states, not_a_path, refuse_inexact};

/// What needs an exact view.
const SUBJECT: &str = "planning tasks";

/// A model as a planning task.
#[derive(Clone, Debug)]
pub struct ExportedTask {
    /// The task, whose goal is an error of one of the properties.
    pub translation: Translation,
    /// The properties.
    pub properties: Vec<Property>,
    /// The properties whose errors the task does not have.
    pub left_out: Vec<Property>,
    /// What the model has beyond the task, if it has more processes than the view.
    pub excess: Option<String>,
}

/// A plan as a trail.
#[derive(Clone, Debug)]
pub struct ImportedPlan {
    /// The property that the plan violates.
    pub property: Property,
    /// The trail, replayed.
    pub violation: Violation,
}

/// Why a model is not exported, or a plan not imported.
#[derive(Debug)]
pub enum ExchangeError {
    /// The model has no exact factored view.
    View(Unsupported),
    /// No property has errors that the view shows.
    Properties,
    /// The task would be too large.
    Unfit(Unfit),
    /// The model does more than sending and receiving.
    Queues(QueueMisfit),
    /// The plan is none of the model.
    Plan(PlanMistake),
    /// The plan can be executed, but leads to no error.
    NoError {
        /// Whether a process keeps control at the end.
        is_held: bool,
    },
    /// The replay does not show the error: an internal error.
    Check(CheckError),
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExchangeError::View(why) => write!(f, "{why}"),
            ExchangeError::Properties => f.write_str(
                "planning tasks have deadlocks, run-time errors, failed assertions and violated \
                 invariants, and none of the properties is about one of them",
            ),
            ExchangeError::Unfit(why) => write!(f, "{why}"),
            ExchangeError::Queues(why) => write!(f, "{why}"),
            ExchangeError::Plan(mistake) => write!(f, "{mistake}"),
            ExchangeError::NoError { is_held: false } => {
                f.write_str("the plan can be executed, but no property is violated at its end")
            }
            ExchangeError::NoError { is_held: true } => f.write_str(
                "the plan can be executed, but it ends in the middle of an atomic sequence, \
                 without an error",
            ),
            ExchangeError::Check(error) => write!(f, "{error}"),
        }
    }
}

impl Error for ExchangeError {}

/// The factored form of a system, with the errors of properties.
struct Subject<'p> {
    problem: SymbolicProblem,
    targets: Vec<(&'p Property, SearchTarget)>,
    left_out: Vec<Property>,
}

impl<'p> Subject<'p> {
    fn new(system: &dyn System, properties: &'p [Property]) -> Result<Subject<'p>, ExchangeError> {
        let problem = system.symbolic_problem().map_err(ExchangeError::View)?;
        refuse_inexact(&problem.view.system, SUBJECT).map_err(ExchangeError::View)?;
        let (mut targets, mut left_out) = (Vec::new(), Vec::new());
        for property in properties {
            let target = system.target(property);
            match target.filter(|&target| TargetErrors::new(&problem, target).is_some()) {
                Some(target) => targets.push((property, target)),
                None => left_out.push(property.clone()),
            }
        }
        if targets.is_empty() {
            return Err(ExchangeError::Properties);
        }
        Ok(Subject { problem, targets, left_out })
    }

    fn errors(&self) -> Vec<FactoredError> {
        let targets = self.targets.iter();
        let errors = targets.filter_map(|&(_, target)| TargetErrors::new(&self.problem, target));
        errors.map(TargetErrors::as_goal_of_task).collect()
    }
}

/// Translates a model into a planning task whose goal is a violation of one of the properties.
/// Without a form, the task has conditional effects where it would be too large without them.
///
/// # Errors
///
/// When the model has no exact view, no property fits, or the task would be too large.
pub fn export_task(
    model: &dyn Model,
    properties: &[Property],
    plan: &Plan,
    form: Option<ActionForm>,
) -> Result<ExportedTask, ExchangeError> {
    let mut exported = None;
    model.with_system(properties, plan.system_options(), &mut |system| {
        exported = Some(export_system(system, properties, form));
    });
    exported.expect("a model runs what it is given")
}

fn export_system(
    system: &dyn System,
    properties: &[Property],
    form: Option<ActionForm>,
) -> Result<ExportedTask, ExchangeError> {
    let subject = Subject::new(system, properties)?;
    let (view, errors) = (&subject.problem.view, subject.errors());
    let translated = |form| translate(&view.system, &view.ranges, &errors, form);
    let translation = match form {
        Some(form) => translated(form),
        None => translated(ActionForm::Strips).or_else(|_| translated(ActionForm::Conditional)),
    };
    Ok(ExportedTask {
        translation: translation.map_err(ExchangeError::Unfit)?,
        properties: subject.targets.iter().map(|(property, _)| (*property).clone()).collect(),
        excess: view.system.excess.clone(),
        left_out: subject.left_out,
    })
}

/// Understands a model as processes that send to queues and receive from them. The only goal is a
/// deadlock.
///
/// # Errors
///
/// When the model has no exact view, or does anything else.
pub fn export_queues(model: &dyn Model, plan: &Plan) -> Result<QueueModel, ExchangeError> {
    let mut exported = None;
    model.with_system(&model.properties(), plan.system_options(), &mut |system| {
        exported = Some(queues_of(system));
    });
    exported.expect("a model runs what it is given")
}

fn queues_of(system: &dyn System) -> Result<QueueModel, ExchangeError> {
    let problem = system.symbolic_problem().map_err(ExchangeError::View)?;
    refuse_inexact(&problem.view.system, SUBJECT).map_err(ExchangeError::View)?;
    QueueModel::new(&problem.view.system, &problem.view.ranges).map_err(ExchangeError::Queues)
}

/// Executes a plan for an exported model, and turns it into a trail. `actions` are the names of the
/// actions, in lower case.
///
/// # Errors
///
/// When the plan is none of the model, or leads to no error.
pub fn import_plan(
    model: &dyn Model,
    properties: &[Property],
    plan: &Plan,
    actions: &[String],
) -> Result<ImportedPlan, ExchangeError> {
    let mut imported = None;
    model.with_system(properties, plan.system_options(), &mut |system| {
        imported = Some(import_into(system, properties, actions));
    });
    imported.expect("a model runs what it is given")
}

fn import_into(
    system: &dyn System,
    properties: &[Property],
    actions: &[String],
) -> Result<ImportedPlan, ExchangeError> {
    let subject = Subject::new(system, properties)?;
    let view = &subject.problem.view;
    let run = match is_queue_plan(actions) {
        true => run_queue_plan(&view.system, &queues_of(system)?, actions),
        false => run_plan(&view.system, actions),
    };
    let run = run.map_err(ExchangeError::Plan)?;
    let space = system.space();
    let lost = || ExchangeError::Check(CheckError::from(not_a_path()));
    let path = concrete_states(space, view, &run.states).ok_or_else(lost)?;
    let mut expansion = Expansion::default();
    space.expand(path.last().expect("a path has its end"), &mut expansion);
    // Of several failing steps, the nearest one.
    expansion.faults.sort_by_key(|failure| failure.steps);
    let found = subject.targets.iter().find_map(|&(property, target)| {
        let errors = target.all_errors(&expansion);
        let is_meant = |kind: &&FindingKind| match (kind, run.fault) {
            (FindingKind::Fault(fault), Some(kind)) => fault.kind == kind,
            (FindingKind::Fault(_), None) => false,
            (FindingKind::Deadlock | FindingKind::Invariant(_), fault) => fault.is_none(),
        };
        errors.iter().find(is_meant).map(|&kind| (property, kind))
    });
    let Some((property, kind)) = found else {
        return Err(ExchangeError::NoError { is_held: run.is_held });
    };
    let violation = system.witness(&path, kind, &|steps| steps.min(1));
    let violation =
        violation.map_err(|error| ExchangeError::Check(CheckError::Unconfirmed(error)))?;
    Ok(ImportedPlan { property: property.clone(), violation })
}
