//! Range analysis: a sound interval for each factor, as the least fixpoint of the initial values
//! and all operators. Intervals that keep growing are widened to the next constant of the system,
//! then to the domain.
//!
//! Conditions narrow intervals for the rest of an operator, so that `i < 5 → i + 1` stays within 0
//! and 5.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use crate::arithmetic::Binary;
use crate::evaluate::{evaluate, narrow};
use crate::expr::FactorExpr;
use crate::factor::FactorId;
use crate::interval::Interval;
use crate::system::{AssignmentTarget, Instruction, System};

/// Iterations before widening.
const PATIENCE: usize = 40;

/// An interval for each factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    intervals: Vec<Interval>,
    /// The summary factors.
    crowds: Vec<bool>,
}

impl Ranges {
    /// Computes the ranges of a system.
    pub fn of(system: &System) -> Ranges {
        let first = system.initial.iter().map(|&value| Interval::one(value)).collect();
        let mut ranges = Ranges::given(system, first);
        let thresholds = thresholds(system);
        let mut readers = vec![Vec::new(); system.factors.len()];
        for (at, step) in system.steps.iter().enumerate() {
            step.exprs(|expr| {
                expr.factors(&mut |factor| {
                    let of: &mut Vec<usize> = &mut readers[factor.index()];
                    if of.last() != Some(&at) {
                        of.push(at);
                    }
                });
            });
        }
        let mut waits = vec![true; system.steps.len()];
        let mut grown = vec![0; system.factors.len()];
        let mut scratch = RangeScratch::default();
        while waits.contains(&true) {
            for at in 0..system.steps.len() {
                if !std::mem::take(&mut waits[at]) {
                    continue;
                }
                let Some(set) = ranges.outcome(&system.steps[at].actions, &mut scratch) else {
                    continue;
                };
                for &(factor, value) in set {
                    let old = ranges.intervals[factor.index()];
                    let domain = system.factor(factor).domain;
                    // Assigned values are truncated before.
                    let mut new = old.hull(value).meet(domain).unwrap_or(domain);
                    if new == old {
                        continue;
                    }
                    grown[factor.index()] += 1;
                    if grown[factor.index()] > PATIENCE {
                        new = widen(old, new, &thresholds).meet(domain).unwrap_or(domain);
                    }
                    ranges.intervals[factor.index()] = new;
                    readers[factor.index()].iter().for_each(|&reader| waits[reader] = true);
                }
            }
        }
        ranges
    }

    /// Given ranges, one interval for each factor of a system.
    pub fn given(system: &System, intervals: Vec<Interval>) -> Ranges {
        let crowds = system.factors.iter().map(|factor| factor.is_summary).collect();
        Ranges { intervals, crowds }
    }

