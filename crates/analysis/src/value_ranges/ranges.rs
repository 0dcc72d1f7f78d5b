//! The result of the analysis: an environment for each place of each process type, and the ranges of
//! what processes share.

use std::collections::BTreeMap;

use beeline_engine::automata::Location;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::ProcessId;

use super::environment::{Environment, Slots};
use super::instance_bounds::InstanceBounds;
use super::shared::SharedRanges;
use super::thresholds::Thresholds;

/// A location, outside of `d_step`s or inside the one of this number.
pub(super) type Place = (Option<usize>, Location);

/// The value ranges of a model.
pub struct ValueRanges<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) instances: InstanceBounds,
    pub(super) shared: SharedRanges,
    /// By process type: the variables of an environment.
    pub(super) slots: Vec<Slots>,
    /// By process type: the environment of each reached place.
    pub(super) reached: Vec<BTreeMap<Place, Reached>>,
    /// By process type: the hull of all its environments.
    pub(super) anywhere: Vec<Option<Environment>>,
    pub(super) thresholds: Thresholds,
}

/// The environment of a place.
pub(super) struct Reached {
    pub(super) environment: Environment,
    pub(super) changes: u32,
}

/// The ranges as a process sees them at one place.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    pub(super) ranges: &'s ValueRanges<'s>,
    pub(super) process: ProcessId,
    pub(super) environment: &'s Environment,
}

impl<'a> ValueRanges<'a> {
    /// The numbers of processes.
    pub fn instances(&self) -> &InstanceBounds {
        &self.instances
    }

    /// The ranges at a location; `None` if no process reaches it.
    pub fn at(&self, id: ProcessId, location: Location) -> Option<Scope<'_>> {
        let reached = self.reached[id.index()].get(&(None, location))?;
        Some(self.scope(id, &reached.environment))
    }

    /// The ranges at any time while a process exists; `None` if none of its type ever does.
    pub fn anywhere(&self, id: ProcessId) -> Option<Scope<'_>> {
        self.anywhere[id.index()].as_ref().map(|environment| self.scope(id, environment))
    }

    pub(super) fn scope<'s>(
        &'s self,
        process: ProcessId,
        environment: &'s Environment,
    ) -> Scope<'s> {
        Scope { ranges: self, process, environment }
    }
}
