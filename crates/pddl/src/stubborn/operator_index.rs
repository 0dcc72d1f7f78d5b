//! Which operators require, exclude, read and write what, and which ones follow an operator.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::leaves::{DerivedLeaves, Leaf, may_become};
use super::rule::StubbornRule;
use super::touch::{Touch, admits, of_factor, touches};
use crate::encode::{EncodedOperator, EncodedTask, StateCondition, ValueChange};

/// The followers of all operators that are kept: 128 MiB.
const MOST_FOLLOWERS: usize = 1 << 25;

/// What the effects of an operator read and write.
#[derive(Clone, Debug, Default)]
struct EffectFootprint {
    /// The factors that may change, ascending.
    touches: Vec<(u32, Touch)>,
    /// Factors in the conditions of effects on others, also through derived facts.
    reads: Vec<u32>,
    written_numbers: Vec<u32>,
    /// Fluents in conditions and values of effects, and those that are changed: whether the result
    /// is in range depends on them.
    read_numbers: Vec<u32>,
}

impl EffectFootprint {
    /// What happens to a factor.
    fn touch(&self, factor: u32) -> Option<&Touch> {
        let at = self.touches.binary_search_by_key(&factor, |one| one.0).ok()?;
        Some(&self.touches[at].1)
    }
}

/// Lists of operators, by factor and value.
type ByValue = Vec<Vec<Vec<u32>>>;

/// The operators by what they have to do with each variable.
#[derive(Debug)]
pub(super) struct OperatorIndex {
    footprints: Vec<EffectFootprint>,
    /// Those that require a value.
    require: ByValue,
    /// Those that exclude a value.
    exclude: ByValue,
    /// Those with an effect that may set a value.
    write: ByValue,
    /// By factor: those that may change it.
    change: Vec<Vec<u32>>,
    /// By factor: those with effects on others that read it.
    read: Vec<Vec<u32>>,
    /// By fluent: those with preconditions on it.
    compare: Vec<Vec<u32>>,
    write_number: Vec<Vec<u32>>,
    read_number: Vec<Vec<u32>>,
    /// By literal of a derived fact: the operators that require it.
    users: Vec<Vec<u32>>,
    /// By factor: conditions on which such a literal depends, what it breaks the literal that they
    /// become, and the literal.
    broken: Vec<Vec<(StateCondition, bool, u32)>>,
    /// By fluent: the literals that depend on it.
    broken_by_number: Vec<Vec<u32>>,
    pub(super) leaves: DerivedLeaves,
    /// A rule that is left out.
    pub(super) omitted: Option<StubbornRule>,
    /// By operator: its followers.
    followers: Vec<OnceLock<Box<[u32]>>>,
    /// The sum of their numbers, and the most of it.
    kept: AtomicUsize,
    pub(super) most_kept: usize,
}

fn sorted(mut all: Vec<u32>) -> Vec<u32> {
    all.sort_unstable();
    all.dedup();
    all
}

impl OperatorIndex {
    pub(super) fn new(task: &EncodedTask) -> OperatorIndex {
        let by_value = || -> ByValue {
            task.groups.iter().map(|group| vec![Vec::new(); group.size() as usize]).collect()
        };
        let by_number = || vec![Vec::new(); task.numbers.len()];
        let mut index = OperatorIndex {
            footprints: Vec::with_capacity(task.operators.len()),
            require: by_value(),
            exclude: by_value(),
            write: by_value(),
            change: vec![Vec::new(); task.groups.len()],
            read: vec![Vec::new(); task.groups.len()],
            compare: by_number(),
            write_number: by_number(),
            read_number: by_number(),
            users: Vec::new(),
            broken: vec![Vec::new(); task.groups.len()],
            broken_by_number: by_number(),
            leaves: DerivedLeaves::new(task),
            omitted: None,
            followers: (0..task.operators.len()).map(|_| OnceLock::new()).collect(),
            kept: AtomicUsize::new(0),
            most_kept: MOST_FOLLOWERS,
        };
        let mut of_literal = BTreeMap::<(u32, bool), Vec<u32>>::new();
        for (at, operator) in (0..).zip(&task.operators) {
            for &condition in &operator.preconditions {
                match condition {
                    StateCondition::Is(factor, value) => {
                        index.require[factor as usize][value as usize].push(at);
                    }
                    StateCondition::IsNot(factor, value) => {
                        index.exclude[factor as usize][value as usize].push(at);
                    }
                    StateCondition::Derived(fact, is) => {
                        of_literal.entry((fact, is)).or_default().push(at);
                    }
                    StateCondition::Compare(comparison, _) => {
                        for fluent in compared(task, comparison) {
                            index.compare[fluent as usize].push(at);
                        }
                    }
                }
            }
            let footprint = index.footprint(task, operator);
            for (factor, touch) in &footprint.touches {
                index.change[*factor as usize].push(at);
                for (value, writers) in (0..).zip(&mut index.write[*factor as usize]) {
                    if touch.leads_to(value, |old| admits(operator, *factor, old)) {
                        writers.push(at);
                    }
                }
            }
            footprint.reads.iter().for_each(|&factor| index.read[factor as usize].push(at));
            for &fluent in &footprint.written_numbers {
                index.write_number[fluent as usize].push(at);
            }
            for &fluent in &footprint.read_numbers {
                index.read_number[fluent as usize].push(at);
            }
            index.footprints.push(footprint);
        }
        for ((fact, is), users) in of_literal {
            index.add_literal(task, fact, is, users);
        }
        index
    }

