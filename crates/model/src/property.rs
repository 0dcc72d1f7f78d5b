//! The properties of a model, by name.
//!
//! All are listed, even those that cannot be checked yet: an omitted property looks like one that
//! holds.

use std::fmt;

use beeline_source::diagnostic::known_names;

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Absence of invalid end states.
    Deadlock,
    /// No assertion fails.
    Assertions,
    /// No step has a run-time error: an index out of bounds, a division by zero and the like.
    RuntimeErrors,
    /// No value is stored that does not fit in the type of its variable.
    Overflow,
    /// The trace or notrace assertion.
    Trace,
    /// A never claim.
    Never,
    /// An `ltl` formula.
    Ltl,
    /// Every cycle passes a progress label.
    Progress,
    /// No cycle passes an accept label.
    Acceptance,
    /// A condition on every reachable state.
    Invariant,
    /// A condition on some reachable state: the property holds if there is one.
    Reachability,
    /// A condition on all states of some maximal run: the property holds if there is one.
    PotentiallyAlways,
    /// A query of another kind, which may not be supported.
    Query,
    /// A formula of CTL or CTL*.
    Ctl,
    /// A formula of the mu-calculus.
    Mu,
}

impl PropertyKind {
    /// The kind as one word.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Assertions => "assertions",
            PropertyKind::RuntimeErrors => "runtime-errors",
            PropertyKind::Overflow => "overflow",
            PropertyKind::Trace => "trace",
            PropertyKind::Never => "never",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Progress => "progress",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Reachability => "reachability",
            PropertyKind::PotentiallyAlways => "potentially-always",
            PropertyKind::Query => "query",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Mu => "mu",
        }
    }

    /// Whether it is absence of deadlocks or of faults, or a trace assertion. Invariants are not
    /// included.
    pub fn is_safety(self) -> bool {
        match self {
            PropertyKind::Deadlock
            | PropertyKind::Assertions
            | PropertyKind::RuntimeErrors
            | PropertyKind::Overflow
            | PropertyKind::Trace => true,
            PropertyKind::Never
            | PropertyKind::Ltl
            | PropertyKind::Progress
            | PropertyKind::Acceptance
            | PropertyKind::Invariant
            | PropertyKind::Reachability
            | PropertyKind::PotentiallyAlways
            | PropertyKind::Query
            | PropertyKind::Ctl
            | PropertyKind::Mu => false,
        }
    }

    /// Whether it holds if something is found: a state or a run that it asks for.
    pub fn asks_for_witness(self) -> bool {
        matches!(self, PropertyKind::Reachability | PropertyKind::PotentiallyAlways)
    }

    /// Whether it is a formula of branching time, which is about all paths together.
    pub fn is_branching(self) -> bool {
        matches!(self, PropertyKind::Ctl | PropertyKind::Mu)
    }
}

/// A property of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, unique in the model.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// The formula that states it.
    pub formula: Option<String>,
}

impl Property {
    /// The property of a kind of which a model has only one.
    pub fn of_kind(kind: PropertyKind) -> Property {
        Property { name: kind.name().to_owned(), kind, formula: None }
    }
}

/// A request for a property that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty {
    /// The requested name.
    pub name: String,
    /// The existing names.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownProperty { name, known } = self;
        write!(f, "the model has no property `{name}`{}", known_names(name, known))
    }
}

impl std::error::Error for UnknownProperty {}

impl UnknownProperty {
    /// The properties of `all` with these names, in order; all of them if `names` is empty.
    ///
    /// # Errors
    ///
    /// When a name matches no property.
    pub fn select(
        mut all: Vec<Property>,
        names: &[String],
    ) -> Result<Vec<Property>, UnknownProperty> {
        let unknown = names.iter().find(|&name| all.iter().all(|property| property.name != *name));
        if let Some(name) = unknown {
            let known = all.into_iter().map(|property| property.name).collect();
            return Err(UnknownProperty { name: name.clone(), known });
        }
        if !names.is_empty() {
            all.retain(|property| names.contains(&property.name));
        }
        Ok(all)
    }
}
