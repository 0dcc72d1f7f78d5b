//! What Beeline accepts and SPIN refuses: `hidden` on variables of processes, arrays inside a
//! parameter of a process, some lists of initial values, and formulas of branching time.

use super::facts::Facts;
use super::types::flatten;
use super::walk::statements;
use crate::hir::{
    BranchingFormula, DeclaredValue, Expr, ExprKind, Init, Model, StmtKind, Type, Variable,
    Visibility,
};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let model = facts.model;
    let own = model.branching.iter().filter(|formula| is_in_model(facts, formula));
    found.extend(own.map(branching));
    for process in &model.processes {
        for (at, local) in process.locals.iter().enumerate() {
            if local.visibility == Some(Visibility::Hidden) {
                found.push(hidden(local));
            }
            if at < process.params as usize && has_array(model, local.ty) {
                found.push(array_in(local));
            }
        }
    }
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        if let Init::List(values) = &variable.init {
            found.extend(values.iter().find(|value| is_computed(value)).map(computed));
        }
    }
    statements(model, |stmt, place| {
        if let StmtKind::Declare { var, value: Some(DeclaredValue::List(_)) } = &stmt.kind {
            found.push(late(&place.process.locals[var.index()]));
        }
    });
}

/// Whether a formula is in the model: those of the command line and of a `.props` file are not.
fn is_in_model(facts: &Facts<'_>, formula: &BranchingFormula) -> bool {
    let span = facts.sources.outermost(formula.name.span);
    let place = facts.sources.location(span).file;
    !formula.name.name.starts_with("__property_") && !place.ends_with(".props")
}

fn branching(formula: &BranchingFormula) -> Diagnostic {
    let language = formula.language.text();
    Diagnostic::warning(
        "branching-formula",
        formula.name.span,
        format!("SPIN does not read `{language}` formulas"),
    )
    .label("a formula of branching time, an extension")
    .help("move it to a file beside the model with the extension `props`, or to the command line")
}

fn hidden(variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    Diagnostic::warning(
        "hidden-local",
        name.span,
        format!("SPIN refuses `hidden` for `{}`, a variable of a process", name.name),
    )
    .label("has no effect here: the variable stays part of the state")
    .help("remove `hidden`, or declare the variable outside the process")
}

fn array_in(parameter: &Variable) -> Diagnostic {
    let name = &parameter.name;
    Diagnostic::warning(
        "array-in-parameter",
        name.span,
        format!("SPIN refuses the parameter `{}`: its type contains an array", name.name),
    )
    .label("all elements are passed by value")
    .help("pass the structure through a channel, or make it global")
}

fn computed(value: &Expr) -> Diagnostic {
    let message = "SPIN accepts only numbers and names in a list of initial values";
    Diagnostic::warning("initial-list", value.span, message)
        .label("an expression")
        .help("write its value, or assign it in a statement")
}

fn late(variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    let message = "SPIN accepts a list of initial values only before the first statement";
    Diagnostic::warning("initial-list", name.span, message)
        .label("assigned whenever the declaration is executed")
        .help("move the declaration to the beginning of the process, or assign the elements")
}

fn has_array(model: &Model, ty: Type) -> bool {
    let Type::Struct(id) = ty else { return false };
    let fields = &model.structs[id.index()].fields;
    // Structures of astronomical size are refused elsewhere.
    flatten(model, ty, &mut Vec::new()).is_some()
        && fields.iter().any(|field| field.length.is_some() || has_array(model, field.ty))
}

/// Whether an element is neither a number nor a symbol.
fn is_computed(value: &Expr) -> bool {
    !matches!(value.kind, ExprKind::Const(0..) | ExprKind::Mtype { .. })
}
