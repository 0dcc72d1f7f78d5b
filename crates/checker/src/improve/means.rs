//! By which means a trail is shortened: what can be asked for by name.

use std::fmt;

use beeline_heuristics::{BuildError, Built, Goal, Resources, build_with};
use beeline_kernel::spec::Spec;
use beeline_search::{Method, Reopening};

use crate::check::CheckError;
use crate::directed::{Task, sure_heuristic, usual_for};

/// One way to a shorter trail. Its text is what `improve --by` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Means {
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

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Means::Elimination => f.write_str("elimination"),
            Means::Filter => f.write_str("filter"),
            Means::Neighbourhood => f.write_str("neighbourhood"),
            Means::Segments => f.write_str("segments"),
            Means::AStar(heuristic) => write!(f, "astar({heuristic})"),
            Means::Greedy(heuristic) => write!(f, "gbfs({heuristic})"),
        }
    }
}

impl Means {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// When there is none of this name.
    pub fn parse(text: &str) -> Result<Means, String> {
        let spec = Spec::parse(text).map_err(|error| error.to_string())?;
        match (&*spec.name, &*spec.arguments) {
            ("elimination", []) => Ok(Means::Elimination),
            ("filter", []) => Ok(Means::Filter),
            ("neighbourhood", []) => Ok(Means::Neighbourhood),
            ("segments", []) => Ok(Means::Segments),
            (search @ ("astar" | "gbfs"), [only]) if only.key.is_none() => {
                let heuristic = only.value.spec();
                let heuristic = heuristic.ok_or("the argument of a search is a heuristic")?;
                match beeline_heuristics::find(&heuristic.name) {
                    Some(_) if search == "astar" => Ok(Means::AStar(heuristic)),
                    Some(_) => Ok(Means::Greedy(heuristic)),
                    None => Err(format!("there is no heuristic `{}`", heuristic.name)),
                }
            }
            _ => {
                Err("it is one of elimination, filter, neighbourhood, segments, astar(HEURISTIC) \
                      and gbfs(HEURISTIC), as in astar(hamming) or astar(fsm-state)"
                    .to_owned())
            }
        }
    }
}

/// A best-first search that is about to begin.
pub(super) struct Way<'a> {
    pub(super) name: String,
    pub(super) method: Method,
    pub(super) heuristic: Built<'a>,
}

impl<'a> Way<'a> {
    fn a_star(heuristic: Built<'a>) -> Way<'a> {
        Way { name: format!("astar({})", heuristic.name()), method: Method::A_STAR, heuristic }
    }

    /// A state that was reached on a detour is expanded again: beyond the bound of the
    /// detour may lie what is within that of a shorter way.
    fn greedy(heuristic: Built<'a>) -> Way<'a> {
        let method = Method { reopening: Reopening::Always, ..Method::GREEDY };
        Way { name: format!("gbfs({})", heuristic.name()), method, heuristic }
    }
}

/// The best-first searches: those that were asked for, or the usual ones where nothing was.
/// The state is the one at the end of the trail.
pub(super) fn ways<'a>(
    by: &[Means],
    task: &Task<'a>,
    end: &[u8],
    resources: Resources<'_>,
) -> Result<Vec<Way<'a>>, CheckError> {
    let build = |spec: &Spec, goal: &Goal| build_with(spec, task.machine, goal, resources);
    let towards_end = |spec: &Spec| build(spec, &Goal::State(end.to_vec()));
    if by.is_empty() {
        let compasses = ["hamming", "fsm-state"].map(Spec::named);
        let towards = compasses.iter().map(towards_end).filter_map(Result::ok);
        let any = [sure_heuristic(task), usual_for(task)?];
        let mut ways: Vec<_> = any.into_iter().chain(towards).map(Way::a_star).collect();
        ways.push(Way::greedy(usual_for(task)?));
        return Ok(ways);
    }
    let compass = |spec: &Spec| {
        let built = match (towards_end(spec), &task.goal) {
            (Err(BuildError::Goal { .. }), Some(goal)) => build(spec, goal),
            (built, _) => built,
        };
        built.map_err(|error| CheckError::Heuristic(error.to_string()))
    };
    let asked = by.iter().filter_map(|means| match means {
        Means::AStar(spec) => Some(compass(spec).map(Way::a_star)),
        Means::Greedy(spec) => Some(compass(spec).map(Way::greedy)),
        _ => None,
    });
    asked.collect()
}
