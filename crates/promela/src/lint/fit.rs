//! Values that never fit into their variable: `byte x = 300` stores 44 and `byte owner = -1` stores
//! 255, without an error at run time, and a later `owner == -1` is never true. An assignment always
//! overflows if no value that the types allow fits: `x = y + 256`.

use super::facts::Facts;
use super::intervals::interval;
use super::types::{constant, flatten, message, name, of_access, range, smallest, truncate};
use super::walk::{expressions, statements};
use crate::hir::{DeclaredValue, Expr, ExprKind, Init, Process, RecvArg, StmtKind, Type, Variable};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let model = facts.model;
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        let values = match &variable.init {
            Init::Value(value) => std::slice::from_ref(value),
            Init::List(values) => values,
            Init::Zero | Init::Channel(_) => continue,
        };
        values.iter().for_each(|value| stored(variable.ty, value, Some(variable), found));
    }
    statements(model, |stmt, place| {
        let process = Some(place.process);
        match &stmt.kind {
            StmtKind::Declare { var, value } => {
                let variable = &place.process.locals[var.index()];
                let values = match value {
                    Some(DeclaredValue::Value(value)) => std::slice::from_ref(value),
                    Some(DeclaredValue::List(values)) => values,
                    None => return,
                };
                values.iter().for_each(|value| stored(variable.ty, value, Some(variable), found));
            }
            StmtKind::Assign { target, value } => {
                if let Some(ty) = of_access(model, process, target) {
                    let variable = facts.variable(target.root, process);
                    stored(ty, value, variable, found);
                    computed(facts, process, ty, value, variable, found);
                }
            }
            StmtKind::Send { channel, args, .. } => {
                let types = message(model, process, channel).unwrap_or_default();
                for (&ty, value) in types.iter().zip(args) {
                    stored(ty, value, facts.variable(channel.root, process), found);
                }
            }
            StmtKind::Receive { channel, args, .. } => {
                let types = message(model, process, channel).unwrap_or_default();
                let channel = facts.variable(channel.root, process);
                for (&ty, arg) in types.iter().zip(args) {
                    if let RecvArg::Match(value) | RecvArg::Eval(value) = arg {
                        matched(ty, value, channel, found);
                    }
                }
            }
            _ => {}
        }
    });
    expressions(model, |expr, _| {
        if let ExprKind::Run { process, args, .. } = &expr.kind {
            arguments(facts, model.process(*process), args, found);
        }
    });
}

fn arguments(facts: &Facts<'_>, process: &Process, args: &[Expr], found: &mut Vec<Diagnostic>) {
    let mut args = args.iter();
    for param in process.locals.iter().take(process.params as usize) {
        let mut types = Vec::new();
        if flatten(facts.model, param.ty, &mut types).is_none() {
            return;
        }
        for (ty, value) in types.into_iter().zip(&mut args) {
            stored(ty, value, Some(param), found);
        }
    }
}

fn misfit(ty: Type, value: &Expr) -> Option<(i64, i64, i64)> {
    let (least, most) = range(ty)?;
    let value = constant(value)?;
    (!(least..=most).contains(&value)).then_some((value, least, most))
}

fn stored(ty: Type, value: &Expr, variable: Option<&Variable>, found: &mut Vec<Diagnostic>) {
    let Some((number, least, most)) = misfit(ty, value) else {
        return;
    };
    let kept = truncate(ty, number);
    let mut diagnostic = Diagnostic::warning(
        "value-out-of-range",
        value.span,
        format!("{number} does not fit into {}", name(ty)),
    )
    .label(format!("stored as {kept}"))
    .note(format!("{} holds {least} to {most}", name(ty)));
    if let Some(variable) = variable {
        diagnostic = diagnostic.related(variable.name.span, "declared here");
    }
    let larger = smallest(number);
    found.push(diagnostic.help(format!("use a larger type, such as `{larger}`, or another value")));
}

/// An assignment whose values are not constant, and all out of range.
fn computed(
    facts: &Facts<'_>,
    process: Option<&Process>,
    ty: Type,
    value: &Expr,
    variable: Option<&Variable>,
    found: &mut Vec<Diagnostic>,
) {
    let (Some((least, most)), None) = (range(ty), constant(value)) else { return };
    let Some((from, to)) = interval(facts.model, process, value) else { return };
    if from <= most && to >= least {
        return;
    }
    let text = facts.sources.text(value.span);
    let bound = if from > most { format!("at least {from}") } else { format!("at most {to}") };
    let mut diagnostic = Diagnostic::warning(
        "always-overflows",
        value.span,
        format!("`{text}` never fits into {}", name(ty)),
    )
    .label(bound)
    .note(format!("{} holds {least} to {most}", name(ty)));
    if let Some(variable) = variable {
        diagnostic = diagnostic.related(variable.name.span, "declared here");
    }
    let larger = smallest(if from > most { to } else { from });
    found.push(diagnostic.help(format!("use a larger type, such as `{larger}`")));
}

fn matched(ty: Type, value: &Expr, channel: Option<&Variable>, found: &mut Vec<Diagnostic>) {
    let Some((number, least, most)) = misfit(ty, value) else {
        return;
    };
    let mut diagnostic = Diagnostic::warning(
        "value-out-of-range",
        value.span,
        format!("no message has {number} here"),
    )
    .label("this receive is never possible")
    .note(format!("the field is {}, which holds {least} to {most}", name(ty)));
    if let Some(channel) = channel {
        diagnostic = diagnostic.related(channel.name.span, "the channel");
    }
    found.push(diagnostic.help("match another value, or give the channel a larger type"));
}
