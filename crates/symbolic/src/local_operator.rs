//! Operators on the values of their own factors only, so that one execution does not copy a whole
//! state.

use std::collections::BTreeSet;

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, Instruction, Operator, TooManyOutcomes,
    successors,
};

use crate::variant::Variant;

/// An operator with a buffer for the values before it.
#[derive(Clone, Debug)]
pub(crate) struct LocalOperator {
    operator: Operator,
    excluding: Vec<Operator>,
    /// The factors in the buffer, in ascending order; all of them if it is `None`.
    factors: Option<Vec<FactorId>>,
    values: Vec<i32>,
}

impl LocalOperator {
    /// The operator of a variant; `initial` has a value for each factor of the system.
    pub(crate) fn new(variant: &Variant, initial: &[i32]) -> LocalOperator {
        if variant.has_elements() {
            // Arrays with an unknown index need the numbers of the system.
            let (operator, excluding) = (variant.operator.clone(), variant.excluding.clone());
            return LocalOperator { operator, excluding, factors: None, values: initial.to_vec() };
        }
        let mut factors: BTreeSet<FactorId> = BTreeSet::new();
        for operator in std::iter::once(&variant.operator).chain(&variant.excluding) {
            operator.exprs(|expr| expr.factors(&mut |factor| factors.extend([factor])));
            for action in &operator.actions {
                if let Instruction::Set(all) = action {
                    factors.extend(all.iter().flat_map(|one| one.place.factors()));
                }
            }
        }
        let factors: Vec<FactorId> = factors.into_iter().collect();
        let rename = |operator: &Operator| renamed(operator, &factors);
        let operator = rename(&variant.operator);
        let excluding = variant.excluding.iter().map(rename).collect();
        let values = factors.iter().map(|factor| initial[factor.index()]).collect();
        LocalOperator { operator, excluding, factors: Some(factors), values }
    }

    /// The position of a factor in the buffer, if the operator mentions it.
    pub(crate) fn slot(&self, factor: FactorId) -> Option<usize> {
        match &self.factors {
            Some(factors) => factors.binary_search(&factor).ok(),
            None => Some(factor.index()),
        }
    }

    /// The values before the operator.
    pub(crate) fn values(&mut self) -> &mut [i32] {
        &mut self.values
    }

    /// Enumerates the outcomes.
    pub(crate) fn outcomes(&self, tell: &mut impl FnMut(&[i32])) -> Result<(), TooManyOutcomes> {
        for one in &self.excluding {
            let mut is_applicable = false;
            successors(one, &self.values, &mut |_| is_applicable = true)?;
            if is_applicable {
                return Ok(());
            }
        }
        successors(&self.operator, &self.values, tell)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.operator.name
    }
}

/// The operator with the positions of the factors in a list instead of their numbers.
fn renamed(operator: &Operator, factors: &[FactorId]) -> Operator {
    let actions = operator.actions.iter().map(|action| match action {
        Instruction::Require(condition) => Instruction::Require(renamed_expr(condition, factors)),
        Instruction::Set(all) => Instruction::Set(
            (all.iter())
                .map(|one| Assignment {
                    place: match &one.place {
                        AssignmentTarget::Factor(factor) => {
                            AssignmentTarget::Factor(position(*factor, factors))
                        }
                        AssignmentTarget::Element(_) => unreachable!("elements are resolved"),
                    },
                    value: renamed_expr(&one.value, factors),
                })
                .collect(),
        ),
    });
    let actions = actions.collect();
    Operator { actions, ..operator.clone() }
}

fn position(factor: FactorId, factors: &[FactorId]) -> FactorId {
    FactorId(factors.binary_search(&factor).expect("all factors are listed") as u32)
}

fn renamed_expr(expr: &FactorExpr, factors: &[FactorId]) -> FactorExpr {
    let rename = |expr: &FactorExpr| Box::new(renamed_expr(expr, factors));
    match expr {
        FactorExpr::Const(_) | FactorExpr::Any(_) => expr.clone(),
        FactorExpr::Factor(factor) => FactorExpr::Factor(position(*factor, factors)),
        FactorExpr::Element(_) => unreachable!("elements are resolved"),
        FactorExpr::Unary(op, operand) => FactorExpr::Unary(*op, rename(operand)),
        FactorExpr::Binary(op, a, b) => FactorExpr::Binary(*op, rename(a), rename(b)),
        FactorExpr::Conditional(a, b, c) => {
            FactorExpr::Conditional(rename(a), rename(b), rename(c))
        }
    }
}