    /// Adds a literal of a derived fact that is a precondition.
    fn add_literal(&mut self, task: &EncodedTask, fact: u32, is: bool, users: Vec<u32>) {
        let literal = self.users.len() as u32;
        self.users.push(users);
        for &Leaf { condition, sign } in self.leaves.of(task, fact) {
            match condition {
                StateCondition::Is(factor, _) | StateCondition::IsNot(factor, _) => {
                    // A true fact breaks where a condition is lost, a false one where it is won.
                    self.broken[factor as usize].push((condition, sign != is, literal));
                }
                StateCondition::Compare(comparison, _) => {
                    for fluent in compared(task, comparison) {
                        self.broken_by_number[fluent as usize].push(literal);
                    }
                }
                StateCondition::Derived(..) => unreachable!("leaves are not derived"),
            }
        }
    }

    fn footprint(&self, task: &EncodedTask, operator: &EncodedOperator) -> EffectFootprint {
        let mut found = EffectFootprint::default();
        for effect in &operator.effects {
            let own = match &effect.change {
                ValueChange::Set(factor, _) => Some(*factor),
                ValueChange::Number(_, fluent, value) => {
                    found.written_numbers.push(*fluent);
                    found.read_numbers.push(*fluent);
                    value.fluents(&mut |fluent| found.read_numbers.push(fluent));
                    None
                }
            };
            for &condition in &effect.conditions {
                if own.is_none() || of_factor(condition) != own {
                    self.read_condition(task, condition, &mut found);
                }
            }
        }
        EffectFootprint {
            touches: touches(task, operator),
            reads: sorted(found.reads),
            written_numbers: sorted(found.written_numbers),
            read_numbers: sorted(found.read_numbers),
        }
    }

    fn read_condition(
        &self,
        task: &EncodedTask,
        condition: StateCondition,
        found: &mut EffectFootprint,
    ) {
        match condition {
            StateCondition::Is(factor, _) | StateCondition::IsNot(factor, _) => {
                found.reads.push(factor);
            }
            StateCondition::Compare(comparison, _) => {
                found.read_numbers.extend(compared(task, comparison));
            }
            StateCondition::Derived(fact, _) => {
                for leaf in self.leaves.of(task, fact) {
                    self.read_condition(task, leaf.condition, found);
                }
            }
        }
    }

    /// Whether a rule is obeyed.
    pub(super) fn has(&self, rule: StubbornRule) -> bool {
        self.omitted != Some(rule)
    }

    /// The operators that may make a condition true that a factor has a value; `None` for other
    /// conditions.
    pub(super) fn writers(&self, condition: StateCondition) -> Option<&[u32]> {
        match condition {
            StateCondition::Is(factor, value) => Some(&self.write[factor as usize][value as usize]),
            _ => None,
        }
    }

    /// The operators that may make a condition on values or numbers true, or false.
    pub(super) fn each_changer(
        &self,
        task: &EncodedTask,
        condition: StateCondition,
        becomes: bool,
        visit: &mut impl FnMut(u32),
    ) {
        match condition {
            StateCondition::Is(factor, _) | StateCondition::IsNot(factor, _) => {
                for (value, writers) in (0..).zip(&self.write[factor as usize]) {
                    if may_become(condition, value, becomes) {
                        writers.iter().for_each(|&one| visit(one));
                    }
                }
            }
            StateCondition::Compare(comparison, _) => {
                for fluent in compared(task, comparison) {
                    self.write_number[fluent as usize].iter().for_each(|&one| visit(one));
                }
            }
            StateCondition::Derived(fact, is) => {
                for leaf in self.leaves.of(task, fact) {
                    let becomes = leaf.sign == (is == becomes);
                    self.each_changer(task, leaf.condition, becomes, visit);
                }
            }
        }
    }

