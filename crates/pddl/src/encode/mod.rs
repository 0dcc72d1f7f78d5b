//! The encoding of a grounded task: mutex groups become factors with several values, other facts
//! factors with two.
//!
//! Source: [Hel09] for the groups, and the greedy choice of the largest ones.

mod invariants;
mod operators;

use std::collections::BinaryHeap;

use beeline_kernel::Deadline;

use crate::ground::{GroundAxiom, GroundChange, GroundComparison, GroundTask, Literal};
use invariants::mutex_groups;
pub(crate) use operators::{EncodedOperator, ValueChange};

/// A factor: one of its facts holds, or none.
#[derive(Clone, Debug)]
pub(crate) struct FactGroup {
    /// The facts, by value.
    pub(crate) facts: Vec<u32>,
    /// Whether it may be that none of them holds, which is the value after the last fact.
    pub(crate) has_none: bool,
    pub(crate) initial: u32,
}

impl FactGroup {
    /// The number of values.
    pub(crate) fn size(&self) -> u32 {
        self.facts.len() as u32 + u32::from(self.has_none)
    }

    /// The value that stands for none of the facts.
    pub(crate) fn none(&self) -> u32 {
        self.facts.len() as u32
    }
}

/// Where a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactPlace {
    /// It holds where a factor has a value.
    Value(u32, u32),
    /// It is derived; the number among derived facts.
    Derived(u32),
}

/// A condition on an encoded state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StateCondition {
    /// A factor has a value.
    Is(u32, u32),
    /// A factor does not have a value.
    IsNot(u32, u32),
    /// A derived fact is true, or false.
    Derived(u32, bool),
    /// A comparison of numbers holds, or does not.
    Compare(u32, bool),
}

/// A derived fact.
#[derive(Clone, Debug)]
pub(crate) struct DerivedFact {
    pub(crate) fact: u32,
    pub(crate) layer: u32,
}

/// An axiom on derived facts.
#[derive(Clone, Debug)]
pub(crate) struct EncodedAxiom {
    /// The derived fact.
    pub(crate) head: u32,
    pub(crate) body: Vec<StateCondition>,
}

/// An encoded task.
#[derive(Clone, Debug)]
pub(crate) struct EncodedTask {
    pub(crate) groups: Vec<FactGroup>,
    pub(crate) derived: Vec<DerivedFact>,
    pub(crate) axioms: Vec<EncodedAxiom>,
    pub(crate) operators: Vec<EncodedOperator>,
    pub(crate) comparisons: Vec<GroundComparison>,
    /// The initial values of numeric fluents.
    pub(crate) numbers: Vec<i64>,
    /// The goal; `None` if it cannot be reached.
    pub(crate) goal: Option<Vec<StateCondition>>,
}

/// Encodes a grounded task. The search for groups ends at the deadline.
pub(crate) fn encode(task: &GroundTask, deadline: Deadline) -> EncodedTask {
    let mut groups = cover(task, mutex_groups(task, deadline));
    let mut places = vec![FactPlace::Derived(u32::MAX); task.facts.len()];
    for (at, group) in groups.iter().enumerate() {
        for (value, &fact) in group.facts.iter().enumerate() {
            places[fact as usize] = FactPlace::Value(at as u32, value as u32);
        }
    }
    let mut derived = Vec::new();
    for (fact, of) in task.facts.iter().enumerate() {
        if let Some(layer) = of.layer {
            places[fact] = FactPlace::Derived(derived.len() as u32);
            derived.push(DerivedFact { fact: fact as u32, layer });
        }
    }
    mark_none(task, &mut groups, &places);
    let encoding = Encoding { groups: &groups, places: &places };
    let axioms = task.axioms.iter().filter_map(|GroundAxiom { head, body }| {
        let FactPlace::Derived(head) = places[*head as usize] else { return None };
        Some(EncodedAxiom { head, body: encoding.conditions(body)? })
    });
    let axioms = axioms.collect();
    let goal = task.goal.as_ref().and_then(|goal| encoding.conditions(goal));
    let operators = (0..).zip(&task.operators);
    let operators =
        operators.filter_map(|(at, operator)| encoding.operator(at, operator)).collect();
    let comparisons = task.comparisons.clone();
    let numbers = task.fluents.iter().map(|one| one.1).collect();
    EncodedTask { groups, derived, axioms, operators, comparisons, numbers, goal }
}

/// The groups and places of facts.
struct Encoding<'a> {
    groups: &'a [FactGroup],
    places: &'a [FactPlace],
}

