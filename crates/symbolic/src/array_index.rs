//! Which factors select array elements.

use std::collections::BTreeSet;

use beeline_factored::{AssignmentTarget, FactorExpr, FactorId, Instruction, Operator, Ranges};

use crate::specialise::{Known, Pass};

/// The factors that an index of an array element depends on, as far as the element is not resolved:
/// their values before the operator determine the index.
pub(crate) fn index_factors(
    operator: &Operator,
    known: &Known,
    ranges: &Ranges,
) -> BTreeSet<FactorId> {
    let mut known = known.clone();
    let mut pass = Pass::new(&mut known, ranges);
    let mut found = BTreeSet::new();
    for action in &operator.actions {
        match action {
            Instruction::Require(condition) => in_expr(&pass, condition, &mut found),
            Instruction::Set(all) => {
                for one in all {
                    in_expr(&pass, &one.value, &mut found);
                    if let AssignmentTarget::Element(element) = &one.place {
                        in_index(&pass, &element.index, &mut found);
                    }
                }
                if pass.assign(all).is_none() {
                    break;
                }
            }
        }
    }
    found
}

fn in_index(pass: &Pass<'_>, index: &FactorExpr, found: &mut BTreeSet<FactorId>) {
    if has_element(index) {
        // The inner element first: once it is resolved, the outer one depends on less.
        in_expr(pass, index, found);
    } else {
        found.extend(pass.origins(index));
    }
}

fn in_expr(pass: &Pass<'_>, expr: &FactorExpr, found: &mut BTreeSet<FactorId>) {
    match expr {
        FactorExpr::Const(_) | FactorExpr::Factor(_) | FactorExpr::Any(_) => {}
        FactorExpr::Element(element) => in_index(pass, &element.index, found),
        FactorExpr::Unary(_, operand) => in_expr(pass, operand, found),
        FactorExpr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| in_expr(pass, e, found)),
        FactorExpr::Conditional(a, b, c) => {
            [a, b, c].into_iter().for_each(|e| in_expr(pass, e, found));
        }
    }
}

/// Whether an expression has an array element with an unknown index.
pub(crate) fn has_element(expr: &FactorExpr) -> bool {
    match expr {
        FactorExpr::Const(_) | FactorExpr::Factor(_) | FactorExpr::Any(_) => false,
        FactorExpr::Element(_) => true,
        FactorExpr::Unary(_, operand) => has_element(operand),
        FactorExpr::Binary(_, a, b) => has_element(a) || has_element(b),
        FactorExpr::Conditional(a, b, c) => has_element(a) || has_element(b) || has_element(c),
    }
}