    /// The intervals that instructions assign, in order; `None` if they are not applicable.
    pub fn outcome<'s>(
        &self,
        actions: &[impl Borrow<Instruction>],
        scratch: &'s mut RangeScratch,
    ) -> Option<&'s [(FactorId, Interval)]> {
        scratch.begin(self.intervals.len());
        self.run(actions, scratch).then_some(&scratch.set)
    }

    /// The range of a factor.
    pub fn get(&self, factor: FactorId) -> Interval {
        self.intervals[factor.index()]
    }

    /// Sets the range of a factor.
    pub fn set(&mut self, factor: FactorId, values: Interval) {
        self.intervals[factor.index()] = values;
    }

    /// Whether instructions may be applicable.
    pub fn allow(&self, actions: &[impl Borrow<Instruction>], scratch: &mut RangeScratch) -> bool {
        self.outcome(actions, scratch).is_some()
    }

    /// Whether conditions may hold together.
    pub fn may_hold(&self, conditions: &[FactorExpr], scratch: &mut RangeScratch) -> bool {
        scratch.begin(self.intervals.len());
        conditions.iter().all(|condition| self.require(condition, scratch))
    }

    fn run(&self, actions: &[impl Borrow<Instruction>], scratch: &mut RangeScratch) -> bool {
        for action in actions {
            match action.borrow() {
                Instruction::Require(condition) => {
                    if !self.require(condition, scratch) {
                        return false;
                    }
                }
                Instruction::Set(all) => {
                    let mut done = std::mem::take(&mut scratch.done);
                    done.clear();
                    for one in all {
                        let Some(value) = self.value(&one.value, scratch) else { return false };
                        match &one.place {
                            AssignmentTarget::Factor(factor) => done.push((*factor, value, true)),
                            AssignmentTarget::Element(element) => {
                                let row =
                                    Interval { least: 0, greatest: i64::from(element.count) - 1 };
                                let index = self.value(&element.index, scratch);
                                let Some(index) = index.and_then(|index| index.meet(row)) else {
                                    return false;
                                };
                                let is_sure = index.single().is_some();
                                for at in index.least..=index.greatest {
                                    let factor = element.first.0 + at as u32 * element.stride;
                                    done.push((FactorId(factor), value, is_sure));
                                }
                            }
                        }
                    }
                    for &(factor, value, is_sure) in &done {
                        // An uncertain assignment, or one to a summary factor, keeps the old
                        // values.
                        let is_sure = is_sure && !self.crowds[factor.index()];
                        let value =
                            if is_sure { value } else { value.hull(scratch.get(self, factor)) };
                        scratch.put(factor, value);
                        scratch.set.push((factor, value));
                    }
                    scratch.done = done;
                }
            }
        }
        true
    }

    fn value(&self, expr: &FactorExpr, scratch: &RangeScratch) -> Option<Interval> {
        evaluate(expr, &|factor| scratch.get(self, factor))
    }

    /// Narrows intervals by a condition; returns whether it may hold.
    fn require(&self, condition: &FactorExpr, scratch: &mut RangeScratch) -> bool {
        if let FactorExpr::Binary(Binary::And, a, b) = condition {
            return self.require(a, scratch) && self.require(b, scratch);
        }
        if !self.value(condition, scratch).is_some_and(Interval::may_be_true) {
            return false;
        }
        let mut bounds = [None; 2];
        narrow(condition, &|factor| Some(scratch.get(self, factor)), &mut |factor, bound| {
            let free = bounds.iter_mut().find(|bound| bound.is_none());
            *free.expect("a comparison has two sides") = Some((factor, bound));
        });
        for (factor, bound) in bounds.into_iter().flatten() {
            // A summary factor has several values: it is not narrowed.
            if !self.crowds[factor.index()] {
                scratch.meet(self, factor, bound);
            }
        }
        true
    }
}

/// Intervals within an operator where they differ from the ranges; reused buffers.
#[derive(Clone, Debug, Default)]
pub struct RangeScratch {
    at: Vec<Option<Interval>>,
    touched: Vec<FactorId>,
    set: Vec<(FactorId, Interval)>,
    /// The assignments of one instruction, and whether they are certain.
    done: Vec<(FactorId, Interval, bool)>,
}

impl RangeScratch {
    fn begin(&mut self, factors: usize) {
        for factor in self.touched.drain(..) {
            self.at[factor.index()] = None;
        }
        self.set.clear();
        self.at.resize(self.at.len().max(factors), None);
    }

    fn get(&self, ranges: &Ranges, factor: FactorId) -> Interval {
        self.at[factor.index()].unwrap_or_else(|| ranges.get(factor))
    }

    fn put(&mut self, factor: FactorId, value: Interval) {
        self.at[factor.index()] = Some(value);
        self.touched.push(factor);
    }

    fn meet(&mut self, ranges: &Ranges, factor: FactorId, bound: Interval) {
        if let Some(met) = self.get(ranges, factor).meet(bound) {
            self.put(factor, met);
        }
    }
}

/// The constants of the system and their neighbours.
fn thresholds(system: &System) -> BTreeSet<i64> {
    fn constants(expr: &FactorExpr, found: &mut BTreeSet<i64>) {
        match expr {
            FactorExpr::Const(value) => {
                let value = i64::from(*value);
                found.extend([value - 1, value, value + 1]);
            }
            FactorExpr::Factor(_) | FactorExpr::Any(_) => {}
            FactorExpr::Element(element) => constants(&element.index, found),
            FactorExpr::Unary(_, operand) => constants(operand, found),
            FactorExpr::Binary(_, a, b) => {
                constants(a, found);
                constants(b, found);
            }
            FactorExpr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| constants(part, found));
            }
        }
    }
    let mut found = BTreeSet::new();
    system.steps.iter().for_each(|step| step.exprs(|expr| constants(expr, &mut found)));
    found
}

/// The next larger interval with bounds among the thresholds.
fn widen(old: Interval, new: Interval, thresholds: &BTreeSet<i64>) -> Interval {
    let least = if new.least < old.least {
        thresholds.range(..=new.least).next_back().copied().unwrap_or(Interval::ALL.least)
    } else {
        new.least
    };
    let greatest = if new.greatest > old.greatest {
        thresholds.range(new.greatest..).next().copied().unwrap_or(Interval::ALL.greatest)
    } else {
        new.greatest
    };
    Interval { least, greatest }
}
