//! Formula distance: the distance to the truth of a condition.
//!
//! Source: "Formula-Based Estimate" in [EMJ05] (Heuristics): sums for `&&`, minima for `||`, the
//! duals below `!`, and for a relation the difference of its sides.
//! Deviation: a condition that holds costs nothing.
//! Claims: no dead ends; not admissible, since one step can make many conditions true.
//!
//! The terms of the outermost sum depend on few levels each. Terms about the same levels share a
//! weight table, which is learned from the values that occur.

use std::collections::BTreeMap;

use beeline_factored::{Binary, FactorExpr, FactorId, Interval, Unary, evaluate};

use crate::costed_step::{CostedSets, add_to};
use crate::ldd::{LevelAccess, Set, Support, SupportLevel, WeightTable, weight_value};
use crate::limits::SymbolicError;
use crate::search::estimate::SymbolicEstimate;
use crate::search::estimate::component_sum::groups;
use crate::states_where::Truth;
use crate::system::SymbolicSystem;

/// Upper bound on the combinations of values that are learned at once. Terms with more say only
/// whether they are true.
const MOST_COMBINATIONS: u64 = 1 << 12;

/// A condition that shall have a truth value.
type TruthTerm = (FactorExpr, Truth);

/// The distance of a condition from being true.
#[derive(Clone, Debug)]
pub struct TruthDistances {
    condition: FactorExpr,
    /// The terms of the sum; they are made for the first set.
    terms: Option<Terms>,
}

/// The terms of a sum.
#[derive(Clone, Debug)]
struct Terms {
    learned: Vec<LearnedTerms>,
    /// Terms that are not learned: 0 where they are true, and 1 elsewhere.
    others: Vec<TruthTerm>,
}

/// Terms about the same levels, with their sums for the values that have occurred.
#[derive(Clone, Debug)]
struct LearnedTerms {
    terms: Vec<TruthTerm>,
    support: Support,
    known: Set,
    rows: Set,
}

impl TruthDistances {
    /// Of a condition.
    pub fn new(condition: FactorExpr) -> TruthDistances {
        TruthDistances { condition, terms: None }
    }
}

impl SymbolicEstimate for TruthDistances {
    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        let condition = &self.condition;
        let terms = self.terms.get_or_insert_with(|| Terms::new(system, condition));
        let mut parts = terms.divide(system, set)?;
        for (term, truth) in &terms.others {
            let mut finer = BTreeMap::new();
            for (sum, part) in parts {
                let here = system.states_with(term, *truth, &part)?;
                let there = system.forest.difference(&part, &here)?;
                add_to(&mut system.forest, &mut finer, sum, here)?;
                add_to(&mut system.forest, &mut finer, sum + 1, there)?;
            }
            parts = finer.into_iter().collect();
        }
        Ok(parts)
    }
}

impl Terms {
    fn new(system: &mut SymbolicSystem<'_>, condition: &FactorExpr) -> Terms {
        let mut all = Vec::new();
        collect_terms(condition, Truth::Yes, &mut all);
        let (learned, others): (Vec<TruthTerm>, _) =
            all.into_iter().partition(|(term, _)| term.is_determined());
        let mut by_levels: BTreeMap<Vec<u32>, Vec<TruthTerm>> = BTreeMap::new();
        for term in learned {
            by_levels.entry(system.levels_of(&term.0)).or_default().push(term);
        }
        let learned = by_levels.into_iter().map(|(levels, terms)| {
            let reads = levels.iter().map(|&level| SupportLevel::new(level, LevelAccess::Read));
            let support = Support::new(&mut system.forest, reads.collect());
            let (known, rows) = (system.forest.empty(), system.forest.empty());
            LearnedTerms { terms, support, known, rows }
        });
        Terms { learned: learned.collect(), others }
    }

    /// Divides a set by the sums of the learned terms; values that are new are learned.
    fn divide(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        loop {
            let (mut constant, mut tables) = (0, Vec::new());
            for one in &self.learned {
                match one.support.levels() {
                    // The terms of no level have one value.
                    [] => constant += one.sum_at(system, &[]),
                    _ => tables.push(WeightTable::of_rows(one.levels(), one.rows.clone())),
                }
            }
            let mut parts = vec![(constant, set.clone())];
            let mut is_complete = true;
            for group in groups(tables) {
                let mut finer = BTreeMap::new();
                for (sum, part) in parts {
                    let divided = system.forest.divide(&part, &group)?;
                    is_complete &= divided.is_complete;
                    for (weight, states) in divided.parts {
                        add_to(&mut system.forest, &mut finer, sum + weight, states)?;
                    }
                }
                parts = finer.into_iter().collect();
            }
            if is_complete {
                return Ok(parts);
            }
            self.learn(system, set)?;
        }
    }

