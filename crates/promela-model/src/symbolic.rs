//! Sets of states: the exact view of a machine, with its errors.

use beeline_analysis::factored::{InstanceBounds, exact_view_with};
use beeline_analysis::faults::FaultAnalysis;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{FaultKind, Faults};
use beeline_model::{SymbolicProblem, Unsupported};
use beeline_promela::hir::Expr;

use crate::branching::is_state_condition;

/// The faults that no operator of a view has.
const UNSEEN: [FaultKind; 6] = [
    FaultKind::Trace,
    FaultKind::Claim,
    FaultKind::Exclusive,
    FaultKind::Nondeterminism,
    FaultKind::Circular,
    FaultKind::Overflow,
];

/// The view of a machine with its errors, with room for this many processes. `possible` are the
/// faults that a static analysis does not exclude.
///
/// # Errors
///
/// When the model has no factored form.
pub(crate) fn symbolic_problem(
    machine: &Machine<'_>,
    instances: &InstanceBounds,
    possible: Faults,
) -> Result<SymbolicProblem, Unsupported> {
    let analysis = FaultAnalysis::new(machine);
    let is_plain = |condition: &Expr| {
        is_state_condition(machine, condition) && !analysis.global_expr(condition)
    };
    let plain: Vec<bool> = machine.invariants().iter().map(is_plain).collect();
    let conditions: Vec<&Expr> = machine
        .invariants()
        .iter()
        .zip(&plain)
        .filter(|(_, plain)| **plain)
        .map(|(it, _)| it)
        .collect();
    let made = exact_view_with(machine, instances, &conditions);
    let (view, exprs) = made.map_err(|error| Unsupported::new(error.to_string()))?;
    let mut exprs = exprs.into_iter();
    let invariants = plain.iter().map(|plain| {
        let expr = plain.then(|| exprs.next()).flatten();
        expr.filter(beeline_factored::FactorExpr::is_determined)
    });
    let invariants = invariants.collect();
    let unseen: Vec<FaultKind> =
        UNSEEN.into_iter().filter(|&kind| possible.contains(kind)).collect();
    Ok(SymbolicProblem { view, invariants, unseen: Faults::of(&unseen) })
}
