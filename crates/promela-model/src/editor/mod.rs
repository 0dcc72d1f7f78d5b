//! Editing of trails: removal or reordering of steps; each edited trail is replayed.

mod core;
mod eliminate;
mod filter;
mod given_trail;
mod group_by_process;
mod steps;

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Trail, TrailError};
use beeline_model::{Followed, TrailEditor};
use beeline_promela::hir;
use beeline_search::SearchTarget;

use crate::claims::with_claim_of;
use crate::semantics::SemanticsOptions;
use crate::system::{PromelaSystem, automata};

pub(crate) use core::causal_core;
use given_trail::follow_steps;
pub(crate) use given_trail::{GivenTrail, follow};

/// The machine for a trail, with all invariants of the model.
pub(crate) fn machine_of<'m>(
    model: &'m hir::Model,
    trail: &Trail,
    semantics: SemanticsOptions,
) -> Machine<'m> {
    let options = beeline_model::SystemOptions { plain: !trail.merged, ..Default::default() };
    with_claim_of(trail, semantics.machine(model, automata(options)))
}

impl From<GivenTrail> for Followed {
    fn from(given: GivenTrail) -> Followed {
        Followed { states: given.states, found: given.found, steps: given.steps as u64 }
    }
}

impl TrailEditor for PromelaSystem<'_> {
    fn follow(&self, trail: &Trail, wanted: SearchTarget) -> Result<Option<Followed>, TrailError> {
        Ok(follow(self.machine, trail, wanted)?.map(Followed::from))
    }

    /// Skips trails with a claim, and trails too long for a few replays.
    fn eliminate(&self, trail: &Trail, target: SearchTarget) -> Option<Followed> {
        if trail.claim.is_some() || trail.lines.len() > eliminate::STEP_LIMIT / 4 {
            return None;
        }
        let given = follow_steps(self.machine, trail, target).ok()??;
        let (states, found) = eliminate::eliminate(self.machine, target, &given)?;
        let steps = states.transitions() as u64;
        Some(Followed { states, found, steps })
    }

    /// Trails to a deadlock or of a claim are not tried, nor those that take too long.
    fn filter(&self, trail: &Trail, target: SearchTarget) -> Option<(Trail, Followed)> {
        if target == SearchTarget::DEADLOCK
            || trail.claim.is_some()
            || trail.lines.len() > filter::LINE_LIMIT
        {
            return None;
        }
        let given = follow(self.machine, trail, target).ok()??;
        let (shorter, given) = filter::filter(self.machine, trail, &given)?;
        Some((shorter, Followed::from(given)))
    }

    fn untangle(&self, trail: &Trail, target: SearchTarget) -> Option<Trail> {
        group_by_process::grouped_by_process(self.machine, trail, target)
    }
}
