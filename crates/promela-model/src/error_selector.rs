//! Selects one of several errors at the end of a trail.

use beeline_kernel::FaultKind;
use beeline_model::{CycleError, ErrorKind, Property, PropertyKind, Subject, Violation};
use beeline_promela::hir::Model;

use crate::invariant::number;
use crate::property::faults;

/// The selected errors; any error by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorSelector {
    /// This error only, if it is known.
    error: Option<ErrorKind>,
    /// Kinds of properties that have priority.
    kinds: Vec<PropertyKind>,
    invariants: Vec<usize>,
    /// Formulas, by number, that have priority.
    pub(crate) formulas: Vec<usize>,
}

impl ErrorSelector {
    /// What a story is about.
    pub(crate) fn of(model: &Model, subject: Subject<'_>) -> ErrorSelector {
        match subject {
            Subject::Properties(properties) => ErrorSelector::properties(model, properties),
            Subject::Violation(violation, property) => {
                let formula = property.and_then(|property| property.formula.as_deref());
                ErrorSelector::violation(model, violation, formula)
            }
        }
    }

    /// One of these properties; if there are none, anything.
    fn properties(model: &Model, properties: &[Property]) -> ErrorSelector {
        let names = || properties.iter().filter_map(|property| property.formula.as_deref());
        ErrorSelector {
            error: None,
            kinds: properties.iter().map(|property| property.kind).collect(),
            invariants: names().filter_map(|name| number(model, name)).collect(),
            formulas: names().filter_map(|name| model.formula(name)).collect(),
        }
    }

    /// What a check has found, which violates the formula of this name, if it is about one.
    fn violation(model: &Model, violation: &Violation, formula: Option<&str>) -> ErrorSelector {
        // A check counts the invariants that it is about, a story those of the model.
        let error = match (violation.error, formula) {
            (ErrorKind::Invariant(own), Some(formula)) => {
                ErrorKind::Invariant(number(model, formula).map_or(own, |number| number as u32))
            }
            (error, _) => error,
        };
        let formulas = formula.and_then(|name| model.formula(name)).into_iter().collect();
        let is_idle = error == ErrorKind::Cycle(CycleError::NonProgress);
        let kinds = if is_idle { vec![PropertyKind::Progress] } else { Vec::new() };
        ErrorSelector { error: Some(error), kinds, invariants: Vec::new(), formulas }
    }

    /// Whether non-progress cycles count even without progress labels.
    pub(crate) fn wants_progress(&self) -> bool {
        self.kinds.contains(&PropertyKind::Progress)
    }

    /// Whether the story is about an overflow, which a machine examines on request only.
    pub(crate) fn wants_overflow(&self) -> bool {
        self.error == Some(ErrorKind::Fault(FaultKind::Overflow))
            || self.kinds == [PropertyKind::Overflow]
    }

    /// The selected error, with its detail.
    pub(crate) fn choose<T>(
        &self,
        mut all: impl Iterator<Item = (ErrorKind, T)>,
    ) -> Option<(ErrorKind, T)> {
        if let Some(selector) = self.error {
            return all.find(|(error, _)| *error == selector);
        }
        let mut all: Vec<(ErrorKind, T)> =
            if self.kinds.is_empty() { all.take(1).collect() } else { all.collect() };
        let meant = all.iter().position(|(error, _)| self.means(*error)).unwrap_or(0);
        (meant < all.len()).then(|| all.swap_remove(meant))
    }

    fn means(&self, error: ErrorKind) -> bool {
        self.kinds.iter().any(|kind| match error {
            ErrorKind::InvalidEnd => *kind == PropertyKind::Deadlock,
            ErrorKind::Fault(FaultKind::Claim) => *kind == PropertyKind::Never,
            ErrorKind::Fault(fault) => faults(*kind).is_some_and(|faults| faults.contains(fault)),
            ErrorKind::ErrorState
            | ErrorKind::Reached
            | ErrorKind::Unreachable
            | ErrorKind::RunFound
            | ErrorKind::NoRun => false,
            ErrorKind::Invariant(number) => self.invariants.contains(&(number as usize)),
            ErrorKind::Formula | ErrorKind::Cycle(CycleError::Formula) => {
                *kind == PropertyKind::Ltl
            }
            ErrorKind::BranchingFormula => kind.is_branching(),
            ErrorKind::Cycle(CycleError::NonProgress) => *kind == PropertyKind::Progress,
            ErrorKind::Cycle(CycleError::Acceptance) => {
                matches!(kind, PropertyKind::Acceptance | PropertyKind::Never)
            }
        })
    }
}
