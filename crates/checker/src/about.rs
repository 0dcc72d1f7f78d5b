//! What a trail is about, as far as someone says: of all that is wrong at its end, they mean this.

use beeline_kernel::FaultKind;
use beeline_promela::hir::Model;

use crate::invariant::number;
use crate::property::{Property, PropertyKind};
use crate::witness::{Round, Violation, Wrong};

/// What is meant. By default, whatever is wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// Only these, if that is known exactly.
    wrong: Option<Wrong>,
    /// Or rather one of these than another one.
    kinds: Vec<PropertyKind>,
    invariants: Vec<usize>,
    /// These formulas, by their numbers, are asked before others.
    pub(crate) formulas: Vec<usize>,
}

impl About {
    /// One of these properties; if there are none, anything.
    pub(crate) fn properties(model: &Model, properties: &[Property]) -> About {
        let names = || properties.iter().filter_map(|property| property.formula.as_deref());
        About {
            wrong: None,
            kinds: properties.iter().map(|property| property.kind).collect(),
            invariants: names().filter_map(|name| number(model, name)).collect(),
            formulas: names().filter_map(|name| model.formula(name)).collect(),
        }
    }

    /// What a check has found, which violates the formula of this name, if it is about one.
    pub(crate) fn violation(model: &Model, violation: &Violation, formula: Option<&str>) -> About {
        // A check counts the invariants that it is about, a story those of the model.
        let wrong = match (violation.wrong, formula) {
            (Wrong::Broken(own), Some(formula)) => {
                Wrong::Broken(number(model, formula).map_or(own, |number| number as u32))
            }
            (wrong, _) => wrong,
        };
        let formulas = formula.and_then(|name| model.formula(name)).into_iter().collect();
        let is_idle = wrong == Wrong::Cycle(Round::NonProgress);
        let kinds = if is_idle { vec![PropertyKind::Progress] } else { Vec::new() };
        About { wrong: Some(wrong), kinds, invariants: Vec::new(), formulas }
    }

    /// Whether a cycle without progress counts, though nothing is called progress.
    pub(crate) fn wants_progress(&self) -> bool {
        self.kinds.contains(&PropertyKind::Progress)
    }

    /// Of what is wrong, with what there is to say about it, that which is meant.
    pub(crate) fn choose<T>(
        &self,
        mut all: impl Iterator<Item = (Wrong, T)>,
    ) -> Option<(Wrong, T)> {
        if let Some(about) = self.wrong {
            return all.find(|(wrong, _)| *wrong == about);
        }
        let mut all: Vec<(Wrong, T)> =
            if self.kinds.is_empty() { all.take(1).collect() } else { all.collect() };
        let meant = all.iter().position(|(wrong, _)| self.means(*wrong)).unwrap_or(0);
        (meant < all.len()).then(|| all.swap_remove(meant))
    }

    fn means(&self, wrong: Wrong) -> bool {
        self.kinds.iter().any(|kind| match wrong {
            Wrong::InvalidEnd => *kind == PropertyKind::Deadlock,
            Wrong::Fault(FaultKind::Trace) => *kind == PropertyKind::Trace,
            Wrong::Fault(FaultKind::Claim) => *kind == PropertyKind::Never,
            Wrong::Fault(_) => *kind == PropertyKind::Assertions,
            Wrong::Broken(number) => self.invariants.contains(&(number as usize)),
            Wrong::Formula | Wrong::Cycle(Round::Formula) => *kind == PropertyKind::Ltl,
            Wrong::Cycle(Round::NonProgress) => *kind == PropertyKind::Progress,
            Wrong::Cycle(Round::Acceptance) => {
                matches!(kind, PropertyKind::Acceptance | PropertyKind::Never)
            }
        })
    }
}
