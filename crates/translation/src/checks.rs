//! The steps of the extended system: operators with control and faults, and checks that no operator
//! is applicable.
//!
//! Such a check is a sequence of bookkeeping steps without cost, one for the operators of each
//! process, in a fixed order: the variable `phase` says how far it has come. Only bookkeeping is
//! executed in between, so that what was checked still holds. A check that fails is a dead end; the
//! state before it is not.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use beeline_factored::{
    AssignmentTarget, Binary, FactorExpr, FactorId, FactorKind, Instruction, Operator, System,
};

use crate::cases::{Cases, Known};
use crate::evaluate::{Need, PartialRun};
use crate::factored_error::FactoredError;
use crate::names::{operator_name, word};
use crate::step::{Extra, FREE, Guard, RUNNING, Step, StepKind, held_by};

/// The most cases of a check of several operators at once.
const MOST_TOGETHER: usize = 200;
/// The most evaluations to find out whether there are more.
const MOST_TRIALS: u64 = 20_000;

/// Makes the steps of a system.
pub(crate) struct StepBuilder<'a> {
    pub(crate) system: &'a System,
    pub(crate) extra: Extra,
    /// The processes that may keep control, with the locations at which they do; `None` if they
    /// are unknown.
    holders: BTreeMap<u32, Option<BTreeSet<i32>>>,
    locations: HashMap<u32, FactorId>,
    /// The number of phases, `RUNNING` included.
    pub(crate) phases: i32,
    /// The phases after the checks of exclusions.
    excluded: HashMap<u32, i32>,
    number: u32,
}

