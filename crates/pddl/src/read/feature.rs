//! Features of the language that requirements stand for.

/// A feature of the language that a requirement stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Feature {
    Typing,
    NegativePreconditions,
    DisjunctivePreconditions,
    Equality,
    ExistentialPreconditions,
    UniversalPreconditions,
    ConditionalEffects,
    DerivedPredicates,
    NumericFluents,
    ActionCosts,
}

impl Feature {
    /// All features.
    pub(super) const ALL: [Feature; 10] = [
        Feature::Typing,
        Feature::NegativePreconditions,
        Feature::DisjunctivePreconditions,
        Feature::Equality,
        Feature::ExistentialPreconditions,
        Feature::UniversalPreconditions,
        Feature::ConditionalEffects,
        Feature::DerivedPredicates,
        Feature::NumericFluents,
        Feature::ActionCosts,
    ];

    /// The name of its requirement.
    pub(super) fn requirement(self) -> &'static str {
        match self {
            Feature::Typing => ":typing",
            Feature::NegativePreconditions => ":negative-preconditions",
            Feature::DisjunctivePreconditions => ":disjunctive-preconditions",
            Feature::Equality => ":equality",
            Feature::ExistentialPreconditions => ":existential-preconditions",
            Feature::UniversalPreconditions => ":universal-preconditions",
            Feature::ConditionalEffects => ":conditional-effects",
            Feature::DerivedPredicates => ":derived-predicates",
            Feature::NumericFluents => ":numeric-fluents",
            Feature::ActionCosts => ":action-costs",
        }
    }
}