    /// Learns the values of a set.
    fn learn(&mut self, system: &mut SymbolicSystem<'_>, set: &Set) -> Result<(), SymbolicError> {
        for mut one in std::mem::take(&mut self.learned) {
            match one.learn(system, set)? {
                true => self.learned.push(one),
                false => self.others.extend(one.terms),
            }
        }
        Ok(())
    }
}

impl LearnedTerms {
    fn levels(&self) -> Vec<u32> {
        self.support.levels().iter().map(|one| one.level).collect()
    }

    /// Learns the values of a set; returns whether they are few enough.
    fn learn(&mut self, system: &mut SymbolicSystem<'_>, set: &Set) -> Result<bool, SymbolicError> {
        let values = system.forest.project(set, &self.support)?;
        let new = system.forest.difference(&values, &self.known)?;
        let count = system.forest.count(&new);
        if count.to_u64().is_none_or(|count| count > MOST_COMBINATIONS) {
            return Ok(false);
        }
        let mut rows: Vec<Vec<i32>> = system.forest.vectors(&new).collect();
        for row in &mut rows {
            let sum = self.sum_at(system, row);
            row.push(weight_value(sum));
        }
        if !self.support.levels().is_empty() {
            let rows = system.forest.from_vectors(rows.iter().map(Vec::as_slice))?;
            self.rows = system.forest.union(&self.rows, &rows)?;
        }
        self.known = system.forest.union(&self.known, &new)?;
        Ok(true)
    }

    /// The sum of the terms, given the values of the levels.
    fn sum_at(&self, system: &SymbolicSystem<'_>, row: &[i32]) -> u64 {
        let levels = self.levels();
        let read = |factor: FactorId| {
            let level = system.order.level(factor);
            let at = level.and_then(|level| levels.binary_search(&level).ok());
            Interval::one(at.map_or(system.system.initial[factor.index()], |at| row[at]))
        };
        self.terms.iter().map(|(term, truth)| distance(term, *truth, &read)).sum()
    }
}

impl SymbolicSystem<'_> {
    /// The levels of the factors of an expression.
    fn levels_of(&self, expr: &FactorExpr) -> Vec<u32> {
        let mut levels = Vec::new();
        expr.factors(&mut |factor| levels.extend(self.order.level(factor)));
        levels.sort_unstable();
        levels.dedup();
        levels
    }
}

/// The operator under which distances are added: `&&`, and `||` where the truth value is to be false.
fn is_sum(op: Binary, truth: Truth) -> bool {
    (op == Binary::And) == (truth == Truth::Yes)
}

/// The terms of the outermost sum of a condition.
fn collect_terms(expr: &FactorExpr, truth: Truth, terms: &mut Vec<TruthTerm>) {
    match expr {
        FactorExpr::Unary(Unary::Not, operand) => collect_terms(operand, truth.other(), terms),
        FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) if is_sum(*op, truth) => {
            collect_terms(a, truth, terms);
            collect_terms(b, truth, terms);
        }
        term => terms.push((term.clone(), truth)),
    }
}

/// The distance of a condition in a state.
fn distance(expr: &FactorExpr, truth: Truth, read: &impl Fn(FactorId) -> Interval) -> u64 {
    match expr {
        FactorExpr::Unary(Unary::Not, operand) => distance(operand, truth.other(), read),
        FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
            let (a, b) = (distance(a, truth, read), distance(b, truth, read));
            if is_sum(*op, truth) { a + b } else { a.min(b) }
        }
        FactorExpr::Binary(op, a, b) if expr.is_truth() => {
            let side = |expr: &FactorExpr| evaluate(expr, read).and_then(Interval::single);
            match (side(a), side(b)) {
                (Some(a), Some(b)) => difference(*op, truth, i64::from(a), i64::from(b)),
                _ => 1,
            }
        }
        atom => {
            let is_there = |value: Interval| match truth {
                Truth::Yes => value.may_be_true(),
                Truth::No => value.may_be_false(),
            };
            u64::from(!evaluate(atom, read).is_some_and(is_there))
        }
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
