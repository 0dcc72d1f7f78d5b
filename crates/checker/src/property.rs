//! The properties of a model: what there is to check, by name.
//!
//! All of them are listed, also those that cannot be checked yet: a property
//! that is left out looks like one that holds.

use std::fmt;

use beeline_promela::hir::{Model, ProcessKind};

use crate::written_property::{formula_name, is_written, parse_written};

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
    fn of_kind(kind: PropertyKind) -> Property {
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

/// What a model is checked for when nobody says otherwise.
pub fn properties(model: &Model) -> Vec<Property> {
    let mut found = vec![
        Property::of_kind(PropertyKind::Deadlock),
        Property::of_kind(PropertyKind::Assertions),
    ];
    let is_trace = |kind| matches!(kind, ProcessKind::Trace | ProcessKind::Notrace);
    if model.processes.iter().any(|process| is_trace(process.kind)) {
        found.push(Property::of_kind(PropertyKind::Trace));
    }
    let is_never = |kind| kind == ProcessKind::Never;
    let claims: Vec<_> = model.processes.iter().filter(|claim| is_never(claim.kind)).collect();
    match claims[..] {
        [_] => found.push(Property::of_kind(PropertyKind::Never)),
        _ => found.extend(claims.iter().map(|claim| Property {
            name: claim.name.name.to_string(),
            kind: PropertyKind::Never,
            formula: None,
        })),
    }
    // Labels with a meaning are there to be checked. Beside a never claim, accept labels
    // count as those of the claim do.
    let has_label = |word: &str| {
        let processes = model.processes.iter().filter(|process| !is_never(process.kind));
        processes.flat_map(|process| &process.labels).any(|label| label.name.name.starts_with(word))
    };
    if has_label("progress") {
        found.push(Property::of_kind(PropertyKind::Progress));
    }
    if has_label("accept") && claims.is_empty() {
        found.push(Property::of_kind(PropertyKind::Acceptance));
    }
    let names = model.formulas.iter().map(|formula| formula.name.name.to_string());
    found.extend(names.filter(|name| !is_written(name)).map(|name| Property {
        name: name.clone(),
        kind: PropertyKind::Ltl,
        formula: Some(name),
    }));
    found
}

/// The properties of these names, each once, in the order of the model. No name
/// at all means those of [`properties`].
///
/// # Errors
///
/// When there is no such property.
pub fn select(model: &Model, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
    let usual = properties(model);
    if names.is_empty() {
        return Ok(usual);
    }
    let mut all = usual;
    for kind in [PropertyKind::Progress, PropertyKind::Acceptance] {
        if all.iter().all(|property| property.kind != kind) {
            all.push(Property::of_kind(kind));
        }
    }
    all.extend(names.iter().enumerate().filter_map(|(at, name)| {
        let (kind, _) = parse_written(name)?;
        Some(Property { name: name.clone(), kind, formula: Some(formula_name(at)) })
    }));
    let unknown = names.iter().find(|&name| all.iter().all(|property| property.name != *name));
    if let Some(name) = unknown {
        let known = all.into_iter().map(|property| property.name).collect();
        return Err(UnknownProperty { name: name.clone(), known });
    }
    all.retain(|property| names.contains(&property.name));
    Ok(all)
}
