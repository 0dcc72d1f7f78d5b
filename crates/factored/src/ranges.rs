//! Which values factors can have: a sound interval for each, from the initial values and all
//! steps, until nothing grows. What grows again and again is widened to the next constant of
//! the system, then to all that its domain has.
//!
//! What a step requires of a factor narrows its values for the rest of the step, so that
//! `i < 5 → i + 1` stays within 0 and 5.

use std::collections::BTreeSet;

use crate::arithmetic::Binary;
use crate::evaluate::{evaluate, narrow};
use crate::expr::FactorExpr;
use crate::factor::FactorId;
use crate::interval::Interval;
use crate::system::{AssignmentTarget, Instruction, System};

/// Rounds before values are widened.
const PATIENCE: usize = 40;

/// An interval for each factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    intervals: Vec<Interval>,
    /// Which factors stand for many things.
    crowds: Vec<bool>,
}

impl Ranges {
    /// Finds the values that factors can have in what is reachable.
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
                    // What is set is cut to the width of its place before.
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

    /// Values that someone else knows, one interval for each factor of a system.
    pub fn given(system: &System, intervals: Vec<Interval>) -> Ranges {
        let crowds = system.factors.iter().map(|factor| factor.is_summary).collect();
        Ranges { intervals, crowds }
    }

    /// What actions, one after the other, may set, and to which values, in order: the last
    /// counts. None if they are not possible.
    pub fn outcome<'s>(
        &self,
        actions: &[Instruction],
        scratch: &'s mut RangeScratch,
    ) -> Option<&'s [(FactorId, Interval)]> {
        scratch.begin(self.intervals.len());
        self.run(actions, scratch).then_some(&scratch.set)
    }

    /// The values of a factor.
    pub fn get(&self, factor: FactorId) -> Interval {
        self.intervals[factor.index()]
    }

    /// Says what values a factor has, as someone else knows it.
    pub fn set(&mut self, factor: FactorId, values: Interval) {
        self.intervals[factor.index()] = values;
    }

    /// Whether actions, one after the other, may be possible.
    pub fn allow(&self, actions: &[Instruction], scratch: &mut RangeScratch) -> bool {
        self.outcome(actions, scratch).is_some()
    }

    /// Whether conditions may all be true at once.
    pub fn may_hold(&self, conditions: &[FactorExpr], scratch: &mut RangeScratch) -> bool {
        scratch.begin(self.intervals.len());
        conditions.iter().all(|condition| self.require(condition, scratch))
    }

    fn run(&self, actions: &[Instruction], scratch: &mut RangeScratch) -> bool {
        for action in actions {
            match action {
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
                        // What else it may still be: others of a crowd keep what they have.
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

    /// Narrows the values to those with which a condition may be true; whether there are any.
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
            // One of a crowd says nothing about the others.
            if !self.crowds[factor.index()] {
                scratch.meet(self, factor, bound);
            }
        }
        true
    }
}

/// The values of factors within a step, where they differ from before it. Kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct RangeScratch {
    at: Vec<Option<Interval>>,
    touched: Vec<FactorId>,
    set: Vec<(FactorId, Interval)>,
    /// What one action sets, and whether it surely does.
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

/// The numbers that stand in the system, and their neighbours.
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
