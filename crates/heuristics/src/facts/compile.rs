//! Compiles a factored system to facts. Each step is an over-approximation: what cannot be
//! expressed is left out of conditions, and an unknown effect adds all values.

use std::collections::HashMap;

use beeline_factored::{
    AssignmentTarget, Binary, FactorExpr, FactorId, FactoredView, FlatOperator, Interval, Ranges,
    evaluate, evaluate_some,
};

use super::fact_task::{FactTask, OperatorGroup, RelaxedOperator};
use beeline_kernel::StepLabel;

/// The most values of a factor whose values are facts.
const MOST_VALUES: u64 = 4096;

/// The most conjunctions of a condition.
const MOST_PARTS: usize = 64;

/// The label of a part of a condition, which no step has.
const NO_STEP: StepLabel = StepLabel { edge: u32::MAX, process: u32::MAX };

impl FactTask {
    /// The facts of a system and its goals.
    pub fn new(view: &FactoredView) -> FactTask {
        let (system, ranges) = (&*view.system, &view.ranges);
        let mut task = FactTask { facts: 2, ..FactTask::default() };
        for at in 0..system.factors.len() {
            let range = ranges.get(FactorId(at as u32));
            let place = (range.size() <= MOST_VALUES).then(|| {
                let first = task.facts;
                task.facts += range.size() as u32;
                (first, range.least as i32, range.size() as u32)
            });
            task.factors.push(place);
        }
        for factor in 0..system.factors.len() {
            let id = FactorId(factor as u32);
            let fact = task.fact(id, system.initial[factor]);
            task.initial.extend(fact);
        }
        let operators = Vec::new();
        let mut compiler = Compiler { ranges, task, operators, sets: HashMap::new(), free: None };
        for step in &system.steps {
            if step.only_reports() {
                continue;
            }
            let Some(flat) = FlatOperator::step(system, ranges, step) else { continue };
            let group = compiler.task.groups.len() as u32;
            compiler.task.groups.push(OperatorGroup { cost: step.cost, label: step.label });
            compiler.operator(&flat, group);
        }
        for goal in &system.goals {
            let Some(flat) = FlatOperator::goal(goal) else { continue };
            let mut facts = Vec::new();
            if compiler.all(&flat.conditions, &mut facts).is_some() {
                let group = compiler.free_group();
                compiler.add(facts, vec![FactTask::GOAL], group);
            }
        }
        compiler.task.implications = compiler.free_group();
        let Compiler { mut task, operators, .. } = compiler;
        task.link(&operators);
        task
    }
}

/// A compilation in progress.
struct Compiler<'a> {
    ranges: &'a Ranges,
    task: FactTask,
    operators: Vec<RelaxedOperator>,
    /// Facts that a factor has one of several values.
    sets: HashMap<(u32, Vec<i32>), u32>,
    /// The group of operators without cost.
    free: Option<u32>,
}

