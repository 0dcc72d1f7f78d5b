//! The properties of a model: what there is to check, by name.
//!
//! All of them are listed, also those that cannot be checked yet: a property
//! that is left out looks like one that holds.

use std::fmt;

/// What kind of property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Nobody gets stuck where resting is not allowed.
    Deadlock,
    /// No assertion fails, and neither does any other statement.
    Assertions,
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
    /// Something that must be true in every state.
    Invariant,
}

impl PropertyKind {
    /// The kind as one word.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::Assertions => "assertions",
            PropertyKind::Trace => "trace",
            PropertyKind::Never => "never",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Progress => "progress",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Invariant => "invariant",
        }
    }

    /// Whether looking at every state once settles it.
    pub fn is_safety(self) -> bool {
        matches!(self, PropertyKind::Deadlock | PropertyKind::Assertions | PropertyKind::Trace)
    }
}

/// A property of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, unique in the model.
    pub name: String,
    /// What it is.
    pub kind: PropertyKind,
    /// The formula that states it.
    pub formula: Option<String>,
}

impl Property {
    /// The property of a kind that there is one of.
    pub fn of_kind(kind: PropertyKind) -> Property {
        Property { name: kind.name().to_owned(), kind, formula: None }
    }
}

/// Someone asked for a property that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownProperty { name, known } = self;
        write!(f, "the model has no property `{name}`; there are: {}", known.join(", "))
    }
}

impl std::error::Error for UnknownProperty {}

impl UnknownProperty {
    /// Those of `all` that have these names, in order; all of them if there are no names.
    ///
    /// # Errors
    ///
    /// When there is no property of a name.
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
