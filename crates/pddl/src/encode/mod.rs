//! The encoding of a grounded task: mutex groups become factors with several values, other facts
//! factors with two.
//!
//! Source: [Hel09] for the groups, and the greedy choice of the largest ones.

mod encoding;
mod invariants;
mod operators;

use std::collections::BinaryHeap;

use beeline_kernel::Deadline;

use crate::ground::{GroundAxiom, GroundChange, GroundComparison, GroundTask, Literal};
use crate::task::NumberRange;
use encoding::Encoding;
pub(crate) use encoding::{FactGroup, FactPlace, StateCondition};
use invariants::mutex_groups;
pub(crate) use operators::{EncodedEffect, EncodedOperator, ValueChange};

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
    /// The values of numeric fluents.
    pub(crate) range: NumberRange,
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
    let range = task.range;
    EncodedTask { groups, derived, axioms, operators, comparisons, numbers, range, goal }
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