impl Compiler<'_> {
    fn free_group(&mut self) -> u32 {
        let next = self.task.groups.len() as u32;
        *self.free.get_or_insert_with(|| {
            self.task.groups.push(OperatorGroup { cost: 0, label: NO_STEP });
            next
        })
    }

    fn new_fact(&mut self) -> u32 {
        self.task.facts += 1;
        self.task.facts - 1
    }

    fn add(&mut self, mut preconditions: Vec<u32>, effects: Vec<u32>, group: u32) {
        preconditions.sort_unstable();
        preconditions.dedup();
        if preconditions.is_empty() {
            preconditions.push(FactTask::ALWAYS);
        }
        self.operators.push(RelaxedOperator { preconditions, effects, group });
    }

    /// The parts of an operator: effects that need nothing else, and one for each other condition.
    fn operator(&mut self, flat: &FlatOperator, group: u32) {
        let mut preconditions = Vec::new();
        if self.all(&flat.conditions, &mut preconditions).is_none() {
            return;
        }
        let mut parts: Vec<(Vec<u32>, Vec<u32>)> = vec![(preconditions.clone(), Vec::new())];
        for effect in &flat.effects {
            match &effect.place {
                AssignmentTarget::Factor(factor) => {
                    self.effect(*factor, &effect.value, &preconditions, &mut parts);
                }
                AssignmentTarget::Element(element) => {
                    for at in 0..element.count {
                        let chosen = element.index.as_ref().clone().equals(at as i32);
                        let mut needs = preconditions.clone();
                        if self.all(&[chosen], &mut needs).is_some() {
                            let factor = FactorId(element.first.0 + at * element.stride);
                            self.effect(factor, &effect.value, &needs, &mut parts);
                        }
                    }
                }
            }
        }
        for (needs, effects) in parts {
            if !effects.is_empty() {
                self.add(needs, effects, group);
            }
        }
    }

    fn put(parts: &mut Vec<(Vec<u32>, Vec<u32>)>, needs: &[u32], fact: u32) {
        if needs.contains(&fact) {
            return;
        }
        match parts.iter_mut().find(|(own, _)| own == needs) {
            Some((_, effects)) if effects.contains(&fact) => {}
            Some((_, effects)) => effects.push(fact),
            None => parts.push((needs.to_vec(), vec![fact])),
        }
    }

    /// Adds the facts that an assignment makes true.
    fn effect(
        &mut self,
        factor: FactorId,
        value: &FactorExpr,
        needs: &[u32],
        parts: &mut Vec<(Vec<u32>, Vec<u32>)>,
    ) {
        if self.task.factors[factor.index()].is_none() {
            return;
        }
        match value {
            FactorExpr::Const(value) => {
                if let Some(fact) = self.task.fact(factor, *value) {
                    Self::put(parts, needs, fact);
                }
            }
            FactorExpr::Factor(own) if *own == factor => {}
            FactorExpr::Conditional(condition, yes, no) => {
                let negated = condition.as_ref().clone().negated();
                for (condition, value) in [(condition.as_ref(), yes), (&negated, no)] {
                    if matches!(&**value, FactorExpr::Factor(own) if *own == factor) {
                        continue;
                    }
                    let mut needs = needs.to_vec();
                    if self.all(std::slice::from_ref(condition), &mut needs).is_some() {
                        needs.sort_unstable();
                        needs.dedup();
                        self.effect(factor, value, &needs, parts);
                    }
                }
            }
            value => match self.single(value) {
                Some(from) => {
                    let range = self.ranges.get(from);
                    for known in range.least..=range.greatest {
                        let known = known as i32;
                        let made = evaluate_some(value, &|_| Some(Interval::one(known)));
                        let (Some(made), Some(fact)) = (made, self.task.fact(from, known)) else {
                            continue;
                        };
                        let mut needs = needs.to_vec();
                        needs.push(fact);
                        needs.sort_unstable();
                        needs.dedup();
                        self.any(factor, made, &needs, parts);
                    }
                }
                None => {
                    if let Some(made) = evaluate(value, &|of| self.ranges.get(of)) {
                        self.any(factor, made, needs, parts);
                    }
                }
            },
        }
    }

    /// Adds all values of an interval.
    fn any(
        &mut self,
        factor: FactorId,
        values: Interval,
        needs: &[u32],
        parts: &mut Vec<(Vec<u32>, Vec<u32>)>,
    ) {
        let Some(values) = values.meet(self.ranges.get(factor)) else { return };
        for value in values.least..=values.greatest {
            if let Some(fact) = self.task.fact(factor, value as i32) {
                Self::put(parts, needs, fact);
            }
        }
    }

    /// The only factor of an expression, if its values are facts.
    fn single(&self, expr: &FactorExpr) -> Option<FactorId> {
        let (mut found, mut is_single) = (None, true);
        expr.factors(&mut |factor| match found {
            None => found = Some(factor),
            Some(known) => is_single &= known == factor,
        });
        let is_known = expr.is_determined();
        found.filter(|factor| is_single && is_known && self.task.factors[factor.index()].is_some())
    }

    /// Adds the facts that a conjunction needs; `None` if it is never true.
    fn all(&mut self, conditions: &[FactorExpr], facts: &mut Vec<u32>) -> Option<()> {
        for condition in conditions {
            let mut parts = Vec::new();
            condition.conjuncts(&mut parts);
            for part in parts {
                self.condition(part, facts)?;
            }
        }
        Some(())
    }

    /// Adds the facts that a condition needs; `None` if it is never true.
    fn condition(&mut self, condition: &FactorExpr, facts: &mut Vec<u32>) -> Option<()> {
        match condition {
            FactorExpr::Const(value) => return (*value != 0).then_some(()),
            FactorExpr::Binary(Binary::Equal, a, b) => {
                if let (FactorExpr::Factor(factor), FactorExpr::Const(value)) = (&**a, &**b)
                    && self.task.factors[factor.index()].is_some()
                {
                    facts.push(self.task.fact(*factor, *value)?);
                    return Some(());
                }
            }
            _ => {}
        }
        if let Some(factor) = self.single(condition) {
            let range = self.ranges.get(factor);
            let may_be = |value: &i64| {
                let known = Interval::one(*value as i32);
                evaluate_some(condition, &|_| Some(known)).is_some_and(Interval::may_be_true)
            };
            let values: Vec<i32> =
                (range.least..=range.greatest).filter(may_be).map(|value| value as i32).collect();
            match values.len() {
                0 => return None,
                1 => facts.extend(self.task.fact(factor, values[0])),
                count if count as u64 == range.size() => {}
                _ => facts.push(self.one_of(factor, values)),
            }
            return Some(());
        }
        if !evaluate(condition, &|of| self.ranges.get(of)).is_some_and(Interval::may_be_true) {
            return None;
        }
        let parts = condition.disjuncts();
        if parts.len() > 1 && parts.len() <= MOST_PARTS {
            let mut bodies = Vec::new();
            for part in parts {
                let mut body = Vec::new();
                if self.all(std::slice::from_ref(part), &mut body).is_some() {
                    bodies.push(body);
                }
            }
            // A part without facts may always be true.
            if bodies.iter().any(Vec::is_empty) {
                return Some(());
            }
            match bodies.len() {
                0 => return None,
                1 => facts.append(&mut bodies[0]),
                _ => {
                    let fact = self.new_fact();
                    let group = self.free_group();
                    for body in bodies {
                        self.add(body, vec![fact], group);
                    }
                    facts.push(fact);
                }
            }
        }
        Some(())
    }

    /// The fact that a factor has one of these values.
    fn one_of(&mut self, factor: FactorId, values: Vec<i32>) -> u32 {
        let key = (factor.0, values);
        if let Some(&fact) = self.sets.get(&key) {
            return fact;
        }
        let (fact, group) = (self.new_fact(), self.free_group());
        for &value in &key.1 {
            if let Some(needed) = self.task.fact(factor, value) {
                self.add(vec![needed], vec![fact], group);
            }
        }
        self.sets.insert(key, fact);
        fact
    }
}
