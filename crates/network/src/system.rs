//! A network as a [`System`]: its state space, its heuristics, and witnesses that are replayed.

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, Resources, Space, StatePath, Trail};
use beeline_model::{
    Aim, Certificate, ErrorKind, HeuristicError, HeuristicScope, Property, System, Unconfirmed,
    Violation,
};
use beeline_search::{FindingKind, SearchTarget};

use crate::components::NetworkComponents;
use crate::composition::Composition;
use crate::heuristics::build_network_heuristic;
use crate::network::Network;
use crate::replayer::NetworkReplayer;

/// The invariant that is violated where all processes are in error states.
pub(crate) const ERROR: u32 = 0;

/// A network with its state space and its components.
pub(crate) struct NetworkSystem<'a> {
    pub(crate) network: &'a Network,
    pub(crate) space: &'a Composition<'a>,
    pub(crate) components: &'a NetworkComponents,
}

impl System for NetworkSystem<'_> {
    fn space(&self) -> &dyn Space {
        self.space
    }

    fn target(&self, property: &Property) -> Option<SearchTarget> {
        (property.name == "error").then(|| SearchTarget::invariant(ERROR))
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        match aim {
            Aim::Error(_) => build_network_heuristic(spec, self.components, resources),
            Aim::State(_) => {
                let why = "heuristics of networks estimate the distance to an error, not to a \
                           known state";
                Err(HeuristicError::Aim(why.to_owned()))
            }
        }
    }

    fn usual_heuristic(&self, _target: SearchTarget) -> Option<&'static str> {
        Some("dpa")
    }

    /// Both heuristics are consistent, so that a greedy search that ends without a hit proves that
    /// there is no error.
    fn greedy_heuristic(
        &self,
        _target: SearchTarget,
        scope: HeuristicScope,
    ) -> Option<&'static str> {
        Some(match scope {
            HeuristicScope::Whole => "dpa(n=100)",
            HeuristicScope::Local => "fsm",
        })
    }

    fn admissible_heuristic(&self, _target: SearchTarget) -> &'static str {
        "dpa(n=100)"
    }

    fn never_fails(&self) -> bool {
        true
    }

    fn initial_choices(&self) -> u64 {
        let processes = self.network.processes().iter();
        processes.filter(|process| process.initial.len() > 1).count() as u64
    }

    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let unconfirmed = |why: &str| Unconfirmed { finding: Some(found), why: why.to_owned() };
        let replayer = NetworkReplayer::new(self.network);
        let steps = replayer.steps_along(path);
        let steps =
            steps.ok_or_else(|| unconfirmed("a state is not a successor of the one before"))?;
        let trail = replayer.trail_of(&steps);
        let replayed = replayer.replay(&trail).map_err(|error| unconfirmed(&error.to_string()))?;
        if !replayer.is_error(replayed.end()) || replayed.steps != steps {
            return Err(unconfirmed("the replayed trail does not reach the error"));
        }
        // Every path begins with the choices of initial states, which are not steps.
        let transitions = (path.transitions() as u64).saturating_sub(self.initial_choices());
        let length = Certificate::new(replayed.cost(), bound(transitions));
        Ok(Violation { error: ErrorKind::ErrorState, trail, length, cycle: None })
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        let replayer = NetworkReplayer::new(self.network);
        let steps = replayer.steps_along(path)?;
        let length = steps.iter().map(|step| step.cost()).sum();
        Some((replayer.trail_of(&steps), length))
    }
}
