//! The task for the state space: derived variables become derived facts.

use super::sas_task::{SasFact, SasOperator, SasTask};
use crate::encode::{
    DerivedFact, EncodedAxiom, EncodedEffect, EncodedOperator, EncodedTask, FactGroup,
    StateCondition, ValueChange,
};
use crate::ground::{GroundFact, GroundTask};
use crate::task::NumberRange;

/// Where a variable is.
#[derive(Clone, Copy)]
enum VariablePlace {
    Group(u32),
    /// The number among derived facts, and the value without an axiom that applies.
    Derived(u32, u32),
}

/// Encodes a task. The grounded task has the names of its facts alone.
pub(crate) fn encode_sas(task: &SasTask) -> (EncodedTask, GroundTask) {
    let (mut groups, mut derived) = (Vec::new(), Vec::new());
    let (mut facts, mut places) = (Vec::new(), Vec::new());
    for variable in &task.variables {
        let first = facts.len() as u32;
        let (count, initial) = (variable.values.len() as u32, variable.initial);
        for (value, name) in (0..).zip(&variable.values) {
            let (layer, is_initial) = (variable.layer, value == initial);
            facts.push(GroundFact { name: name.clone(), atom: None, layer, is_initial });
        }
        match variable.layer {
            None => {
                places.push(VariablePlace::Group(groups.len() as u32));
                let facts = (first..first + count).collect();
                groups.push(FactGroup { facts, has_none: false, initial });
            }
            Some(layer) => {
                places.push(VariablePlace::Derived(derived.len() as u32, initial));
                derived.push(DerivedFact { fact: first + 1 - initial, layer });
            }
        }
    }
    let operators = (0..).zip(&task.operators);
    let operators = operators.filter_map(|(at, one)| operator(at, one, &places)).collect();
    let axioms = task.rules.iter().filter_map(|rule| match places[rule.sets.variable] {
        VariablePlace::Derived(head, _) => {
            Some(EncodedAxiom { head, body: conditions(&rule.conditions, &places)? })
        }
        VariablePlace::Group(_) => None,
    });
    let encoded = EncodedTask {
        axioms: axioms.collect(),
        groups,
        derived,
        operators,
        comparisons: Vec::new(),
        numbers: Vec::new(),
        range: NumberRange::ALL,
        goal: conditions(&task.goal, &places),
    };
    let ground = GroundTask {
        facts,
        operators: Vec::new(),
        axioms: Vec::new(),
        comparisons: Vec::new(),
        fluents: Vec::new(),
        range: NumberRange::ALL,
        goal: None,
    };
    (encoded, ground)
}

/// An operator; `None` if it is never applicable.
fn operator(ground: u32, of: &SasOperator, places: &[VariablePlace]) -> Option<EncodedOperator> {
    let preconditions = conditions(&of.conditions, places)?;
    let mut effects = Vec::new();
    for effect in &of.effects {
        let VariablePlace::Group(group) = places[effect.sets.variable] else { continue };
        if let Some(mut conditions) = conditions(&effect.conditions, places) {
            conditions.retain(|one| preconditions.binary_search(one).is_err());
            effects.push(EncodedEffect {
                conditions,
                change: ValueChange::Set(group, effect.sets.value),
            });
        }
    }
    Some(EncodedOperator { ground, cost: of.cost, preconditions, effects })
}

/// A conjunction, sorted; `None` if it needs two values of a variable.
fn conditions(facts: &[SasFact], places: &[VariablePlace]) -> Option<Vec<StateCondition>> {
    let condition = |fact: &SasFact| match places[fact.variable] {
        VariablePlace::Group(group) => StateCondition::Is(group, fact.value),
        VariablePlace::Derived(of, initial) => StateCondition::Derived(of, fact.value != initial),
    };
    let mut all: Vec<StateCondition> = facts.iter().map(condition).collect();
    all.sort_unstable();
    all.dedup();
    let is_broken = all.windows(2).any(|pair| match (pair[0], pair[1]) {
        (StateCondition::Is(a, _), StateCondition::Is(b, _))
        | (StateCondition::Derived(a, _), StateCondition::Derived(b, _)) => a == b,
        _ => false,
    });
    (!is_broken).then_some(all)
}
