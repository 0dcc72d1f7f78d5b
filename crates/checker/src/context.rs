//! The input of all strategies: properties, system and plan.

use beeline_model::{Property, System};
use beeline_search::SearchTarget;

use crate::plan::Plan;
use crate::task::Task;

/// Properties of a system, and the plan to check them.
pub(crate) struct CheckContext<'a> {
    pub(crate) properties: &'a [Property],
    pub(crate) system: &'a dyn System,
    pub(crate) plan: &'a Plan,
    /// Whether to continue after the first violation of a property.
    pub(crate) all: bool,
}

impl<'a> CheckContext<'a> {
    /// The targets of the properties that single states and steps violate.
    pub(crate) fn targets(&self) -> Vec<SearchTarget> {
        self.properties.iter().filter_map(|property| self.system.target(property)).collect()
    }

    /// The task for a target in the system.
    pub(crate) fn task(&self, target: SearchTarget) -> Task<'a> {
        Task { system: self.system, target, all: self.all }
    }
}
