//! The factored view of a machine ([`beeline_factored`]): processes, variables and channels as
//! factors, edges as steps over them.
//!
//! The view over-approximates: it allows all steps of the machine, and more where it abstracts from
//! exclusive control, priorities, the value of `timeout`, and the steps that an escape excludes. A
//! process without a statically known number is part of a summary (`instances.rs`). An exact view has
//! room for a bounded number of processes instead (`bounded_instances.rs`).

mod action_sequences;
mod bounded_instances;
mod build;
mod builder;
mod channels;
mod creation;
mod exact;
mod exact_channels;
mod excluded;
mod expressions;
mod feasible;
mod goals;
mod instance_bounds;
mod instances;
mod path_intervals;
mod read;
mod spans;
mod starts;
mod static_creation;
mod steps;
mod view;

use beeline_engine::interpreter::Machine;
use beeline_factored::{FactorExpr, FactoredView};
use beeline_promela::hir::Expr;

use builder::Detail;

pub use instance_bounds::InstanceBounds;
pub(crate) use starts::started;
pub(crate) use static_creation::StaticCreations;
pub use view::{FactoredGoal, FactoringError};

/// The view of a machine for heuristics: it may have more steps than the machine.
///
/// # Errors
///
/// When it would be too large.
pub fn relaxed_view(
    machine: &Machine<'_>,
    sought: &FactoredGoal,
) -> Result<FactoredView, FactoringError> {
    builder::Builder::new(machine, Detail::Relaxed, &InstanceBounds::default())?.finish(sought)
}

/// The view that follows the machine as closely as possible; its system says whether it is exact.
/// It has room for bounded numbers of processes without a known number.
///
/// # Errors
///
/// When it would be too large.
pub fn exact_view(
    machine: &Machine<'_>,
    bounds: &InstanceBounds,
) -> Result<FactoredView, FactoringError> {
    builder::Builder::new(machine, Detail::Exact, bounds)?.finish(&FactoredGoal::Nothing)
}

/// The same view, with conditions as expressions over its factors. Where a condition has no value,
/// its expression is false or has no value either.
///
/// # Errors
///
/// When it would be too large.
pub fn exact_view_with(
    machine: &Machine<'_>,
    bounds: &InstanceBounds,
    conditions: &[&Expr],
) -> Result<(FactoredView, Vec<FactorExpr>), FactoringError> {
    let mut builder = builder::Builder::new(machine, Detail::Exact, bounds)?;
    let mut expr_of = |condition: &&Expr| {
        let value = builder.expr(condition, None);
        let fails = builder.take_failing().fold(FactorExpr::Const(0), FactorExpr::or);
        fails.negated().and(value)
    };
    let conditions = conditions.iter().map(&mut expr_of).collect();
    Ok((builder.finish(&FactoredGoal::Nothing)?, conditions))
}
