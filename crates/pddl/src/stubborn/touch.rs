//! What the effects of an operator do to the value of one factor.

use crate::encode::{EncodedOperator, EncodedTask, StateCondition, ValueChange};

/// The new value of a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// This one.
    To(u32),
    /// By the old value: effects have conditions on the factor itself.
    Map(Box<[u32]>),
    /// The old value or one of these: effects have conditions on other factors.
    Any(Vec<u32>),
}

impl Touch {
    /// The new value after an old one; `None` if it is not known.
    pub(super) fn after(&self, old: u32) -> Option<u32> {
        match self {
            Touch::To(value) => Some(*value),
            Touch::Map(values) => Some(values[old as usize]),
            Touch::Any(_) => None,
        }
    }

    /// Whether this value stays.
    pub(super) fn keeps(&self, value: u32) -> bool {
        match self {
            Touch::Any(values) => values.iter().all(|&one| one == value),
            _ => self.after(value) == Some(value),
        }
    }

    /// Whether another value, among those that are admitted, may become this one.
    pub(super) fn leads_to(&self, value: u32, admits: impl Fn(u32) -> bool) -> bool {
        match self {
            Touch::To(new) => *new == value,
            Touch::Map(values) => {
                (0..).zip(values).any(|(old, &new)| new == value && old != value && admits(old))
            }
            Touch::Any(values) => values.contains(&value),
        }
    }
}

/// Whether an operator admits a value of a factor.
pub(super) fn admits(operator: &EncodedOperator, factor: u32, value: u32) -> bool {
    operator.preconditions.iter().all(|&one| match one {
        StateCondition::Is(of, required) if of == factor => required == value,
        StateCondition::IsNot(of, excluded) if of == factor => excluded != value,
        _ => true,
    })
}

/// The factors that an operator may change, ascending.
pub(super) fn touches(task: &EncodedTask, operator: &EncodedOperator) -> Vec<(u32, Touch)> {
    let mut factors: Vec<u32> = operator
        .effects
        .iter()
        .filter_map(|effect| match effect.change {
            ValueChange::Set(factor, _) => Some(factor),
            ValueChange::Number(..) => None,
        })
        .collect();
    factors.sort_unstable();
    factors.dedup();
    let touched = factors.into_iter().map(|factor| (factor, touch(task, operator, factor)));
    // What changes nothing that the operator admits is no change.
    touched
        .filter(|(factor, touch)| {
            let size = task.groups[*factor as usize].size();
            (0..size).any(|value| admits(operator, *factor, value) && !touch.keeps(value))
        })
        .collect()
}

fn touch(task: &EncodedTask, operator: &EncodedOperator, factor: u32) -> Touch {
    let effects = operator.effects.iter().filter_map(|effect| match effect.change {
        ValueChange::Set(of, value) if of == factor => Some((&effect.conditions, value)),
        _ => None,
    });
    let mut values: Vec<u32> = (0..task.groups[factor as usize].size()).collect();
    let (mut all, mut is_known) = (Vec::new(), true);
    for (conditions, new) in effects {
        all.push(new);
        is_known &= conditions.iter().all(|&one| of_factor(one) == Some(factor));
        for (old, value) in (0..).zip(&mut values) {
            let holds = conditions.iter().all(|&one| match one {
                StateCondition::Is(_, required) => required == old,
                StateCondition::IsNot(_, excluded) => excluded != old,
                _ => false,
            });
            if holds {
                *value = new;
            }
        }
    }
    if !is_known {
        all.sort_unstable();
        all.dedup();
        return Touch::Any(all);
    }
    match values.first() {
        Some(&first) if values.iter().all(|&one| one == first) => Touch::To(first),
        _ => Touch::Map(values.into_boxed_slice()),
    }
}

/// The factor of a condition on a value.
pub(super) fn of_factor(condition: StateCondition) -> Option<u32> {
    match condition {
        StateCondition::Is(factor, _) | StateCondition::IsNot(factor, _) => Some(factor),
        StateCondition::Derived(..) | StateCondition::Compare(..) => None,
    }
}
