//! Statements with their context.

use crate::hir::{Expr, Init, Model, Process, Stmt, StmtKind, Variable};

/// The atomic sequence that contains a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// No atomic sequence.
    None,
    /// An `atomic`.
    Atomic,
    /// A `d_step`.
    DStep,
}

/// The context of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The process.
    pub(super) process: &'a Process,
    /// The innermost group around it.
    pub(super) group: Group,
    /// Whether the statement is the first of its option, escape, group or process, where blocking
    /// is expected.
    pub(super) entry: bool,
}

/// Calls `visit` on every statement of the model, outer ones first.
pub(super) fn statements<'a>(model: &'a Model, mut visit: impl FnMut(&'a Stmt, Place<'a>)) {
    for process in &model.processes {
        let place = Place { process, group: Group::None, entry: true };
        sequence(&process.body, place, &mut visit);
    }
}

fn sequence<'a>(steps: &'a [Stmt], place: Place<'a>, visit: &mut impl FnMut(&'a Stmt, Place<'a>)) {
    let mut entry = place.entry;
    for step in steps {
        statement(step, Place { entry, ..place }, visit);
        entry &= matches!(step.kind, StmtKind::Declare { .. });
    }
}

fn statement<'a>(stmt: &'a Stmt, place: Place<'a>, visit: &mut impl FnMut(&'a Stmt, Place<'a>)) {
    visit(stmt, place);
    let fresh = Place { entry: true, ..place };
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => statement(stmt, place, visit),
        StmtKind::Unless { body, escape } => {
            statement(body, place, visit);
            statement(escape, fresh, visit);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| sequence(option, fresh, visit));
        }
        StmtKind::For { body, .. } => sequence(body, fresh, visit),
        StmtKind::Block(body) => sequence(body, place, visit),
        StmtKind::Atomic(body) => {
            // An `atomic` inside a `d_step` is part of the `d_step`.
            let group = if place.group == Group::DStep { place.group } else { Group::Atomic };
            sequence(body, Place { group, ..fresh }, visit);
        }
        StmtKind::DStep(body) => sequence(body, Place { group: Group::DStep, ..fresh }, visit),
        _ => {}
    }
}

/// Calls `visit` on every expression of the model, with the process that contains it, if any.
pub(super) fn expressions<'a>(model: &'a Model, mut visit: impl FnMut(&Expr, Option<&'a Process>)) {
    for variable in &model.globals {
        initial(variable, &mut |expr| visit(expr, None));
    }
    for process in &model.processes {
        let mut inside = |expr: &Expr| visit(expr, Some(process));
        process.locals.iter().for_each(|local| initial(local, &mut inside));
        if let Some(provided) = &process.provided {
            provided.visit(&mut inside);
        }
        process.body.iter().for_each(|stmt| stmt.visit_exprs(&mut inside));
    }
    for formula in model.formula_exprs() {
        formula.visit(&mut |expr| visit(expr, None));
    }
}

fn initial(variable: &Variable, visit: &mut impl FnMut(&Expr)) {
    match &variable.init {
        Init::Value(value) => value.visit(visit),
        Init::List(values) => values.iter().for_each(|value| value.visit(visit)),
        Init::Zero | Init::Channel(_) => {}
    }
}

/// The first statement of an option, inside labels and blocks.
pub(super) fn head(option: &[Stmt]) -> Option<&Stmt> {
    let mut stmt = option.first()?;
    loop {
        stmt = match &stmt.kind {
            StmtKind::Labelled { stmt, .. } => stmt,
            StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                body.first()?
            }
            _ => return Some(stmt),
        };
    }
}

/// Whether a statement can be executed in every state.
pub(super) fn always_executable(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign { .. }
        | StmtKind::Assert(_)
        | StmtKind::Print { .. }
        | StmtKind::PrintM(_)
        | StmtKind::Break
        | StmtKind::Goto(_) => true,
        StmtKind::Guard(guard) => guard.kind.constant().is_some_and(|value| value != 0),
        _ => false,
    }
}
