//! The properties of a Promela model.
//!
//! All are listed, even those that cannot be checked yet: an omitted property looks like one that
//! holds.

use beeline_model::{Property, PropertyKind, UnknownProperty};
use beeline_promela::hir::{Model, ProcessKind};

use crate::written_property::{formula_name, is_written, parse_written};

/// The properties that are checked by default.
pub(crate) fn properties(model: &Model) -> Vec<Property> {
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
    // Progress and accept labels ask for a check. Beside a never claim, accept labels count like
    // those of the claim.
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
pub(crate) fn select(model: &Model, names: &[String]) -> Result<Vec<Property>, UnknownProperty> {
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
    UnknownProperty::select(all, names)
}
