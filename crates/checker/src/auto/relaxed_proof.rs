//! What can be known of a property without a search: relaxation, where nothing that was true
//! becomes false, reaches all that can be reached. Where it reaches no error, there is none.

use beeline_heuristics::{BoxedHeuristic, HeuristicGoal, build};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Space};

use super::property_run::PropertyRun;

/// The heuristic that looks at the whole system.
const HEURISTIC: &str = "hff";

/// What relaxation says about the properties of a state space.
pub(super) struct RelaxedProof<'a> {
    /// By case: how it is looked for from here on, if it may be violated.
    pub(super) heuristics: Vec<Option<BoxedHeuristic<'a>>>,
    /// By case: it cannot be violated.
    pub(super) holds: Vec<bool>,
    /// No step can fail, so that nothing is hidden behind one.
    pub(super) is_faultless: bool,
}

impl<'a> RelaxedProof<'a> {
    /// Looks at the properties that are still open.
    pub(super) fn of(space: &dyn Space, runs: &[PropertyRun<'a>]) -> RelaxedProof<'a> {
        let mut first = Vec::new();
        let begins = space.initial(&mut first).is_ok();
        let spec = Spec::named(HEURISTIC);
        let mut relaxed_proof =
            RelaxedProof { heuristics: Vec::new(), holds: Vec::new(), is_faultless: false };
        let Some(machine) = runs.first().map(|run| run.task.machine).filter(|_| begins) else {
            return relaxed_proof;
        };
        let seen = |goal: &HeuristicGoal| {
            let mut built = build(&spec, machine, goal).ok()?;
            let is_safe = built.claims().safe;
            let is_dead = is_safe && built.estimate(&first) == Estimate::DeadEnd;
            Some((built, is_dead))
        };
        let mut fails = seen(&HeuristicGoal::Assertions);
        relaxed_proof.is_faultless = matches!(fails, Some((_, true)));
        for run in runs {
            let goal = run.task.goal.as_ref().filter(|_| run.is_open());
            let is_about_faults = matches!(goal, Some(HeuristicGoal::Assertions));
            let looked = if is_about_faults { fails.take() } else { goal.and_then(seen) };
            let (heuristic, is_dead) =
                looked.map_or((None, false), |(one, dead)| (Some(one), dead));
            // Whether a claim holds for a trivial reason is told by those who saw all states.
            let is_claim = matches!(run.task.goal, Some(HeuristicGoal::Claim));
            let is_sure = (relaxed_proof.is_faultless || is_about_faults) && !is_claim;
            relaxed_proof.holds.push(is_dead && is_sure);
            relaxed_proof.heuristics.push(heuristic.filter(|_| !is_dead));
        }
        relaxed_proof
    }
}