impl<'a> StepBuilder<'a> {
    pub(crate) fn new(system: &'a System) -> StepBuilder<'a> {
        let locations = locations(system);
        let mut holders: BTreeMap<u32, Option<BTreeSet<i32>>> = BTreeMap::new();
        for step in &system.steps {
            let Some(process) = step.holds else { continue };
            let at = locations.get(&process).and_then(|&location| target(step, location));
            let known = holders.entry(process).or_insert_with(|| Some(BTreeSet::new()));
            match (known.as_mut(), at) {
                (Some(known), Some(at)) => {
                    known.insert(at);
                }
                _ => *known = None,
            }
        }
        let mut made = StepBuilder {
            system,
            extra: Extra::of(system),
            holders,
            locations,
            phases: RUNNING + 1,
            excluded: HashMap::new(),
            number: 0,
        };
        for step in &system.steps {
            if let Some(set) = step.shut_out_by {
                made.excluded.entry(set.0).or_insert(RUNNING);
            }
        }
        made
    }

    /// The steps of operators that go on or have one of the errors. Before checks are made, the
    /// exclusions are left out.
    pub(crate) fn operators(&self, errors: &[FactoredError]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (at, operator) in (0..).zip(&self.system.steps) {
            let is_error = operator.fails.is_some_and(|kind| {
                errors.iter().any(
                    |error| matches!(error, FactoredError::Faults(kinds) if kinds.contains(kind)),
                )
            });
            if operator.fails.is_some() && !is_error {
                continue;
            }
            let mut guards = vec![Guard::OneOf(self.extra.control, self.control(operator))];
            let phase = operator.shut_out_by.map_or(RUNNING, |set| self.excluded[&set.0]);
            guards.push(Guard::OneOf(self.extra.phase, vec![phase]));
            let held = operator.holds.map_or(FREE, held_by);
            let mut sets = vec![(self.extra.control, held), (self.extra.phase, RUNNING)];
            if is_error {
                sets = vec![(self.extra.error, 1)];
            }
            steps.push(Step {
                kind: StepKind::Operator(at),
                name: operator_name(at, operator),
                remark: operator.name.clone(),
                cost: operator.cost,
                guards,
                has_effects: !is_error,
                sets,
            });
        }
        steps
    }

    /// The values of `control` under which an operator is executed.
    fn control(&self, operator: &Operator) -> Vec<i32> {
        let process = operator.label.process;
        let at = self.locations.get(&process).and_then(|&factor| location(operator, factor));
        let may_hold = match (self.holders.get(&process), at) {
            (None, _) => false,
            (Some(Some(held)), Some(at)) => held.contains(&at),
            (Some(_), _) => true,
        };
        if may_hold { vec![FREE, held_by(process)] } else { vec![FREE] }
    }

    /// The checks: of exclusions, of the loss of control, and of errors that states have.
    pub(crate) fn checks(&mut self, errors: &[FactoredError], values: &[Vec<i32>]) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut sets: Vec<u32> = self.excluded.keys().copied().collect();
        sets.sort_unstable();
        for set in sets {
            let operators = self.system.shut_outs[set as usize].clone();
            let groups = self.groups(&operators, values);
            if groups.is_empty() {
                continue;
            }
            let end = self.phases + groups.len() as i32 - 1;
            self.sequence("others", &[], groups, vec![(self.extra.phase, end)], &mut steps);
            self.phases = end + 1;
            self.excluded.insert(set, end);
        }
        for process in self.holders.keys().copied().collect::<Vec<_>>() {
            let own = (0..).zip(&self.system.steps).filter(|(_, step)| !step.only_reports());
            let own = own.filter(|(_, step)| step.label.process == process);
            let own: Vec<u32> = own.map(|(at, _)| at).collect();
            let groups = self.groups(&own, values);
            let held = Guard::OneOf(self.extra.control, vec![held_by(process)]);
            let name = format!("release-{process}");
            let sets = vec![(self.extra.control, FREE), (self.extra.phase, RUNNING)];
            self.sequence(&name, &[held], groups, sets, &mut steps);
        }
        let free = Guard::OneOf(self.extra.control, vec![FREE]);
        for error in errors {
            let found = vec![(self.extra.error, 1), (self.extra.phase, RUNNING)];
            match error {
                FactoredError::Faults(_) => {}
                FactoredError::Deadlock => {
                    let moves = (0..).zip(&self.system.steps);
                    let moves = moves.filter(|(_, step)| !step.only_reports());
                    let all: Vec<u32> = moves.map(|(at, _)| at).collect();
                    let groups = self.groups(&all, values);
                    let valid = self.system.valid_end.clone().unwrap_or(FactorExpr::Const(0));
                    let invalid = Guard::Holds(valid.negated());
                    self.sequence("deadlock", &[free.clone(), invalid], groups, found, &mut steps);
                }
                FactoredError::Violation(condition) => {
                    let violated = Guard::Holds(condition.clone());
                    self.sequence("violated", &[free.clone(), violated], vec![], found, &mut steps);
                }
            }
        }
        steps
    }

    /// Bookkeeping steps that check conditions, then groups of operators, and assign in the end.
    fn sequence(
        &mut self,
        name: &str,
        first: &[Guard],
        groups: Vec<(String, Vec<u32>)>,
        end: Vec<(FactorId, i32)>,
        steps: &mut Vec<Step>,
    ) {
        let last = groups.len().saturating_sub(1);
        let mut phase = RUNNING;
        let mut groups: Vec<_> = groups.into_iter().map(Some).collect();
        if groups.is_empty() {
            groups.push(None);
        }
        for (at, group) in groups.into_iter().enumerate() {
            let mut guards = vec![Guard::OneOf(self.extra.phase, vec![phase])];
            if at == 0 {
                guards.extend_from_slice(first);
            }
            let mut of = String::new();
            if let Some((process, operators)) = group {
                of = format!("-{}", word(&process));
                guards.push(Guard::Inapplicable(operators));
            }
            let sets = if at == last {
                end.clone()
            } else {
                phase = self.phases;
                self.phases += 1;
                vec![(self.extra.phase, phase)]
            };
            let number = self.number;
            self.number += 1;
            steps.push(Step {
                kind: StepKind::Bookkeeping,
                name: format!("b{number}-{name}{of}"),
                remark: format!("{name}{of}"),
                cost: 0,
                guards,
                has_effects: false,
                sets,
            });
        }
    }

