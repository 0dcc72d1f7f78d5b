//! The heuristics of a task: the requested one, or the usual one for its error.

use std::cell::RefCell;

use beeline_kernel::spec::Spec;
use beeline_kernel::{Blind, BoxedHeuristic, Resources};
use beeline_model::{Aim, HeuristicError, HeuristicScope, System};
use beeline_search::GoalHeuristics;

use super::Task;
use crate::report::CheckError;

/// An admissible heuristic, for proofs that a trail is shortest; blind if there is no other.
pub(crate) fn admissible_heuristic<'a>(task: &Task<'a>) -> BoxedHeuristic<'a> {
    let text = task.system.admissible_heuristic(task.target);
    let spec = Spec::parse(text).expect("a language names its heuristics as specs");
    match task.system.heuristic(&spec, Aim::Error(task.target), Resources::default()) {
        Ok(built) if built.claims().admissible => built,
        _ => Box::new(Blind),
    }
}

/// Builds the requested heuristic, or the usual one if the requested one is not for this error or
/// this model. An error without a usual heuristic is searched blindly. `remarks` receives the
/// remarks of the heuristic, and a note if the model requires another one.
pub(crate) fn heuristic<'a>(
    asked: Option<&Spec>,
    task: &Task<'a>,
    resources: Resources<'_>,
    remarks: &mut Vec<String>,
) -> Result<BoxedHeuristic<'a>, CheckError> {
    let told = RefCell::new(Vec::new());
    let tell = |remark: String| told.borrow_mut().push(remark);
    let resources = Resources { tell: &tell, ..resources };
    let system: &'a dyn System = task.system;
    let build = |spec: &Spec| system.heuristic(spec, Aim::Error(task.target), resources);
    let Some(usual) = system.usual_heuristic(task.target) else {
        return Ok(Box::new(Blind));
    };
    let usual = Spec::parse(usual).expect("a language names its heuristics as specs");
    let built = match build(asked.unwrap_or(&usual)) {
        Err(HeuristicError::Aim(_)) => build(&usual),
        Err(HeuristicError::NoView { name, cause }) => {
            let usual_name = &usual.name;
            remarks.push(format!(
                "heuristic `{name}` does not apply to this model ({cause}): `{usual_name}` is \
                 used instead"
            ));
            build(&usual)
        }
        built => built,
    };
    remarks.append(&mut told.take());
    Ok(built?)
}

/// The heuristic of a greedy search of the automatic strategy.
pub(crate) fn greedy_heuristic<'a>(
    task: &Task<'a>,
    scope: HeuristicScope,
) -> Result<BoxedHeuristic<'a>, CheckError> {
    let spec = task.system.greedy_heuristic(task.target, scope);
    let spec =
        spec.map(|text| Spec::parse(text).expect("a language names its heuristics as specs"));
    heuristic(spec.as_ref(), task, Resources::default(), &mut Vec::new())
}

/// The usual heuristic for a task.
pub(crate) fn usual_heuristic<'a>(task: &Task<'a>) -> Result<BoxedHeuristic<'a>, CheckError> {
    heuristic(None, task, Resources::default(), &mut Vec::new())
}

/// Heuristics towards a known state: the Hamming distance, or blind.
pub(crate) fn towards_states<'a>(system: &'a dyn System) -> GoalHeuristics<'a> {
    Box::new(move |state| {
        let built =
            system.heuristic(&Spec::named("hamming"), Aim::State(state), Resources::default());
        built.unwrap_or_else(|_| Box::new(Blind))
    })
}
