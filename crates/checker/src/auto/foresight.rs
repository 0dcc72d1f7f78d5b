//! What can be known of a property without a search: relaxation, where nothing that was true
//! becomes false, reaches all that can be reached. Where it reaches no error, there is none.

use beeline_heuristics::{Built, Goal, build};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Estimate, Space};

use super::case::Case;

/// The heuristic that looks at the whole system.
const FORESIGHT: &str = "hff";

/// What relaxation says about the properties of a state space.
pub(super) struct Foresight<'a> {
    /// By case: how it is looked for from here on, if it may be violated.
    pub(super) hunters: Vec<Option<Built<'a>>>,
    /// By case: it cannot be violated.
    pub(super) holds: Vec<bool>,
    /// No step can fail, so that nothing is hidden behind one.
    pub(super) is_faultless: bool,
}

impl<'a> Foresight<'a> {
    /// Looks at the properties that are still open.
    pub(super) fn of(space: &dyn Space, cases: &[Case<'a>]) -> Foresight<'a> {
        let mut first = Vec::new();
        let begins = space.initial(&mut first).is_ok();
        let spec = Spec::named(FORESIGHT);
        let mut foresight =
            Foresight { hunters: Vec::new(), holds: Vec::new(), is_faultless: false };
        let Some(machine) = cases.first().map(|case| case.task.machine).filter(|_| begins) else {
            return foresight;
        };
        let seen = |goal: &Goal| {
            let mut built = build(&spec, machine, goal).ok()?;
            let is_safe = built.claims().safe;
            let is_dead = is_safe && built.estimate(&first) == Estimate::DeadEnd;
            Some((built, is_dead))
        };
        let mut fails = seen(&Goal::Assertions);
        foresight.is_faultless = matches!(fails, Some((_, true)));
        for case in cases {
            let goal = case.task.goal.as_ref().filter(|_| case.is_open());
            let is_about_faults = matches!(goal, Some(Goal::Assertions));
            let looked = if is_about_faults { fails.take() } else { goal.and_then(seen) };
            let (hunter, is_dead) = looked.map_or((None, false), |(one, dead)| (Some(one), dead));
            // Whether a claim holds for a trivial reason is told by those who saw all states.
            let is_claim = matches!(case.task.goal, Some(Goal::Claim));
            let is_sure = (foresight.is_faultless || is_about_faults) && !is_claim;
            foresight.holds.push(is_dead && is_sure);
            foresight.hunters.push(hunter.filter(|_| !is_dead));
        }
        foresight
    }
}
