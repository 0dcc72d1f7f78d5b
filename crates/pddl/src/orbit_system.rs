//! A task up to symmetry, as a [`System`]: its states stand for symmetric ones, and its trails are
//! those of the task.

use std::sync::Arc;

use beeline_factored::FactoredView;
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, Claims, Deadline, Estimate, Expansion, Heuristic, Preserve, Resources, Space,
    StatePath, StepPreference, Trail,
};
use beeline_model::{
    Aim, HeuristicError, HeuristicScope, Independence, Property, SymbolicProblem, System,
    Unconfirmed, Unsupported, Violation,
};
use beeline_search::{FindingKind, SearchTarget};

use crate::symmetry::{OrbitSpace, Symmetries};
use crate::system::PlanningSystem;

/// A task up to symmetry.
pub struct OrbitSystem<'a> {
    plain: &'a PlanningSystem,
    space: OrbitSpace,
    size: (usize, bool),
}

impl PlanningSystem {
    /// The task with one state for several symmetric ones; `None` if no symmetry is found within the
    /// deadline and a limit of work.
    pub fn up_to_symmetry(&self, deadline: Deadline) -> Option<OrbitSystem<'_>> {
        let symmetries = Symmetries::of(self.planning_space(), deadline)?;
        let size = symmetries.size();
        let space = OrbitSpace::new(self.planning_space().clone(), Arc::new(symmetries));
        Some(OrbitSystem { plain: self, space, size })
    }
}

impl OrbitSystem<'_> {
    /// The number of symmetries that are applied to a state, and whether they and the identity are a
    /// group.
    pub fn symmetries(&self) -> (usize, bool) {
        self.size
    }

    /// The path of the task for a path of this system. Searches on sets of states find paths of the
    /// task.
    fn plain_path(&self, path: &StatePath) -> Option<StatePath> {
        let is_plain = self.plain.trail_along(path).is_some();
        if is_plain { Some(path.clone()) } else { self.space.plain_path(path) }
    }
}

impl System for OrbitSystem<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn target(&self, property: &Property) -> Option<SearchTarget> {
        self.plain.target(property)
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        let plain = self.plain.heuristic(spec, aim, resources)?;
        Ok(Box::new(OrbitHeuristic { plain }))
    }

    fn usual_heuristic(&self, target: SearchTarget) -> Option<&'static str> {
        self.plain.usual_heuristic(target)
    }

    fn greedy_heuristic(
        &self,
        target: SearchTarget,
        scope: HeuristicScope,
    ) -> Option<&'static str> {
        self.plain.greedy_heuristic(target, scope)
    }

    fn admissible_heuristic(&self, target: SearchTarget) -> &'static str {
        self.plain.admissible_heuristic(target)
    }

    fn relaxation(&self) -> Option<&'static str> {
        self.plain.relaxation()
    }

    fn never_fails(&self) -> bool {
        self.plain.never_fails()
    }

    fn factored_view(&self) -> Result<FactoredView, Unsupported> {
        self.plain.factored_view()
    }

    fn symbolic_problem(&self) -> Result<SymbolicProblem, Unsupported> {
        self.plain.symbolic_problem()
    }

    fn independence(&self, preserve: Preserve) -> Result<Box<dyn Independence + '_>, Unsupported> {
        self.plain.independence(preserve)
    }

    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let plain = self.plain_path(path).ok_or_else(|| Unconfirmed {
            finding: Some(found),
            why: "a state is not symmetric to a successor of the one before".to_owned(),
        })?;
        self.plain.witness(&plain, found, bound)
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        self.plain.trail_along(&self.plain_path(path)?)
    }
}

/// A heuristic of the task, which may estimate symmetric states differently.
#[derive(Clone)]
struct OrbitHeuristic<'a> {
    plain: BoxedHeuristic<'a>,
}

impl Heuristic for OrbitHeuristic<'_> {
    fn name(&self) -> &str {
        self.plain.name()
    }

    fn claims(&self) -> Claims {
        Claims { consistent: false, ..self.plain.claims() }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.plain.estimate(state)
    }

    fn estimate_all(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        estimates: &mut Vec<Estimate>,
    ) {
        self.plain.estimate_all(state, successors, estimates);
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        self.plain.step_preferences(state, successors, preferences);
    }

    fn effort(&self) -> u64 {
        self.plain.effort()
    }
}
