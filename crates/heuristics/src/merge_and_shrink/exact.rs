//! The abstraction of an exact factored system whose errors are sets of values, as tables.
//!
//! The system over-approximates itself: a process loses control at any time, and no operator excludes
//! another one. Steps that fail lead to no state.

use std::sync::Arc;

use beeline_factored::{CascadingTables, FactoredView};

use super::budget::MergeBudget;
use super::from_factors::{ErrorSets, FromFactors};
use super::merge_strategy::MergeOrder;
use super::options::{MergeAndShrinkOptions, MergeAndShrinkSettings};
use super::system::Abstraction;

/// The size limit of a component: decision diagrams have as many nodes at a level.
const N: usize = 500;

/// The tables of the abstraction of a view. Components are composed in the order of the errors, so
/// that the tables are small as decision diagrams with this order of their levels.
pub fn cascading_tables(
    view: &FactoredView,
    errors: ErrorSets<'_>,
    budget: MergeBudget,
) -> CascadingTables {
    let mut system = view.system.without_control();
    system.steps.retain(|step| step.fails.is_none());
    let factors = FromFactors::with_errors(&system, errors, Arc::clone(&view.reading), budget);
    let settings =
        MergeAndShrinkSettings { n: N, order: MergeOrder::Default, ..Default::default() };
    let options = MergeAndShrinkOptions { settings, budget };
    Abstraction::new(factors.components(), options).tables(factors.groups())
}
