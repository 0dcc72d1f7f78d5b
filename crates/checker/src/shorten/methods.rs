//! By which means a trail is shortened: what can be asked for by name.

use std::fmt;

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, Resources};
use beeline_model::{Aim, HeuristicError};
use beeline_search::{BestFirstConfig, Reopening};

use crate::plan::{HeuristicNames, PlanError};
use crate::report::CheckError;
use crate::task::{Task, admissible_heuristic, usual_heuristic};

/// One way to a shorter trail. Its text is what `improve --by` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum ImproveMethod {
    /// Leaving out steps that are not needed.
    Elimination,
    /// Leaving out steps that are independent of all that follows.
    Filter,
    /// A look around the trail, wider and wider.
    Neighbourhood,
    /// Divide and conquer: a shorter way between two states of the trail.
    Segments,
    /// A\* with a heuristic: towards the state at the end of the trail where the heuristic
    /// is made for that, as `hamming` and `fsm-state` are, and towards any such error
    /// otherwise.
    AStar(Spec),
    /// Greedy search with a heuristic, for what is less far away than the trail is long: it
    /// finds something where A\* comes too late.
    Greedy(Spec),
}

impl fmt::Display for ImproveMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImproveMethod::Elimination => f.write_str("elimination"),
            ImproveMethod::Filter => f.write_str("filter"),
            ImproveMethod::Neighbourhood => f.write_str("neighbourhood"),
            ImproveMethod::Segments => f.write_str("segments"),
            ImproveMethod::AStar(heuristic) => write!(f, "astar({heuristic})"),
            ImproveMethod::Greedy(heuristic) => write!(f, "gbfs({heuristic})"),
        }
    }
}

impl ImproveMethod {
    /// Reads one; its heuristic has one of these names.
    ///
    /// # Errors
    ///
    /// When there is none of this name.
    pub fn parse(text: &str, heuristics: &HeuristicNames) -> Result<ImproveMethod, PlanError> {
        let spec = Spec::parse(text)?;
        match (&*spec.name, &*spec.arguments) {
            ("elimination", []) => Ok(ImproveMethod::Elimination),
            ("filter", []) => Ok(ImproveMethod::Filter),
            ("neighbourhood", []) => Ok(ImproveMethod::Neighbourhood),
            ("segments", []) => Ok(ImproveMethod::Segments),
            (search @ ("astar" | "gbfs"), [only]) if only.key.is_none() => {
                let heuristic = only.value.spec();
                let heuristic =
                    heuristic.ok_or_else(|| PlanError::NoHeuristic(only.value.to_string()))?;
                heuristics.check(&heuristic)?;
                Ok(match search {
                    "astar" => ImproveMethod::AStar(heuristic),
                    _ => ImproveMethod::Greedy(heuristic),
                })
            }
            _ => Err(PlanError::NoMethod),
        }
    }
}

/// A best-first search that is about to begin.
pub(super) struct PlannedSearch<'a> {
    pub(super) name: String,
    pub(super) method: BestFirstConfig,
    pub(super) heuristic: BoxedHeuristic<'a>,
}

impl<'a> PlannedSearch<'a> {
    fn a_star(heuristic: BoxedHeuristic<'a>) -> PlannedSearch<'a> {
        PlannedSearch {
            name: format!("astar({})", heuristic.name()),
            method: BestFirstConfig::A_STAR,
            heuristic,
        }
    }

    /// A state that was reached on a detour is expanded again: beyond the bound of the
    /// detour may lie what is within that of a shorter way.
    fn greedy(heuristic: BoxedHeuristic<'a>) -> PlannedSearch<'a> {
        let method = BestFirstConfig { reopening: Reopening::Always, ..BestFirstConfig::GREEDY };
        PlannedSearch { name: format!("gbfs({})", heuristic.name()), method, heuristic }
    }
}

/// The best-first searches: those that were asked for, or the usual ones where nothing was.
/// The state is the one at the end of the trail.
pub(super) fn planned_searches<'a>(
    by: &[ImproveMethod],
    task: &Task<'a>,
    end: &[u8],
    resources: Resources<'_>,
) -> Result<Vec<PlannedSearch<'a>>, CheckError> {
    let build = |spec: &Spec, aim| task.system.heuristic(spec, aim, resources);
    let towards_end = |spec: &Spec| build(spec, Aim::State(end));
    if by.is_empty() {
        let towards = ["hamming", "fsm-state"].map(Spec::named);
        let towards = towards.iter().map(towards_end).filter_map(Result::ok);
        let any = [admissible_heuristic(task), usual_heuristic(task)?];
        let mut searches: Vec<_> =
            any.into_iter().chain(towards).map(PlannedSearch::a_star).collect();
        searches.push(PlannedSearch::greedy(usual_heuristic(task)?));
        return Ok(searches);
    }
    let asked_for = |spec: &Spec| match towards_end(spec) {
        Err(HeuristicError::Aim(_)) => build(spec, Aim::Error(task.target)),
        built => built,
    };
    let asked = by.iter().filter_map(|method| match method {
        ImproveMethod::AStar(spec) => Some(asked_for(spec).map(PlannedSearch::a_star)),
        ImproveMethod::Greedy(spec) => Some(asked_for(spec).map(PlannedSearch::greedy)),
        _ => None,
    });
    Ok(asked.collect::<Result<_, _>>()?)
}
