//! Estimates as sets: which states of a set have which distance to a goal.
//!
//! Source: [EMJ05], "Symbolic Search", §7: the relation H of values and states.

mod abstraction;
mod component_sum;
mod factor_sum;
mod kinds;
mod largest;
mod pattern;
mod projection;
mod relation;
mod truth;

pub use abstraction::BuildAbstraction;
pub use component_sum::ComponentSum;
pub use factor_sum::FactorDistances;
pub use kinds::{EstimateKind, EstimatedErrors, applicable_condition, deadlock_condition};
pub use largest::LargestEstimate;
pub use pattern::{PatternDistances, PatternGoal};
pub use relation::{EstimateRelation, ZeroEstimate};
pub use truth::TruthDistances;

use crate::costed_step::CostedSets;
use crate::ldd::Set;
use crate::limits::SymbolicError;
use crate::system::SymbolicSystem;

/// An estimate of the cost from a state to a goal.
pub trait SymbolicEstimate {
    /// Whether no step lowers it by more than the step costs.
    fn is_consistent(&self) -> bool {
        false
    }

    /// Splits a set by its estimates. Parts are disjoint. States in no part are dead ends: no goal
    /// can be reached from them.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError>;
}
