//! The properties of a Promela model.
//!
//! All are listed, even those that cannot be checked yet: an omitted property looks like one that
//! holds.

use beeline_kernel::{FaultKind, Faults};
use beeline_model::{Property, PropertyKind, UnknownProperty};
use beeline_promela::hir::branching::BranchingLanguage;
use beeline_promela::hir::{Model, ProcessKind, StmtKind};

use crate::written_property::{formula_name, is_written, parse_written};

/// The properties that are checked by default.
pub(crate) fn properties(model: &Model) -> Vec<Property> {
    let mut found = vec![Property::of_kind(PropertyKind::Deadlock)];
    if has_assertions(model) {
        found.push(Property::of_kind(PropertyKind::Assertions));
    }
    found.push(Property::of_kind(PropertyKind::RuntimeErrors));
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
    let branching = model.branching.iter().filter(|formula| !is_written(&formula.name.name));
    found.extend(branching.map(|formula| Property {
        name: formula.name.name.to_string(),
        kind: kind_of(formula.language),
        formula: Some(formula.name.name.to_string()),
    }));
    found
}

/// The kind of the properties of a language.
fn kind_of(language: BranchingLanguage) -> PropertyKind {
    match language {
        BranchingLanguage::Ctl => PropertyKind::Ctl,
        BranchingLanguage::Mu => PropertyKind::Mu,
    }
}

/// The properties that every model has if they are asked for by name.
const BY_NAME: [PropertyKind; 4] = [
    PropertyKind::Assertions,
    PropertyKind::Overflow,
    PropertyKind::Progress,
    PropertyKind::Acceptance,
];

/// Whether a process asserts something: `assert`, `xr` or `xs`.
fn has_assertions(model: &Model) -> bool {
    let is_claim = |kind| !matches!(kind, ProcessKind::Proctype | ProcessKind::Init);
    let mut statements = model.processes.iter().filter(|process| !is_claim(process.kind));
    let mut found = !model.exclusives.is_empty();
    statements.by_ref().flat_map(|process| &process.body).for_each(|statement| {
        statement.visit(&mut |part| found |= matches!(part.kind, StmtKind::Assert(_)));
    });
    found
}

/// The faults that violate a property; `None` if it is not about faults.
pub(crate) fn faults(kind: PropertyKind) -> Option<Faults> {
    const ASSERTIONS: &[FaultKind] = &[FaultKind::Assertion, FaultKind::Exclusive];
    const OTHERS: &[FaultKind] = &[
        FaultKind::Assertion,
        FaultKind::Exclusive,
        FaultKind::Trace,
        FaultKind::Claim,
        FaultKind::Overflow,
    ];
    Some(match kind {
        PropertyKind::Assertions => Faults::of(ASSERTIONS),
        PropertyKind::RuntimeErrors => Faults::all_but(OTHERS),
        PropertyKind::Overflow => Faults::of(&[FaultKind::Overflow]),
        PropertyKind::Trace => Faults::of(&[FaultKind::Trace]),
        _ => return None,
    })
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
    for kind in BY_NAME {
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