    /// Operators by process; single ones where those of a process have too many cases together.
    fn groups(&self, operators: &[u32], values: &[Vec<i32>]) -> Vec<(String, Vec<u32>)> {
        let mut by_process: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &at in operators {
            let process = self.system.steps[at as usize].label.process;
            by_process.entry(process).or_default().push(at);
        }
        let mut groups = Vec::new();
        for all in by_process.into_values() {
            let name = |at: u32| {
                let name = &self.system.steps[at as usize].name;
                name.split(' ').next().unwrap_or_default().to_owned()
            };
            if self.fits(&all, values) {
                groups.push((name(all[0]), all));
            } else {
                groups.extend(all.into_iter().map(|at| (name(at), vec![at])));
            }
        }
        groups
    }

    /// Whether there are few cases in which none of some operators is applicable.
    fn fits(&self, operators: &[u32], values: &[Vec<i32>]) -> bool {
        let mut left = MOST_TRIALS;
        let mut known: Known = vec![None; values.len()];
        let mut count = 0;
        let done = Cases { values, left: &mut left }.each(
            &mut known,
            &mut |known| Ok(are_inapplicable(self.system, operators, known)?.then_some(())),
            &mut |_, _, ()| {
                count += 1;
                match count > MOST_TOGETHER {
                    true => std::ops::ControlFlow::Break(()),
                    false => std::ops::ControlFlow::Continue(()),
                }
            },
        );
        done.is_ok_and(|flow| flow.is_continue())
    }
}

/// Whether none of some operators is applicable.
pub(crate) fn are_inapplicable(
    system: &System,
    operators: &[u32],
    known: &Known,
) -> Result<bool, Need> {
    let mut need = None;
    for &at in operators {
        match PartialRun::new(known).execute(&system.steps[at as usize]) {
            Ok(true) => return Ok(false),
            Ok(false) => {}
            Err(unknown) => {
                need.get_or_insert(unknown);
            }
        }
    }
    need.map_or(Ok(true), Err)
}

/// The location of each process: the factor that all its operators ask for.
pub(crate) fn locations(system: &System) -> HashMap<u32, FactorId> {
    let mut found: HashMap<u32, Option<FactorId>> = HashMap::new();
    for step in &system.steps {
        let first = step.actions.iter().find_map(|action| match action {
            Instruction::Require(condition) => is_value(condition).map(|(factor, _)| factor),
            Instruction::Set(_) => None,
        });
        let first = first.filter(|&one| system.factor(one).kind == FactorKind::Location);
        let known = found.entry(step.label.process).or_insert(first);
        if *known != first {
            *known = None;
        }
    }
    found.into_iter().filter_map(|(process, factor)| Some((process, factor?))).collect()
}

/// The value that an operator requires of a factor before its assignments.
pub(crate) fn location(operator: &Operator, factor: FactorId) -> Option<i32> {
    let before = operator.actions.iter().map_while(|action| match action {
        Instruction::Require(condition) => Some(condition),
        Instruction::Set(_) => None,
    });
    let values = before.filter_map(is_value);
    values.filter(|&(asked, _)| asked == factor).map(|(_, value)| value).next()
}

/// The constant that an operator assigns to a factor last.
pub(crate) fn target(operator: &Operator, factor: FactorId) -> Option<i32> {
    let assignments = operator.actions.iter().flat_map(|action| match action {
        Instruction::Set(all) => all.as_slice(),
        Instruction::Require(_) => &[],
    });
    let mut own = assignments.filter(|one| one.place == AssignmentTarget::Factor(factor));
    match own.next_back()?.value {
        FactorExpr::Const(value) => Some(value),
        _ => None,
    }
}

/// The factor and the value of a condition `factor == value`.
fn is_value(condition: &FactorExpr) -> Option<(FactorId, i32)> {
    let FactorExpr::Binary(Binary::Equal, a, b) = condition else { return None };
    match (&**a, &**b) {
        (&FactorExpr::Factor(factor), &FactorExpr::Const(value)) => Some((factor, value)),
        _ => None,
    }
}
