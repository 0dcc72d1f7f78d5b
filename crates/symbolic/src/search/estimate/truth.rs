//! Formula distance: the distance to the truth of a condition.
//!
//! Source: "Formula-Based Estimate" in [EMJ05] (Heuristics): sums for `&&`, minima for `||`, the
//! duals below `!`, and for a relation the difference of its sides.
//! Deviation: a condition that holds costs nothing.
//! Claims: no dead ends; not admissible, since one step can make many conditions true.

use std::collections::BTreeMap;

use beeline_factored::{Binary, FactorExpr, FactorId, Interval, Unary, evaluate};

use crate::costed_step::{CostedSets, add_to};
use crate::ldd::{LevelAccess, Set, Support, SupportLevel};
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::states_where::Truth;
use crate::system::SymbolicSystem;

/// Upper bound on the combinations of values for which a relation is evaluated. With more, its
/// distance is 1 where it does not hold.
const MOST_COMBINATIONS: u64 = 1 << 12;

/// The distance of a condition from being true.
#[derive(Clone, Debug)]
pub struct TruthDistances {
    condition: FactorExpr,
}

impl TruthDistances {
    /// Of a condition.
    pub fn new(condition: FactorExpr) -> TruthDistances {
        TruthDistances { condition }
    }
}

impl SymbolicEstimate for TruthDistances {
    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        system.truth_distances(&self.condition, Truth::Yes, set)
    }
}

impl SymbolicSystem<'_> {
    fn truth_distances(
        &mut self,
        expr: &FactorExpr,
        truth: Truth,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        match expr {
            FactorExpr::Unary(Unary::Not, operand) => {
                self.truth_distances(operand, truth.other(), set)
            }
            FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let is_sum = (*op == Binary::And) == (truth == Truth::Yes);
                let combine = |a: u64, b: u64| if is_sum { a + b } else { a.min(b) };
                let mut found = BTreeMap::new();
                for (first, part) in self.truth_distances(a, truth, set)? {
                    for (second, states) in self.truth_distances(b, truth, &part)? {
                        add_to(&mut self.forest, &mut found, combine(first, second), states)?;
                    }
                }
                Ok(found.into_iter().collect())
            }
            FactorExpr::Binary(op, a, b) if expr.is_truth() => {
                match self.relation_distances((*op, a, b), truth, set)? {
                    Some(found) => Ok(found),
                    None => self.atom_distances(expr, truth, set),
                }
            }
            atom => self.atom_distances(atom, truth, set),
        }
    }

    /// 0 where an expression has the truth value, and 1 elsewhere.
    fn atom_distances(
        &mut self,
        atom: &FactorExpr,
        truth: Truth,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let here = self.states_with(atom, truth, set)?;
        let there = self.forest.difference(set, &here)?;
        let parts = [(0, here), (1, there)];
        Ok(parts.into_iter().filter(|(_, states)| !states.is_empty()).collect())
    }

    /// The differences between the sides of a relation; `None` if there are too many values.
    fn relation_distances(
        &mut self,
        (op, a, b): (Binary, &FactorExpr, &FactorExpr),
        truth: Truth,
        set: &Set,
    ) -> Result<Option<CostedSets>, SymbolicError> {
        let (levels, support) = self.support_of(&[a, b]);
        let values = self.forest.project(set, &support)?;
        if self.forest.count(&values).to_u64().is_none_or(|count| count > MOST_COMBINATIONS) {
            return Ok(None);
        }
        let mut rows: BTreeMap<u64, Vec<Vec<i32>>> = BTreeMap::new();
        for row in self.forest.vectors(&values) {
            let side = |expr| self.value_at(expr, &levels, &row);
            let distance = match (side(a), side(b)) {
                (Some(a), Some(b)) => difference(op, truth, a, b),
                _ => 1,
            };
            rows.entry(distance).or_default().push(row);
        }
        let mut parts = Vec::new();
        for (distance, rows) in rows {
            let short = self.forest.from_vectors(rows.iter().map(Vec::as_slice))?;
            parts.push((distance, self.forest.join(set, &short, &support)?));
        }
        Ok(Some(parts))
    }

    /// The levels of the factors of expressions.
    fn support_of(&mut self, exprs: &[&FactorExpr]) -> (Vec<u32>, Support) {
        let mut levels = Vec::new();
        for expr in exprs {
            expr.factors(&mut |factor| levels.extend(self.order.level(factor)));
        }
        levels.sort_unstable();
        levels.dedup();
        let reads = levels.iter().map(|&level| SupportLevel::new(level, LevelAccess::Read));
        let support = Support::new(&mut self.forest, reads.collect());
        (levels, support)
    }

    /// The value of an expression, given those of its levels.
    fn value_at(&self, expr: &FactorExpr, levels: &[u32], row: &[i32]) -> Option<i64> {
        let read = |factor: FactorId| {
            let at = self.order.level(factor).and_then(|level| levels.binary_search(&level).ok());
            Interval::one(at.map_or(self.system.initial[factor.index()], |at| row[at]))
        };
        let value = evaluate(expr, &read)?;
        (value.least == value.greatest).then_some(value.least)
    }
}

/// The difference of the sides of a relation that shall have a truth value.
fn difference(op: Binary, truth: Truth, a: i64, b: i64) -> u64 {
    let apart = |least: i64| least.max(0) as u64;
    match (op, truth) {
        (Binary::Equal, Truth::Yes) | (Binary::NotEqual, Truth::No) => a.abs_diff(b),
        (Binary::Equal, Truth::No) | (Binary::NotEqual, Truth::Yes) => u64::from(a == b),
        (Binary::Less, Truth::Yes) => apart(a - b + 1),
        (Binary::Less, Truth::No) => apart(b - a),
        (Binary::LessEqual, Truth::Yes) => apart(a - b),
        (_, _) => apart(b - a + 1),
    }
}
