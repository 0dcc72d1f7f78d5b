//! The values that variables may have: the least fixpoint of the initial values and all steps, each
//! variable on its own. It is the reachability of the delete relaxation.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use beeline_factored::{AssignmentTarget, FactorId, Instruction, Ranges, System};

use crate::cases::{Cases, Known, TooManyCases};
use crate::evaluate::{Need, PartialRun};
use crate::step::{Guard, Step, StepKind};
use crate::unfit::Unfit;

/// The most values of a variable.
pub(crate) const MOST_VALUES: usize = 1_024;

/// The most evaluations of steps.
pub(crate) const MOST_WORK: u64 = 4_000_000;

/// Computes the values of each variable, in ascending order.
pub(crate) fn reachable_values(
    system: &System,
    ranges: &Ranges,
    initial: Vec<i32>,
    steps: &[Step],
) -> Result<Vec<Vec<i32>>, Unfit> {
    let mut readers = vec![Vec::new(); initial.len()];
    for (at, step) in steps.iter().enumerate() {
        for factor in read_by(system, step) {
            readers[factor.index()].push(at);
        }
    }
    let mut reach = Reach {
        system,
        ranges,
        values: initial.into_iter().map(|value| vec![value]).collect(),
        waiting: VecDeque::new(),
        left: MOST_WORK,
    };
    for step in steps {
        reach.step(step, None)?;
    }
    while let Some((factor, value)) = reach.waiting.pop_front() {
        for &at in &readers[factor.index()] {
            reach.step(&steps[at], Some((factor, value)))?;
        }
    }
    Ok(reach.values)
}

/// The variables that a step may depend on.
fn read_by(system: &System, step: &Step) -> Vec<FactorId> {
    let mut found = Vec::new();
    if let StepKind::Operator(at) = step.kind {
        let operator = &system.steps[at as usize];
        operator.exprs(|expr| expr.factors(&mut |factor| found.push(factor)));
        // An element keeps its value if another one is assigned.
        for action in &operator.actions {
            if let Instruction::Set(all) = action {
                let elements =
                    all.iter().filter(|one| matches!(one.place, AssignmentTarget::Element(_)));
                found.extend(elements.flat_map(|one| one.place.factors()));
            }
        }
    }
    for guard in &step.guards {
        match guard {
            Guard::OneOf(factor, _) => found.push(*factor),
            Guard::Holds(expr) => expr.factors(&mut |factor| found.push(factor)),
            Guard::Inapplicable(_) => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

struct Reach<'a> {
    system: &'a System,
    ranges: &'a Ranges,
    values: Vec<Vec<i32>>,
    waiting: VecDeque<(FactorId, i32)>,
    left: u64,
}

impl Reach<'_> {
    /// Executes a step on all values, or on those with a given one.
    fn step(&mut self, step: &Step, given: Option<(FactorId, i32)>) -> Result<(), Unfit> {
        let mut known: Known = vec![None; self.values.len()];
        if let Some((factor, value)) = given {
            known[factor.index()] = Some(value);
        }
        let mut new: Vec<(FactorId, i32)> = Vec::new();
        let done = self.assigned(step, &mut known, &mut new);
        if done.is_err() {
            return Err(too_many_cases(self.system, &self.values, step, MOST_WORK as usize));
        }
        new.sort_unstable();
        new.dedup();
        for (factor, value) in new {
            self.add(factor, value)?;
        }
        Ok(())
    }

    fn add(&mut self, factor: FactorId, value: i32) -> Result<(), Unfit> {
        let values = &mut self.values[factor.index()];
        let Err(at) = values.binary_search(&value) else { return Ok(()) };
        values.insert(at, value);
        if values.len() > MOST_VALUES {
            let factor = self.system.factor(factor).name.clone();
            return Err(Unfit::Values { factor, most: MOST_VALUES });
        }
        self.waiting.push_back((factor, value));
        Ok(())
    }

    /// The values that a step assigns. That other operators are not applicable is taken for
    /// granted.
    fn assigned(
        &mut self,
        step: &Step,
        known: &mut Known,
        new: &mut Vec<(FactorId, i32)>,
    ) -> Result<(), TooManyCases> {
        let (system, values) = (self.system, &self.values);
        let mut applicable: Vec<Known> = Vec::new();
        let mut cases = Cases { values, left: &mut self.left };
        let mut run = |known: &Known| Ok(is_applicable(system, step, known)?.then_some(()));
        let _ = cases.each(known, &mut run, &mut |known, _, ()| {
            applicable.push(known.clone());
            match step.has_effects {
                true => ControlFlow::Continue(()),
                // One case tells what it sets.
                false => ControlFlow::Break(()),
            }
        })?;
        if applicable.is_empty() {
            return Ok(());
        }
        new.extend(&step.sets);
        let StepKind::Operator(at) = step.kind else { return Ok(()) };
        if !step.has_effects {
            return Ok(());
        }
        let operator = &system.steps[at as usize];
        let fits = |factor: FactorId, value: i32| {
            // What the ranges exclude is unreachable.
            factor.index() >= system.factors.len() || self.ranges.get(factor).contains(value)
        };
        for mut known in applicable {
            let mut run = PartialRun::new(&known);
            let _ = run.execute(operator);
            let targets = run.targets();
            for factor in targets {
                let mut run = |known: &Known| {
                    let mut run = PartialRun::new(known);
                    let _ = run.execute(operator);
                    Ok(run.change(factor)?.flatten())
                };
                let mut cases = Cases { values, left: &mut self.left };
                let _ = cases.each(&mut known, &mut run, &mut |_, _, value| {
                    if fits(factor, value) {
                        new.push((factor, value));
                    }
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(())
    }
}

/// The refusal of a step with too many cases.
pub(crate) fn too_many_cases(
    system: &System,
    values: &[Vec<i32>],
    step: &Step,
    most: usize,
) -> Unfit {
    let (factor, values) = largest(system, values, step);
    Unfit::Cases { operator: step.remark.clone(), factor, values, most }
}

/// The factor with the most values among those that a step depends on.
pub(crate) fn largest(system: &System, values: &[Vec<i32>], step: &Step) -> (String, usize) {
    let mut read = read_by(system, step);
    for guard in &step.guards {
        if let Guard::Inapplicable(operators) = guard {
            for &at in operators {
                system.steps[at as usize]
                    .exprs(|expr| expr.factors(&mut |factor| read.push(factor)));
            }
        }
    }
    read.retain(|factor| factor.index() < system.factors.len());
    let largest = read.iter().max_by_key(|factor| values[factor.index()].len());
    match largest {
        Some(&factor) => (system.factor(factor).name.clone(), values[factor.index()].len()),
        None => (step.remark.clone(), 1),
    }
}

/// Whether a step is applicable. That other operators are not applicable is taken for granted.
fn is_applicable(system: &System, step: &Step, known: &Known) -> Result<bool, Need> {
    let mut run = PartialRun::new(known);
    if let StepKind::Operator(at) = step.kind
        && !run.execute(&system.steps[at as usize])?
    {
        return Ok(false);
    }
    let state = PartialRun::new(known);
    for guard in &step.guards {
        let holds = match guard {
            Guard::OneOf(factor, values) => {
                state.last(*factor)?.is_some_and(|value| values.contains(&value))
            }
            Guard::Holds(expr) => state.holds(expr)?,
            Guard::Inapplicable(_) => true,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}
