//! By which means a trail is shortened: what can be asked for by name.

use std::fmt;

use beeline_heuristics::{BuildError, Built, Goal, GoalKind, build};
use beeline_kernel::spec::Spec;

use crate::check::CheckError;
use crate::directed::{Task, heuristic, sure_heuristic};

/// One way to a shorter trail. Its text is what `improve --by` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Means {
    /// Leaving out steps that are not needed.
    Elimination,
    /// A look around the trail, wider and wider.
    Neighbourhood,
    /// Divide and conquer: a shorter way between two states of the trail.
    Segments,
    /// A\* with a heuristic: towards the state at the end of the trail where the heuristic
    /// is made for that, as `hamming` and `fsm-state` are, and towards any such error
    /// otherwise.
    AStar(Spec),
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Means::Elimination => f.write_str("elimination"),
            Means::Neighbourhood => f.write_str("neighbourhood"),
            Means::Segments => f.write_str("segments"),
            Means::AStar(heuristic) => write!(f, "astar({heuristic})"),
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
            ("neighbourhood", []) => Ok(Means::Neighbourhood),
            ("segments", []) => Ok(Means::Segments),
            ("astar", [only]) if only.key.is_none() => {
                let heuristic = only.value.spec();
                let heuristic = heuristic.ok_or("the argument of astar is a heuristic")?;
                match beeline_heuristics::find(&heuristic.name) {
                    Some(_) => Ok(Means::AStar(heuristic)),
                    None => Err(format!("there is no heuristic `{}`", heuristic.name)),
                }
            }
            _ => Err("it is one of elimination, neighbourhood, segments and astar(HEURISTIC), \
                      as in astar(hamming) or astar(fsm-state)"
                .to_owned()),
        }
    }
}

/// The heuristics for A\*: those that were asked for, or the usual ones where nothing was.
/// The state is the one at the end of the trail.
pub(super) fn ways<'a>(
    by: &[Means],
    task: &Task<'a>,
    end: &[u8],
) -> Result<Vec<Built<'a>>, CheckError> {
    // Of a claim's product, only the bits are known.
    let is_claimed = task.goal.as_ref().map(Goal::kind) == Some(GoalKind::Claim);
    let towards_end = |spec: &Spec| {
        let goal = Goal::State(end.to_vec());
        let is_possible = !is_claimed || spec.name == "hamming";
        is_possible.then(|| build(spec, task.machine, &goal))
    };
    if by.is_empty() {
        let compasses = ["hamming", "fsm-state"].map(Spec::named);
        let towards = compasses.iter().filter_map(towards_end).filter_map(Result::ok);
        return Ok([sure_heuristic(task), heuristic(None, task)?]
            .into_iter()
            .chain(towards)
            .collect());
    }
    let asked = by.iter().filter_map(|means| match means {
        Means::AStar(spec) => Some(spec),
        _ => None,
    });
    let built = asked.map(|spec| match (towards_end(spec), &task.goal) {
        (Some(Err(BuildError::Goal { .. })) | None, Some(goal)) => build(spec, task.machine, goal),
        (Some(built), _) => built,
        (None, None) => unreachable!("with a claim there is a goal"),
    });
    built.map(|built| built.map_err(|error| CheckError::Heuristic(error.to_string()))).collect()
}
