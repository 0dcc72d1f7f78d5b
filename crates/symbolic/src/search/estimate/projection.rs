//! The projection of a system on some factors: a system that has at least its steps.
//!
//! Conditions on other factors are dropped, and values that depend on other factors are unknown. A
//! process loses control at any time, and no operator excludes another one.

use std::collections::BTreeMap;

use beeline_factored::{
    Assignment, AssignmentTarget, Element, FactorExpr, FactorId, Instruction, Interval, Operator,
    Ranges, System,
};

/// The factors that a projection keeps. Factors of a single value are known as well.
pub(super) struct Pattern<'r> {
    kept: Vec<FactorId>,
    is_kept: Vec<bool>,
    ranges: &'r Ranges,
}

impl<'r> Pattern<'r> {
    pub(super) fn new(kept: Vec<FactorId>, ranges: &'r Ranges) -> Pattern<'r> {
        let count = kept.iter().map(|factor| factor.index() + 1).max().unwrap_or(0);
        let mut is_kept = vec![false; count];
        kept.iter().for_each(|factor| is_kept[factor.index()] = true);
        Pattern { kept, is_kept, ranges }
    }

    pub(super) fn kept(&self) -> &[FactorId] {
        &self.kept
    }

    fn keeps(&self, factor: FactorId) -> bool {
        self.is_kept.get(factor.index()).copied().unwrap_or(false)
    }

    /// Whether a value depends on known factors only.
    fn knows(&self, expr: &FactorExpr) -> bool {
        let mut is_known = true;
        expr.factors(&mut |factor| {
            is_known &= self.keeps(factor) || self.ranges.get(factor).single().is_some();
        });
        is_known
    }

    /// The conjuncts of a condition that depend on known factors only.
    pub(super) fn known_part<'e>(&self, condition: &'e FactorExpr) -> Vec<&'e FactorExpr> {
        let mut parts = Vec::new();
        condition.conjuncts(&mut parts);
        parts.retain(|part| self.knows(part));
        parts
    }

    fn value(&self, factor: FactorId, value: &FactorExpr) -> FactorExpr {
        if self.knows(value) { value.clone() } else { self.unknown(factor) }
    }

    fn unknown(&self, factor: FactorId) -> FactorExpr {
        FactorExpr::Any(self.ranges.get(factor))
    }

    /// Whether an array element can be written as it is.
    fn knows_element(&self, element: &Element) -> bool {
        let all = AssignmentTarget::Element(element.clone());
        self.knows(&element.index) && all.factors().all(|factor| self.keeps(factor))
    }

    fn set(&self, all: &[Assignment]) -> Vec<Assignment> {
        let is_exact = |one: &Assignment| match &one.place {
            AssignmentTarget::Factor(_) => true,
            AssignmentTarget::Element(element) => {
                self.knows_element(element) && self.knows(&one.value)
            }
        };
        if all.iter().all(is_exact) {
            let kept = all.iter().filter(|one| one.place.factors().all(|at| self.keeps(at)));
            let set = |one: &Assignment| match one.place {
                AssignmentTarget::Factor(factor) => assign(factor, self.value(factor, &one.value)),
                AssignmentTarget::Element(_) => one.clone(),
            };
            return kept.map(set).collect();
        }
        let mut values: BTreeMap<FactorId, FactorExpr> = BTreeMap::new();
        for (factor, value) in all.iter().flat_map(|one| self.by_factor(one)) {
            // Which of two assignments to a factor counts is not known.
            let is_again = values.contains_key(&factor);
            values.insert(factor, if is_again { self.unknown(factor) } else { value });
        }
        values.into_iter().map(|(factor, value)| assign(factor, value)).collect()
    }

    /// An assignment as assignments to single factors, which may keep their values.
    fn by_factor(&self, one: &Assignment) -> Vec<(FactorId, FactorExpr)> {
        let mut found = Vec::new();
        for (at, factor) in one.place.factors().enumerate().filter(|(_, at)| self.keeps(*at)) {
            let value = self.value(factor, &one.value);
            let value = match &one.place {
                AssignmentTarget::Factor(_) => value,
                AssignmentTarget::Element(element) => {
                    let is_meant = match self.knows(&element.index) {
                        true => (*element.index).clone().equals(at as i32),
                        false => FactorExpr::Any(Interval::TRUTH),
                    };
                    let old = FactorExpr::Factor(factor);
                    FactorExpr::Conditional(Box::new(is_meant), Box::new(value), Box::new(old))
                }
            };
            found.push((factor, value));
        }
        found
    }

    fn actions(&self, actions: &[Instruction]) -> Vec<Instruction> {
        let mut found = Vec::new();
        for action in actions {
            match action {
                Instruction::Require(condition) => {
                    let parts = self.known_part(condition).into_iter().cloned();
                    found.extend(parts.map(Instruction::Require));
                }
                Instruction::Set(all) => {
                    let all = self.set(all);
                    found.extend((!all.is_empty()).then_some(Instruction::Set(all)));
                }
            }
        }
        found
    }
}

fn assign(factor: FactorId, value: FactorExpr) -> Assignment {
    Assignment { place: AssignmentTarget::Factor(factor), value }
}

/// The projection of a system, and for each operator the position of the one that it comes from.
pub(super) fn project(system: &System, pattern: &Pattern<'_>) -> (System, Vec<u32>) {
    let mut made = System {
        factors: system.factors.clone(),
        initial: system.initial.clone(),
        ..System::default()
    };
    let mut origins = Vec::new();
    let sources = system.steps.iter().enumerate().filter(|(_, step)| step.fails.is_none());
    for (at, step) in sources {
        let actions = pattern.actions(&step.actions);
        let has_effect = actions.iter().any(|action| matches!(action, Instruction::Set(_)));
        let gives_control = step.holds.is_some_and(|process| process != step.label.process);
        if !has_effect && !gives_control {
            continue;
        }
        let step = Operator { actions, shut_out_by: None, ..step.clone() };
        let mut add = |step: Operator| {
            made.steps.push(step);
            origins.push(at as u32);
        };
        if step.holds.is_some() {
            add(step.clone());
        }
        add(Operator { holds: None, ..step });
    }
    (made, origins)
}
