//! Proofs without a search: the relaxation, in which no fact that was true becomes false, reaches
//! every reachable error. If it reaches none, the property holds.

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, Estimate, Faults, Resources};
use beeline_model::Aim;
use beeline_search::SearchTarget;

use super::property_run::PropertyRun;

/// The results of the relaxation for the properties of a state space.
#[derive(Default)]
pub(super) struct RelaxedProof<'a> {
    /// By property: the heuristic of a greedy search, if the relaxation reaches an error.
    pub(super) heuristics: Vec<Option<BoxedHeuristic<'a>>>,
    /// By property: whether it is proved.
    pub(super) holds: Vec<bool>,
    /// No step can fail, so that no fault leaves states unexplored.
    pub(super) is_faultless: bool,
}

impl<'a> RelaxedProof<'a> {
    /// Computes the relaxation for the open properties.
    pub(super) fn of(runs: &[PropertyRun<'a>]) -> RelaxedProof<'a> {
        let mut proof = RelaxedProof::default();
        let Some(system) = runs.first().map(|run| run.task.system) else { return proof };
        let Some(relaxation) = system.relaxation() else { return proof };
        let mut initial = Vec::new();
        if system.space().initial(&mut initial).is_err() {
            return proof;
        }
        let spec = Spec::named(relaxation);
        let look = |target: SearchTarget| {
            let aim = Aim::Error(target);
            let mut built = system.heuristic(&spec, aim, Resources::default()).ok()?;
            let is_safe = built.claims().safe;
            let is_dead = is_safe && built.estimate(&initial) == Estimate::DeadEnd;
            Some((built, is_dead))
        };
        // The heuristics of a product estimate the distance to the end of its claim.
        let is_product = system.product_claim().is_some();
        let mut fails = if is_product { None } else { look(SearchTarget::FAULT) };
        proof.is_faultless = matches!(fails, Some((_, true)));
        for run in runs {
            let target = run.task.target;
            let is_aim = run.is_open() && system.usual_heuristic(target).is_some();
            let is_about_faults = is_aim && !is_product && is_about_faults(target);
            let looked = match () {
                () if is_about_faults => fails.take(),
                () if is_aim => look(target),
                () => None,
            };
            let (heuristic, is_dead) =
                looked.map_or((None, false), |(one, dead)| (Some(one), dead));
            // Whether a claim holds vacuously is known only after a complete search.
            let is_sure = (proof.is_faultless || is_about_faults) && !is_product;
            proof.holds.push(is_dead && is_sure);
            proof.heuristics.push(heuristic.filter(|_| !is_dead));
        }
        proof
    }
}

/// Whether a target consists of faults alone.
fn is_about_faults(target: SearchTarget) -> bool {
    target == SearchTarget { faults: target.faults, site: target.site, ..SearchTarget::NOTHING }
        && target.faults != Faults::NONE
}
