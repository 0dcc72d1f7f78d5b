//! Conditions in a discrete state: what they demand of the clocks.
//!
//! The discrete part of a condition is evaluated; what is left are cases, of which one must hold,
//! each a conjunction of constraints.

use beeline_kernel::{Fault, FaultKind, SiteId};

use crate::network::code::{ClockComparison, Code};
use crate::network::memory::{Evaluated, Memory};
use crate::network::operators::{Quantifier, TimedOperator};
use crate::zones::bound::{LARGEST, at_most, below};
use crate::zones::{Bound, Constraint};

/// Cases that a condition may have: more of them would be split without end.
const MOST_CASES: usize = 10_000;

/// A conjunction of constraints, perhaps with a demand on steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Whether the state must be a deadlock (`true`) or must not (`false`).
    pub deadlock: Option<bool>,
}

/// The cases of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases {
    /// It does not hold, whatever the clocks are.
    Never,
    /// It holds, whatever the clocks are.
    Always,
    /// It holds in one of these cases.
    Some(Vec<Case>),
}

impl Cases {
    fn of(truth: bool) -> Cases {
        if truth { Cases::Always } else { Cases::Never }
    }

    /// The cases, one without constraints if it always holds.
    pub fn list(self) -> Vec<Case> {
        match self {
            Cases::Never => Vec::new(),
            Cases::Always => vec![Case::default()],
            Cases::Some(cases) => cases,
        }
    }

    /// Both conditions.
    ///
    /// # Errors
    ///
    /// When there are too many cases.
    pub fn and(self, other: Cases) -> Evaluated<Cases> {
        Ok(match (self, other) {
            (Cases::Never, _) | (_, Cases::Never) => Cases::Never,
            (Cases::Always, one) | (one, Cases::Always) => one,
            (Cases::Some(one), Cases::Some(other)) => {
                if one.len() * other.len() > MOST_CASES {
                    return Err(too_many());
                }
                let mut both = Vec::new();
                for a in &one {
                    for b in &other {
                        let deadlock = a.deadlock.or(b.deadlock);
                        if a.deadlock.is_some() && b.deadlock.is_some() && a.deadlock != b.deadlock
                        {
                            continue;
                        }
                        let constraints =
                            a.constraints.iter().chain(&b.constraints).copied().collect();
                        both.push(Case { constraints, deadlock });
                    }
                }
                if both.is_empty() { Cases::Never } else { Cases::Some(both) }
            }
        })
    }

    fn or(self, other: Cases) -> Evaluated<Cases> {
        Ok(match (self, other) {
            (Cases::Always, _) | (_, Cases::Always) => Cases::Always,
            (Cases::Never, one) | (one, Cases::Never) => one,
            (Cases::Some(mut one), Cases::Some(other)) => {
                one.extend(other);
                if one.len() > MOST_CASES {
                    return Err(too_many());
                }
                Cases::Some(one)
            }
        })
    }
}

fn too_many() -> Fault {
    Fault { kind: FaultKind::Limit, site: SiteId(u32::MAX) }
}

/// Whether a condition may have several cases that constrain clocks in one discrete state, so that it
/// may change from one to another while time passes.
pub fn may_split(code: &Code, holds: bool) -> bool {
    most_cases(code, holds) > 1
}

/// The most cases with constraints, as far as the form of the condition tells: at most two, and none
/// without clocks.
fn most_cases(code: &Code, holds: bool) -> usize {
    let most = match code {
        Code::Not(inner) => most_cases(inner, !holds),
        Code::And(left, right) | Code::Or(left, right) => {
            let (left, right) = (most_cases(left, holds), most_cases(right, holds));
            if matches!(code, Code::And(..)) == holds { left.max(right) } else { left + right }
        }
        Code::Conditional(_, yes, no) => most_cases(yes, holds).max(most_cases(no, holds)),
        Code::Quantified(quantifier, _, _, _, body) => {
            let is_and = (*quantifier == Quantifier::Forall) == holds;
            if is_and { most_cases(body, holds) } else { 2 * most_cases(body, holds) }
        }
        Code::Clocks(comparison) => {
            let op = if holds { comparison.op } else { comparison.op.negated() };
            if op == TimedOperator::NotEqual { 2 } else { 1 }
        }
        _ => 0,
    };
    most.min(2)
}

