//! The translation of a system into a planning task: one action for each case of each step.

use std::collections::HashSet;
use std::ops::ControlFlow;

use beeline_factored::{FactorId, Ranges, System};

use crate::cases::{Cases, Known};
use crate::checks::{StepBuilder, are_inapplicable};
use crate::evaluate::{Need, PartialRun};
use crate::factored_error::FactoredError;
use crate::names::factor_names;
use crate::reach::{MOST_WORK, largest, reachable_values, too_many_cases};
use crate::step::{FREE, Guard, RUNNING, Step, StepKind};
use crate::task::{ConditionalEffect, Fact, FiniteAction, FiniteTask, FiniteVariable};
use crate::unfit::Unfit;

/// The most cases of a step.
const MOST_CASES: usize = 5_000;
/// The most actions.
const MOST_ACTIONS: usize = 100_000;

/// The form of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionForm {
    /// Conjunctions of facts, and effects in any case.
    Strips,
    /// Effects may have conditions.
    Conditional,
}

/// A planning task, and what it says about the system.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The task.
    pub task: FiniteTask,
    /// The form of its actions.
    pub form: ActionForm,
}

/// Translates a system with some errors, each of which is a goal. The system must be exact.
///
/// # Errors
///
/// When the task would be too large.
pub fn translate(
    system: &System,
    ranges: &Ranges,
    errors: &[FactoredError],
    form: ActionForm,
) -> Result<Translation, Unfit> {
    let mut builder = StepBuilder::new(system);
    let extra = builder.extra;
    let undetermined = system.steps.iter().find(|step| {
        let mut is_determined = true;
        step.exprs(|expr| is_determined &= expr.is_determined());
        !is_determined
    });
    if let Some(step) = undetermined {
        return Err(Unfit::Undetermined { operator: step.name.clone() });
    }
    let mut initial = system.initial.clone();
    initial.extend([FREE, RUNNING, 0]);
    debug_assert_eq!(initial.len(), extra.variables());
    let mut values = reachable_values(system, ranges, initial.clone(), &builder.operators(errors))?;
    let checks = builder.checks(errors, &values);
    values[extra.phase.index()] = (0..builder.phases).collect();
    values[extra.error.index()] = vec![0, 1];
    let mut steps = builder.operators(errors);
    steps.extend(checks);
    let mut names = factor_names(system);
    names.extend(["control", "phase", "error"].map(str::to_owned));
    let mut made = Translator { system, values, form, left: MOST_WORK, actions: Vec::new() };
    for step in &steps {
        made.step(step)?;
    }
    let Translator { values, actions, .. } = made;
    let position = |factor: usize, value: i32| {
        values[factor].binary_search(&value).expect("the initial value is possible") as u32
    };
    let variables = names.into_iter().enumerate().map(|(at, name)| FiniteVariable {
        name,
        initial: position(at, initial[at]),
        values: values[at].clone(),
    });
    let goal = Fact { variable: extra.error.0, value: position(extra.error.index(), 1) };
    let mut task = FiniteTask { variables: variables.collect(), actions, goal };
    task.simplify();
    Ok(Translation { task, form })
}

struct Translator<'a> {
    system: &'a System,
    values: Vec<Vec<i32>>,
    form: ActionForm,
    left: u64,
    actions: Vec<FiniteAction>,
}

/// A case of a step: what is known, and the assignments.
struct StepCase {
    known: Known,
    conditions: Vec<FactorId>,
    set: Vec<(FactorId, i32)>,
}

