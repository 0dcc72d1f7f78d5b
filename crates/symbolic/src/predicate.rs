//! Predicates on states that are learned like relations: whether one of some operators is
//! applicable.

use beeline_factored::{Ranges, System};

use crate::control::Rule;
use crate::group::{Group, groups};
use crate::ldd::{Forest, Position, Set};
use crate::limits::SymbolicError;
use crate::order::LevelOrder;
use crate::variant::Variant;

/// Whether one of some operators is applicable.
#[derive(Debug)]
pub(crate) struct Predicate {
    groups: Vec<Group>,
}

impl Predicate {
    /// A predicate that holds where one of the variants is applicable.
    pub(crate) fn new(
        forest: &mut Forest,
        system: &System,
        view: (&LevelOrder, &Ranges),
        variants: Vec<Variant>,
    ) -> Predicate {
        let rule = Rule { actor: None, target: None, shut_out: None, is_fatal: true };
        let variants = variants.into_iter().map(|variant| (rule, variant)).collect();
        Predicate { groups: groups(forest, system, view, variants) }
    }

    /// The states of a set where it does not hold.
    pub(crate) fn exclude(&mut self, forest: &mut Forest, set: &Set) -> Result<Set, SymbolicError> {
        let mut rest = set.clone();
        for group in &mut self.groups {
            if rest.is_empty() {
                break;
            }
            rest = forest.run(|forest| -> Result<_, SymbolicError> {
                let relation = &mut group.relation;
                relation.learn(forest, rest.id(), Position::START)?;
                let (id, enabled) = (rest.id(), relation.enabled());
                Ok(forest.anti_join_from(id, enabled, &relation.reads, Position::START)?)
            })?;
        }
        Ok(rest)
    }

    /// The states of a set where it holds.
    pub(crate) fn select(&mut self, forest: &mut Forest, set: &Set) -> Result<Set, SymbolicError> {
        let rest = self.exclude(forest, set)?;
        Ok(forest.difference(set, &rest)?)
    }
}
