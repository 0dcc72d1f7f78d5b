//! The positions of `run`: it is a statement of its own, or the whole right side of an assignment.
//!
//! It starts a process, so it cannot occur where an expression must have no effect.

use crate::hir::{Expr, ExprKind, Init, Model, Stmt, StmtKind, Variable};
use beeline_source::diagnostic::Diagnostic;

/// The error for a `run` at a wrong position.
struct Misplaced {
    code: &'static str,
    message: &'static str,
    help: &'static str,
}

const IN_EXPRESSION: Misplaced = Misplaced {
    code: "run-in-expression",
    message: "`run` cannot be part of a larger expression",
    help: "write it as a statement of its own, or as `x = run P()`",
};

const IN_MESSAGE: Misplaced = Misplaced {
    code: "run-in-message",
    message: "`run` cannot be part of a message",
    help: "store the process number first: `x = run P(); q!x`",
};

const IN_INITIALISER: Misplaced = Misplaced {
    code: "run-in-initialiser",
    message: "`run` cannot initialise a variable",
    help: "declare the variable first and assign in a statement of its own",
};

/// The errors for each `run` at a wrong position.
pub(super) fn misplaced_runs(model: &Model) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        initialiser(variable, &mut found);
    }
    for process in &model.processes {
        process.provided.iter().for_each(|provided| expression(provided, &mut found));
        for stmt in &process.body {
            stmt.visit(&mut |stmt| statement(stmt, &mut found));
        }
    }
    model.formula_exprs().for_each(|formula| expression(formula, &mut found));
    found
}

fn initialiser(variable: &Variable, found: &mut Vec<Diagnostic>) {
    match &variable.init {
        Init::Value(value) => look(value, &IN_INITIALISER, found),
        Init::List(values) => {
            values.iter().for_each(|value| look(value, &IN_INITIALISER, found));
        }
        Init::Zero | Init::Channel(_) => {}
    }
}

fn statement(stmt: &Stmt, found: &mut Vec<Diagnostic>) {
    match &stmt.kind {
        StmtKind::Guard(Expr { kind: ExprKind::Run { args, .. }, .. }) => {
            args.iter().for_each(|arg| expression(arg, found));
        }
        StmtKind::Assign { target, value: Expr { kind: ExprKind::Run { args, .. }, .. } } => {
            target.visit(&mut |index| note(index, &IN_EXPRESSION, found));
            args.iter().for_each(|arg| expression(arg, found));
        }
        StmtKind::Send { .. } => stmt.visit_own_exprs(&mut |part| note(part, &IN_MESSAGE, found)),
        StmtKind::Declare { .. } => {
            stmt.visit_own_exprs(&mut |part| note(part, &IN_INITIALISER, found));
        }
        _ => stmt.visit_own_exprs(&mut |part| note(part, &IN_EXPRESSION, found)),
    }
}

fn expression(expr: &Expr, found: &mut Vec<Diagnostic>) {
    look(expr, &IN_EXPRESSION, found);
}

fn look(expr: &Expr, place: &Misplaced, found: &mut Vec<Diagnostic>) {
    expr.visit(&mut |part| note(part, place, found));
}

/// Records an expression that is a `run`.
fn note(part: &Expr, place: &Misplaced, found: &mut Vec<Diagnostic>) {
    if matches!(part.kind, ExprKind::Run { .. }) {
        let told = Diagnostic::error(place.code, part.span, place.message);
        found.push(told.label("starts a process").help(place.help));
    }
}
