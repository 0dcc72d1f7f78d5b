//! The languages of formulas.

/// The language of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormulaLanguage {
    Ltl,
    Ctl,
    Mu,
}

impl FormulaLanguage {
    /// Whether `[]`, `<>`, `X`, `U`, `W` and `V` are operators.
    pub(super) fn has_temporal_operators(self) -> bool {
        self != FormulaLanguage::Mu
    }
}