impl Translator<'_> {
    fn step(&mut self, step: &Step) -> Result<(), Unfit> {
        let cases = self.cases(step)?;
        let is_single = cases.len() == 1;
        for (number, case) in cases.into_iter().enumerate() {
            // What no step reaches is no value of a factor: such a case does not occur.
            let is_possible = |&(factor, value): &(FactorId, i32)| {
                self.values[factor.index()].binary_search(&value).is_ok()
            };
            if !case.set.iter().all(is_possible) {
                continue;
            }
            let mut conditions: Vec<Fact> = case
                .conditions
                .iter()
                .map(|&factor| self.fact(factor, case.known[factor.index()].expect("it is known")))
                .collect();
            conditions.sort_unstable();
            conditions.dedup();
            let mut effects: Vec<ConditionalEffect> = Vec::new();
            for &(factor, value) in case.set.iter().chain(&step.sets) {
                let fact = self.fact(factor, value);
                if !conditions.contains(&fact) {
                    effects.push(ConditionalEffect { conditions: Vec::new(), fact });
                }
            }
            if self.form == ActionForm::Conditional && step.has_effects {
                self.conditional_effects(step, &case, &mut effects)?;
            }
            if effects.is_empty() {
                continue;
            }
            let name = match is_single {
                true => step.name.clone(),
                false => format!("{}-c{number}", step.name),
            };
            let (remark, cost) = (step.remark.clone(), step.cost);
            self.actions.push(FiniteAction { name, remark, cost, conditions, effects });
        }
        if self.actions.len() > MOST_ACTIONS {
            let (factor, _) = largest(self.system, &self.values, step);
            let operator = step.remark.clone();
            return Err(Unfit::Actions { operator, factor, most: MOST_ACTIONS });
        }
        Ok(())
    }

    /// The cases of a step. In the form with conditional effects, assignments do not distinguish
    /// cases.
    fn cases(&mut self, step: &Step) -> Result<Vec<StepCase>, Unfit> {
        let (system, form) = (self.system, self.form);
        // A variable of bookkeeping with several possible values makes several sets of cases.
        let mut starts: Vec<(Known, Vec<FactorId>)> =
            vec![(vec![None; self.values.len()], Vec::new())];
        for guard in &step.guards {
            let Guard::OneOf(factor, values) = guard else { continue };
            let possible = &self.values[factor.index()];
            let fitting: Vec<i32> =
                values.iter().copied().filter(|value| possible.contains(value)).collect();
            let before = std::mem::take(&mut starts);
            for (known, asked) in before {
                for &value in &fitting {
                    let (mut known, mut asked) = (known.clone(), asked.clone());
                    known[factor.index()] = Some(value);
                    asked.push(*factor);
                    starts.push((known, asked));
                }
            }
        }
        let mut found: Vec<StepCase> = Vec::new();
        let mut run = |known: &Known| outcome(system, step, form, known);
        for (mut start, given) in starts {
            let mut cases = Cases { values: &self.values, left: &mut self.left };
            let done = cases.each(&mut start, &mut run, &mut |known, asked, set| {
                let conditions = given.iter().chain(asked).copied().collect();
                found.push(StepCase { known: known.clone(), conditions, set });
                match found.len() > MOST_CASES {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            if !done.is_ok_and(|flow| flow.is_continue()) {
                return Err(too_many_cases(system, &self.values, step, MOST_CASES));
            }
        }
        Ok(found)
    }

    /// The effects of an operator, each with the conditions on which its value depends.
    fn conditional_effects(
        &mut self,
        step: &Step,
        case: &StepCase,
        effects: &mut Vec<ConditionalEffect>,
    ) -> Result<(), Unfit> {
        let StepKind::Operator(at) = step.kind else { return Ok(()) };
        let operator = &self.system.steps[at as usize];
        let mut known = case.known.clone();
        let mut whole = PartialRun::new(&known);
        let _ = whole.execute(operator);
        for factor in whole.targets() {
            let mut run = |known: &Known| {
                let mut run = PartialRun::new(known);
                let _ = run.execute(operator);
                Ok(run.change(factor)?.flatten())
            };
            let mut found: Vec<(Vec<(FactorId, i32)>, i32)> = Vec::new();
            let mut cases = Cases { values: &self.values, left: &mut self.left };
            known.clone_from(&case.known);
            let done = cases.each(&mut known, &mut run, &mut |known, asked, value| {
                let values =
                    asked.iter().map(|&one| (one, known[one.index()].expect("it is known")));
                found.push((values.collect(), value));
                match found.len() > MOST_CASES {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            if !done.is_ok_and(|flow| flow.is_continue()) {
                return Err(too_many_cases(self.system, &self.values, step, MOST_CASES));
            }
            for (conditions, value) in found {
                if self.values[factor.index()].binary_search(&value).is_err() {
                    // Such a combination of values is unreachable.
                    continue;
                }
                let is_kept = case.known[factor.index()] == Some(value)
                    || conditions.contains(&(factor, value));
                if is_kept {
                    continue;
                }
                let mut conditions: Vec<Fact> =
                    conditions.iter().map(|&(factor, value)| self.fact(factor, value)).collect();
                conditions.sort_unstable();
                let fact = self.fact(factor, value);
                effects.push(ConditionalEffect { conditions, fact });
            }
        }
        Ok(())
    }

    fn fact(&self, factor: FactorId, value: i32) -> Fact {
        let at = self.values[factor.index()].binary_search(&value);
        Fact { variable: factor.0, value: at.expect("it is possible") as u32 }
    }
}

/// The assignments of a step where it is applicable. With conditional effects, they are left out.
fn outcome(
    system: &System,
    step: &Step,
    form: ActionForm,
    known: &Known,
) -> Result<Option<Vec<(FactorId, i32)>>, Need> {
    let mut need = None;
    let mut run = PartialRun::new(known);
    if let StepKind::Operator(at) = step.kind {
        match run.execute(&system.steps[at as usize]) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(unknown) => need = Some(unknown),
        }
    }
    let state = PartialRun::new(known);
    for guard in &step.guards {
        let holds = match guard {
            Guard::OneOf(factor, values) => {
                state.last(*factor).map(|value| value.is_some_and(|value| values.contains(&value)))
            }
            Guard::Holds(expr) => state.holds(expr),
            Guard::Inapplicable(operators) => are_inapplicable(system, operators, known),
        };
        match holds {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(unknown) => {
                need.get_or_insert(unknown);
            }
        }
    }
    if let Some(need) = need {
        return Err(need);
    }
    let mut set = Vec::new();
    if step.has_effects && form == ActionForm::Strips {
        for factor in run.targets() {
            match run.last(factor)? {
                Some(value) => set.push((factor, value)),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(set))
}

impl FiniteTask {
    /// Removes the actions that the delete relaxation does not reach, and variables with a single
    /// value or without influence.
    fn simplify(&mut self) {
        self.keep_reachable();
        self.drop_variables();
    }

    fn keep_reachable(&mut self) {
        let initial = (0..).zip(&self.variables);
        let mut reached: HashSet<Fact> =
            initial.map(|(variable, of)| Fact { variable, value: of.initial }).collect();
        // For each fact, the actions that wait for it.
        let mut waiting: std::collections::HashMap<Fact, Vec<usize>> = Default::default();
        let mut missing: Vec<usize> = Vec::new();
        let mut ready: Vec<usize> = Vec::new();
        for (at, action) in self.actions.iter().enumerate() {
            let lacking: Vec<&Fact> =
                action.conditions.iter().filter(|fact| !reached.contains(fact)).collect();
            missing.push(lacking.len());
            if lacking.is_empty() {
                ready.push(at);
            }
            lacking.into_iter().for_each(|fact| waiting.entry(*fact).or_default().push(at));
        }
        let mut is_reached = vec![false; self.actions.len()];
        while let Some(at) = ready.pop() {
            is_reached[at] = true;
            for effect in &self.actions[at].effects {
                // Conditions of effects are taken for granted.
                if reached.insert(effect.fact) {
                    for waits in waiting.remove(&effect.fact).unwrap_or_default() {
                        missing[waits] -= 1;
                        if missing[waits] == 0 {
                            ready.push(waits);
                        }
                    }
                }
            }
        }
        let mut kept = is_reached.into_iter();
        self.actions.retain(|_| kept.next().expect("one for each action"));
    }

    /// Variables without influence on conditions and the goal, and those that never change.
    fn drop_variables(&mut self) {
        let mut is_read = vec![false; self.variables.len()];
        let mut is_set = vec![false; self.variables.len()];
        is_read[self.goal.variable as usize] = true;
        for action in &self.actions {
            for fact in &action.conditions {
                is_read[fact.variable as usize] = true;
            }
            for effect in &action.effects {
                is_set[effect.fact.variable as usize] = true;
                for fact in &effect.conditions {
                    is_read[fact.variable as usize] = true;
                }
            }
        }
        let initial: Vec<u32> = self.variables.iter().map(|variable| variable.initial).collect();
        let is_kept: Vec<bool> = (0..initial.len()).map(|at| is_read[at] && is_set[at]).collect();
        let mut number = 0;
        let numbers: Vec<u32> = is_kept
            .iter()
            .map(|&kept| {
                number += u32::from(kept);
                number.wrapping_sub(1)
            })
            .collect();
        let goal = self.goal;
        if !is_kept[goal.variable as usize] {
            // No action has an error.
            let is_goal = |at: usize| at == goal.variable as usize;
            let variables = std::mem::take(&mut self.variables).into_iter().enumerate();
            self.variables = variables.filter(|(at, _)| is_goal(*at)).map(|(_, one)| one).collect();
            self.actions.clear();
            self.goal = Fact { variable: 0, value: goal.value };
            return;
        }
        // A condition on a variable that never changes is true or false.
        let renamed = |fact: &Fact| Fact { variable: numbers[fact.variable as usize], ..*fact };
        let is_false = |fact: &Fact| {
            !is_set[fact.variable as usize] && initial[fact.variable as usize] != fact.value
        };
        self.actions.retain(|action| !action.conditions.iter().any(is_false));
        for action in &mut self.actions {
            let rename = |facts: &mut Vec<Fact>| {
                facts.retain(|fact| is_kept[fact.variable as usize]);
                facts.iter_mut().for_each(|fact| *fact = renamed(fact));
            };
            rename(&mut action.conditions);
            action.effects.retain(|effect| {
                is_kept[effect.fact.variable as usize] && !effect.conditions.iter().any(is_false)
            });
            for effect in &mut action.effects {
                rename(&mut effect.conditions);
                effect.fact = renamed(&effect.fact);
            }
        }
        self.actions.retain(|action| !action.effects.is_empty());
        let mut kept = is_kept.into_iter();
        self.variables.retain(|_| kept.next().expect("one for each variable"));
        self.goal = renamed(&goal);
    }
}