/// The cases in which a condition holds, or in which it does not (`holds`).
///
/// # Errors
///
/// When the evaluation fails.
pub fn cases(memory: &mut Memory<'_>, code: &Code, holds: bool) -> Evaluated<Cases> {
    match code {
        Code::Not(inner) => cases(memory, inner, !holds),
        Code::And(left, right) | Code::Or(left, right) => {
            let is_and = matches!(code, Code::And(..)) == holds;
            let left = cases(memory, left, holds)?;
            // As in evaluation, the right side counts only if the left one does not decide.
            match (&left, is_and) {
                (Cases::Never, true) | (Cases::Always, false) => return Ok(left),
                _ => {}
            }
            let right = cases(memory, right, holds)?;
            if is_and { left.and(right) } else { left.or(right) }
        }
        Code::Conditional(condition, yes, no) => {
            let chosen = if memory.eval(condition)? != 0 { yes } else { no };
            cases(memory, chosen, holds)
        }
        Code::Quantified(quantifier, at, low, high, body) if *quantifier != Quantifier::Sum => {
            let is_and = (*quantifier == Quantifier::Forall) == holds;
            let mut all = Cases::of(is_and);
            for value in *low..=*high {
                memory.set_frame(*at, value);
                let one = cases(memory, body, holds)?;
                all = if is_and { all.and(one)? } else { all.or(one)? };
                match (&all, is_and) {
                    (Cases::Never, true) | (Cases::Always, false) => break,
                    _ => {}
                }
            }
            Ok(all)
        }
        Code::Clocks(comparison) => compared(memory, comparison, holds),
        Code::Deadlock => {
            let case = Case { constraints: Vec::new(), deadlock: Some(holds) };
            Ok(Cases::Some(vec![case]))
        }
        _ => Ok(Cases::of((memory.eval(code)? != 0) == holds)),
    }
}

fn compared(
    memory: &mut Memory<'_>,
    comparison: &ClockComparison,
    holds: bool,
) -> Evaluated<Cases> {
    let ClockComparison { plus, minus, op, bound } = comparison;
    let mut clock = |place: &Option<_>| match place {
        Some(place) => memory.address(place),
        None => Ok(0),
    };
    let (plus, minus) = (clock(plus)?, clock(minus)?);
    let number = memory.eval(bound)?;
    if !(-LARGEST..=LARGEST).contains(&number) {
        return Err(Fault { kind: FaultKind::Overflow, site: SiteId(u32::MAX) });
    }
    let op = if holds { *op } else { op.negated() };
    let up = |bound: Bound| Constraint { plus, minus, bound };
    let down = |bound: Bound| Constraint { plus: minus, minus: plus, bound };
    let case = |constraints: Vec<Constraint>| Case { constraints, deadlock: None };
    if plus == minus {
        return Ok(Cases::of(holds_at(op, 0, i64::from(number))));
    }
    Ok(Cases::Some(match op {
        TimedOperator::Less => vec![case(vec![up(below(number))])],
        TimedOperator::LessEqual => vec![case(vec![up(at_most(number))])],
        TimedOperator::Greater => vec![case(vec![down(below(-number))])],
        TimedOperator::GreaterEqual => vec![case(vec![down(at_most(-number))])],
        TimedOperator::Equal => vec![case(vec![up(at_most(number)), down(at_most(-number))])],
        _ => vec![case(vec![up(below(number))]), case(vec![down(below(-number))])],
    }))
}

/// Whether a comparison of numbers holds.
pub fn holds_at(op: TimedOperator, left: i64, right: i64) -> bool {
    match op {
        TimedOperator::Less => left < right,
        TimedOperator::LessEqual => left <= right,
        TimedOperator::Greater => left > right,
        TimedOperator::GreaterEqual => left >= right,
        TimedOperator::Equal => left == right,
        _ => left != right,
    }
}
