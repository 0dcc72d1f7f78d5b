//! Conditions on factors instead of facts.

use crate::ground::Literal;

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

/// The groups and places of facts.
pub(super) struct Encoding<'a> {
    pub(super) groups: &'a [FactGroup],
    pub(super) places: &'a [FactPlace],
}

impl Encoding<'_> {
    pub(super) fn condition(&self, literal: Literal) -> StateCondition {
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
    pub(super) fn conditions(&self, literals: &[Literal]) -> Option<Vec<StateCondition>> {
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
