//! The methods of trail improvement, and the parsing of their names.

use std::fmt;

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, Resources};
use beeline_model::{Aim, HeuristicError};
use beeline_search::{BestFirstConfig, Reopening};

use crate::plan::{HeuristicNames, PlanError};
use crate::report::CheckError;
use crate::task::{Task, admissible_heuristic, usual_heuristic};

/// A method of trail improvement. Its text is a value of `improve --by`.
#[derive(Clone, Debug, PartialEq)]
pub enum ImproveMethod {
    /// Removal of unneeded steps.
    Elimination,
    /// Removal of steps that are independent of all later ones.
    Filter,
    /// Search of a growing neighbourhood of the trail.
    Neighbourhood,
    /// Divide and conquer: a shorter path between two states of the trail.
    Segments,
    /// A\* with a heuristic: towards the last state of the trail if the heuristic estimates the
    /// distance to a state, as `hamming` and `fsm-state` do, else towards any similar error.
    AStar(Spec),
    /// Greedy search with a heuristic, bounded by the length of the trail: it finds shorter
    /// trails where A\* takes too long.
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
    /// Parses a method. `heuristics` has the known names of heuristics.
    ///
    /// # Errors
    ///
    /// When the syntax, the name or the heuristic is wrong.
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

/// A best-first search that has not started.
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

    /// Reopens states: an error beyond the bound on a long path to a state may be within the bound
    /// on a shorter one.
    fn greedy(heuristic: BoxedHeuristic<'a>) -> PlannedSearch<'a> {
        let method = BestFirstConfig { reopening: Reopening::Always, ..BestFirstConfig::GREEDY };
        PlannedSearch { name: format!("gbfs({})", heuristic.name()), method, heuristic }
    }
}

/// The requested best-first searches; if `by` is empty, the usual ones. `end` is the last state of
/// the trail.
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
