//! Operators on factors: deletes that another effect makes up for are dropped.

use super::encoding::{Encoding, FactPlace, StateCondition};
use crate::ground::{GroundChange, GroundNumber, GroundOperator};
use crate::task::NumericChange;

/// What an effect changes.
#[derive(Clone, Debug)]
pub(crate) enum ValueChange {
    /// A factor gets a value.
    Set(u32, u32),
    /// A numeric fluent changes.
    Number(NumericChange, u32, GroundNumber),
}

/// An effect under conditions on the state before.
#[derive(Clone, Debug)]
pub(crate) struct EncodedEffect {
    pub(crate) conditions: Vec<StateCondition>,
    pub(crate) change: ValueChange,
}

/// An operator on factors. Effects that are later win.
#[derive(Clone, Debug)]
pub(crate) struct EncodedOperator {
    /// The operator of the grounded task.
    pub(crate) ground: u32,
    pub(crate) cost: u32,
    /// Sorted: values of factors come first.
    pub(crate) preconditions: Vec<StateCondition>,
    pub(crate) effects: Vec<EncodedEffect>,
}

impl Encoding<'_> {
    /// Encodes an operator; `None` if it is never applicable or changes nothing.
    pub(super) fn operator(
        &self,
        ground: u32,
        operator: &GroundOperator,
    ) -> Option<EncodedOperator> {
        let preconditions = self.conditions(&operator.preconditions)?;
        let is = |condition: &StateCondition| preconditions.binary_search(condition).is_ok();
        let (mut deletes, mut adds) = (Vec::new(), Vec::new());
        let surely_set: Vec<u32> = operator
            .effects
            .iter()
            .filter_map(|effect| match effect.change {
                GroundChange::Add(fact) if effect.conditions.is_empty() => {
                    match self.places[fact as usize] {
                        FactPlace::Value(group, _) => Some(group),
                        FactPlace::Derived(_) => None,
                    }
                }
                _ => None,
            })
            .collect();
        for effect in &operator.effects {
            let Some(mut conditions) = self.conditions(&effect.conditions) else { continue };
            // A condition that contradicts the precondition.
            let is_never = conditions.iter().any(|one| match one {
                StateCondition::Is(group, value) => preconditions.iter().any(
                    |known| matches!(known, StateCondition::Is(a, b) if a == group && b != value),
                ),
                StateCondition::IsNot(group, value) => is(&StateCondition::Is(*group, *value)),
                _ => false,
            });
            if is_never {
                continue;
            }
            conditions.retain(|one| !is(one));
            match &effect.change {
                GroundChange::Delete(fact) => {
                    let FactPlace::Value(group, value) = self.places[*fact as usize] else {
                        continue;
                    };
                    let of = &self.groups[group as usize];
                    if surely_set.contains(&group) || !of.has_none {
                        continue;
                    }
                    let present = StateCondition::Is(group, value);
                    if !is(&present) && !conditions.contains(&present) {
                        let other = preconditions
                            .iter()
                            .any(|known| matches!(known, StateCondition::Is(a, _) if *a == group));
                        if other {
                            continue;
                        }
                        conditions.push(present);
                        conditions.sort_unstable();
                    }
                    deletes.push(EncodedEffect {
                        conditions,
                        change: ValueChange::Set(group, of.none()),
                    });
                }
                GroundChange::Add(fact) => {
                    let FactPlace::Value(group, value) = self.places[*fact as usize] else {
                        continue;
                    };
                    adds.push(EncodedEffect { conditions, change: ValueChange::Set(group, value) });
                }
                GroundChange::Number(kind, fluent, value) => {
                    let change = ValueChange::Number(*kind, *fluent, value.clone());
                    adds.push(EncodedEffect { conditions, change });
                }
            }
        }
        deletes.append(&mut adds);
        let effects = deletes;
        // An effect that sets what holds anyway.
        let changes = effects.iter().any(|effect| match effect.change {
            ValueChange::Set(group, value) => !is(&StateCondition::Is(group, value)),
            ValueChange::Number(..) => true,
        });
        let cost = operator.cost;
        changes.then_some(EncodedOperator { ground, cost, preconditions, effects })
    }
}