impl Encoding<'_> {
    fn condition(&self, literal: Literal) -> StateCondition {
        match literal {
            Literal::Compare(comparison, holds) => StateCondition::Compare(comparison, holds),
            Literal::Fact(fact, holds) => match (self.places[fact as usize], holds) {
                (FactPlace::Derived(derived), _) => StateCondition::Derived(derived, holds),
                (FactPlace::Value(group, value), true) => StateCondition::Is(group, value),
                (FactPlace::Value(group, value), false) => {
                    match self.groups[group as usize].size() {
                        2 => StateCondition::Is(group, 1 - value),
                        _ => StateCondition::IsNot(group, value),
                    }
                }
            },
        }
    }

    /// A conjunction, sorted; `None` if it needs two values of a factor.
    fn conditions(&self, literals: &[Literal]) -> Option<Vec<StateCondition>> {
        let mut all: Vec<StateCondition> =
            literals.iter().map(|&literal| self.condition(literal)).collect();
        all.sort_unstable();
        all.dedup();
        let is_broken = all.windows(2).any(|pair| {
            matches!((pair[0], pair[1]),
                (StateCondition::Is(a, _), StateCondition::Is(b, _)) if a == b)
        });
        let is =
            |group: u32, value: u32| all.binary_search(&StateCondition::Is(group, value)).is_ok();
        let is_empty =
            all.iter().any(|one| matches!(*one, StateCondition::IsNot(a, b) if is(a, b)));
        if is_broken || is_empty {
            return None;
        }
        // What a factor is says what it is not.
        let known: Vec<u32> = all
            .iter()
            .filter_map(|one| match one {
                StateCondition::Is(group, _) => Some(*group),
                _ => None,
            })
            .collect();
        all.retain(|one| !matches!(one, StateCondition::IsNot(group, _) if known.contains(group)));
        Some(all)
    }
}

/// Chooses groups greedily, the largest first; each fact is in one of them.
fn cover(task: &GroundTask, mut groups: Vec<Vec<u32>>) -> Vec<FactGroup> {
    let mut is_covered: Vec<bool> = task.facts.iter().map(|fact| fact.is_derived()).collect();
    let mut heap: BinaryHeap<(usize, std::cmp::Reverse<usize>)> =
        groups.iter().enumerate().map(|(at, group)| (group.len(), std::cmp::Reverse(at))).collect();
    let mut chosen: Vec<Vec<u32>> = Vec::new();
    while let Some((size, std::cmp::Reverse(at))) = heap.pop() {
        groups[at].retain(|&fact| !is_covered[fact as usize]);
        let left = groups[at].len();
        if left < 2 {
            continue;
        }
        if left < size {
            heap.push((left, std::cmp::Reverse(at)));
            continue;
        }
        let group = std::mem::take(&mut groups[at]);
        group.iter().for_each(|&fact| is_covered[fact as usize] = true);
        chosen.push(group);
    }
    chosen.extend(
        (0..task.facts.len() as u32)
            .filter(|&fact| !is_covered[fact as usize])
            .map(|fact| vec![fact]),
    );
    // In the order of their first facts, which is that of their first use.
    chosen.sort_unstable();
    let group = |facts: Vec<u32>| {
        let initial = facts.iter().position(|&fact| task.facts[fact as usize].is_initial);
        let has_none = facts.len() == 1 || initial.is_none();
        let initial = initial.unwrap_or(facts.len()) as u32;
        FactGroup { facts, has_none, initial }
    };
    chosen.into_iter().map(group).collect()
}

/// Marks the groups of which an operator may delete a fact without adding another one.
fn mark_none(task: &GroundTask, groups: &mut [FactGroup], places: &[FactPlace]) {
    for operator in &task.operators {
        for effect in &operator.effects {
            let GroundChange::Delete(deleted) = effect.change else { continue };
            let FactPlace::Value(group, _) = places[deleted as usize] else { continue };
            if groups[group as usize].has_none {
                continue;
            }
            let holds = |literal: &Literal| {
                operator.preconditions.binary_search(literal).is_ok()
                    || effect.conditions.contains(literal)
                    || *literal == Literal::Fact(deleted, true)
            };
            let is_replaced = operator.effects.iter().any(|other| match other.change {
                GroundChange::Add(added) => {
                    matches!(places[added as usize], FactPlace::Value(of, _) if of == group)
                        && other.conditions.iter().all(holds)
                }
                _ => false,
            });
            if !is_replaced {
                groups[group as usize].has_none = true;
            }
        }
    }
}
