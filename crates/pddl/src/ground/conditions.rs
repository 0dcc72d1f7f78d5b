//! Conditions without variables: quantifiers are expanded, facts that never change are decided,
//! and what is left becomes conjunctions.

use crate::task::ObjectId;

use super::ground_task::Literal;

/// A condition without variables.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GroundCondition {
    True,
    False,
    Literal(Literal),
    And(Vec<GroundCondition>),
    Or(Vec<GroundCondition>),
}

/// The most conjunctions that a condition is split into; beyond it, a part gets a name.
pub(super) const MOST_SPLIT: usize = 32;

impl GroundCondition {
    /// A conjunction, simplified.
    pub(super) fn and(parts: impl IntoIterator<Item = GroundCondition>) -> GroundCondition {
        let mut all = Vec::new();
        for part in parts {
            match part {
                GroundCondition::True => {}
                GroundCondition::False => return GroundCondition::False,
                GroundCondition::And(more) => all.extend(more),
                other if all.contains(&other) && all.len() < 16 => {}
                other => all.push(other),
            }
        }
        match all.len() {
            0 => GroundCondition::True,
            1 => all.pop().expect("there is one"),
            _ => GroundCondition::And(all),
        }
    }

    /// A disjunction, simplified.
    pub(super) fn or(parts: impl IntoIterator<Item = GroundCondition>) -> GroundCondition {
        let mut all = Vec::new();
        for part in parts {
            match part {
                GroundCondition::False => {}
                GroundCondition::True => return GroundCondition::True,
                GroundCondition::Or(more) => all.extend(more),
                other if all.contains(&other) && all.len() < 16 => {}
                other => all.push(other),
            }
        }
        match all.len() {
            0 => GroundCondition::False,
            1 => all.pop().expect("there is one"),
            _ => GroundCondition::Or(all),
        }
    }

    /// Whether it has a fact that is decided.
    pub(super) fn has(&self, is_decided: &impl Fn(u32) -> bool) -> bool {
        match self {
            GroundCondition::Literal(Literal::Fact(fact, _)) => is_decided(*fact),
            GroundCondition::And(all) | GroundCondition::Or(all) => {
                all.iter().any(|one| one.has(is_decided))
            }
            _ => false,
        }
    }

    /// The condition with some facts decided.
    pub(super) fn decided(&self, decide: &impl Fn(u32) -> Option<bool>) -> GroundCondition {
        match self {
            GroundCondition::True | GroundCondition::False => self.clone(),
            GroundCondition::Literal(Literal::Fact(fact, is_positive)) => match decide(*fact) {
                Some(value) if value == *is_positive => GroundCondition::True,
                Some(_) => GroundCondition::False,
                None => self.clone(),
            },
            GroundCondition::Literal(Literal::Compare(..)) => self.clone(),
            GroundCondition::And(all) => {
                GroundCondition::and(all.iter().map(|one| one.decided(decide)))
            }
            GroundCondition::Or(all) => {
                GroundCondition::or(all.iter().map(|one| one.decided(decide)))
            }
        }
    }

    /// The conjunctions of which one must hold. Parts that would be too many are replaced by a
    /// literal that `named` makes of them.
    pub(super) fn conjunctions(
        &self,
        named: &mut impl FnMut(&GroundCondition) -> Literal,
    ) -> Vec<Vec<Literal>> {
        match self {
            GroundCondition::True => vec![Vec::new()],
            GroundCondition::False => Vec::new(),
            GroundCondition::Literal(literal) => vec![vec![*literal]],
            GroundCondition::Or(all) => {
                let mut found = Vec::new();
                for one in all {
                    found.extend(one.conjunctions(named));
                }
                if found.len() > MOST_SPLIT { vec![vec![named(self)]] } else { found }
            }
            GroundCondition::And(all) => {
                let (mut literals, mut product) = (Vec::new(), vec![Vec::new()]);
                for one in all {
                    if let GroundCondition::Literal(literal) = one {
                        literals.push(*literal);
                        continue;
                    }
                    let each = one.conjunctions(named);
                    if product.len() * each.len() > MOST_SPLIT {
                        literals.push(named(one));
                        continue;
                    }
                    let joined = product
                        .iter()
                        .flat_map(|left| each.iter().map(|right| [&left[..], &right[..]].concat()));
                    product = joined.collect();
                }
                for one in &mut product {
                    one.extend_from_slice(&literals);
                    one.sort_unstable();
                    one.dedup();
                }
                product.retain(|one| !is_contradiction(one));
                product
            }
        }
    }
}

/// Whether a sorted conjunction has a literal and its negation.
fn is_contradiction(literals: &[Literal]) -> bool {
    literals.windows(2).any(|pair| match (pair[0], pair[1]) {
        (Literal::Fact(a, _), Literal::Fact(b, _)) => a == b,
        (Literal::Compare(a, _), Literal::Compare(b, _)) => a == b,
        _ => false,
    })
}

/// The values of the variables of a schema.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) values: Vec<Option<ObjectId>>,
}