    /// The operators that write what the effects of an operator read.
    pub(super) fn each_writer_of_inputs(&self, operator: u32, visit: &mut impl FnMut(u32)) {
        let footprint = &self.footprints[operator as usize];
        for &factor in &footprint.reads {
            self.change[factor as usize].iter().for_each(|&one| visit(one));
        }
        for &fluent in &footprint.read_numbers {
            self.write_number[fluent as usize].iter().for_each(|&one| visit(one));
        }
    }

    /// The operators that an operator must not be moved before, so that they follow it; see the
    /// description of `StubbornSets`.
    pub(super) fn followers(&self, task: &EncodedTask, operator: u32) -> &[u32] {
        self.followers[operator as usize].get_or_init(|| {
            let found = self.find_followers(task, operator);
            self.kept.fetch_add(found.len(), Ordering::Relaxed);
            found
        })
    }

    /// Whether the followers take too much memory to find more of them.
    pub(super) fn is_full(&self) -> bool {
        self.kept.load(Ordering::Relaxed) >= self.most_kept
    }

    fn find_followers(&self, task: &EncodedTask, number: u32) -> Box<[u32]> {
        let mut found = Vec::new();
        let (operator, footprint) =
            (&task.operators[number as usize], &self.footprints[number as usize]);
        let guarded = self.guarded(operator, footprint);
        for (factor, touch) in &footprint.touches {
            let (at, factor) = (*factor as usize, *factor);
            let guard = guarded.iter().find(|one| one.0 == factor).map(|one| one.1);
            if self.has(StubbornRule::Disabling) {
                for (value, users) in (0..).zip(&self.require[at]) {
                    if !touch.keeps(value) {
                        found.extend(users);
                    }
                }
                for (value, users) in (0..).zip(&self.exclude[at]) {
                    if touch.leads_to(value, |_| true) {
                        found.extend(users);
                    }
                }
            }
            let values = 0..task.groups[at].size();
            for &other in &self.change[at] {
                let of = &task.operators[other as usize];
                let Some(others) = self.footprints[other as usize].touch(factor) else { continue };
                let is_follower = match guard {
                    // The operators before keep the value.
                    Some(value) if !others.keeps(value) => self.has(StubbornRule::Guard),
                    Some(value) => {
                        self.has(StubbornRule::Agreement) && !commute(touch, others, value)
                    }
                    None => {
                        let mut admitted = values.clone().filter(|&one| admits(of, factor, one));
                        self.has(StubbornRule::Agreement)
                            && !admitted.all(|value| commute(touch, others, value))
                    }
                };
                if is_follower {
                    found.push(other);
                }
            }
            if self.has(StubbornRule::Readers) {
                found.extend(&self.read[at]);
            }
            for &(condition, becomes, literal) in &self.broken[at] {
                let is_broken = values.clone().any(|value| {
                    may_become(condition, value, becomes) && touch.leads_to(value, |_| true)
                });
                if self.has(StubbornRule::Derived) && is_broken {
                    found.extend(&self.users[literal as usize]);
                }
            }
        }
        let numbers = footprint.written_numbers.iter();
        for &fluent in numbers.filter(|_| self.has(StubbornRule::Numbers)) {
            found.extend(&self.compare[fluent as usize]);
            found.extend(&self.read_number[fluent as usize]);
            for &literal in &self.broken_by_number[fluent as usize] {
                found.extend(&self.users[literal as usize]);
            }
        }
        if self.has(StubbornRule::Inputs) {
            self.each_writer_of_inputs(number, &mut |one| found.push(one));
        }
        let mut found = sorted(found);
        let is_possible = |other: u32| {
            let other = &task.operators[other as usize];
            guarded.iter().all(|&(factor, value)| admits(other, factor, value))
        };
        found.retain(|&other| other != number && is_possible(other));
        found.into_boxed_slice()
    }

    /// The factors with a required value that an operator changes, and the value.
    fn guarded(&self, operator: &EncodedOperator, footprint: &EffectFootprint) -> Vec<(u32, u32)> {
        let guarded = operator.preconditions.iter().filter_map(|&condition| match condition {
            StateCondition::Is(factor, value) => {
                let touch = footprint.touch(factor)?;
                (!touch.keeps(value)).then_some((factor, value))
            }
            _ => None,
        });
        guarded.collect()
    }
}

/// Whether two changes of a factor have the same result in both orders, after this value.
fn commute(a: &Touch, b: &Touch, value: u32) -> bool {
    let both = |first: &Touch, second: &Touch| second.after(first.after(value)?);
    match (both(a, b), both(b, a)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// The fluents of a comparison.
fn compared(task: &EncodedTask, comparison: u32) -> Vec<u32> {
    let of = &task.comparisons[comparison as usize];
    let mut found = Vec::new();
    of.left.fluents(&mut |fluent| found.push(fluent));
    of.right.fluents(&mut |fluent| found.push(fluent));
    sorted(found)
}
