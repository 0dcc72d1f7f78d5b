//! Unreachable statements: after a `goto`, a `break`, or a loop that never ends. Often a condition
//! of the jump is missing, or a `break` in the loop before.

use super::facts::Facts;
use super::flow::{completes, has_label};
use crate::hir::{Process, ProcessKind, Stmt, StmtKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for process in &facts.model.processes {
        // Generated claims end in unreachable statements, which is harmless.
        if process.kind != ProcessKind::Never {
            let mut unreachable = Vec::new();
            sequence(&process.body, &mut unreachable);
            found.extend(unreachable.iter().map(|pair| report(facts, process, pair)));
        }
    }
}

/// An unreachable statement, and the statement before it that control does not pass.
struct Pair<'a> {
    step: &'a Stmt,
    before: &'a Stmt,
}

fn sequence<'a>(steps: &'a [Stmt], found: &mut Vec<Pair<'a>>) {
    let mut blocker: Option<&Stmt> = None;
    for step in steps {
        if blocker.is_some() && has_label(step) {
            blocker = None;
        }
        if let Some(before) = blocker {
            // An executed declaration without a value has no effect.
            match step.kind {
                StmtKind::Declare { value: None, .. } => {}
                // `elses.rs` reports a misplaced `else`, which explains the unreachable statements
                // after it.
                StmtKind::Else => return,
                _ => {
                    found.push(Pair { step, before });
                    return;
                }
            }
        }
        inside(step, found);
        if blocker.is_none() && !completes(step) {
            blocker = Some(step);
        }
    }
}

fn inside<'a>(stmt: &'a Stmt, found: &mut Vec<Pair<'a>>) {
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => inside(stmt, found),
        StmtKind::Unless { body, escape } => {
            inside(body, found);
            inside(escape, found);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| sequence(option, found));
        }
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => sequence(body, found),
        _ => {}
    }
}

const CONDITION: &str = "remove it, or put a condition before the jump: `if :: … -> … :: else fi`";

fn report(facts: &Facts<'_>, process: &Process, pair: &Pair<'_>) -> Diagnostic {
    let mut cause = facts.brief(pair.before.span);
    let (seen, help) = match innermost(pair.before) {
        StmtKind::Goto(jump) => {
            let label = &process.labels[process.jumps[jump.index()].index()].name.name;
            (format!("always jumps to `{label}`"), CONDITION)
        }
        StmtKind::Break => ("always leaves the loop".to_owned(), CONDITION),
        StmtKind::Do(_) => (
            "this loop never ends: it has no `break`".to_owned(),
            "add an option that ends with `break`, or remove what follows the loop",
        ),
        StmtKind::If(_) => {
            ("every option jumps away".to_owned(), "remove it, or let one of the options continue")
        }
        _ => (
            "no execution continues after this".to_owned(),
            "remove it, or let an execution continue after the statement before it",
        ),
    };
    if matches!(pair.before.kind, StmtKind::Do(_) | StmtKind::If(_)) {
        cause.end = cause.end.min(cause.start + 2);
    }
    let step = facts.brief(pair.step.span);
    Diagnostic::warning("unreachable-code", step, "this can never be executed")
        .label("no execution reaches this")
        .related(cause, seen)
        .help(help)
}

fn innermost(stmt: &Stmt) -> &StmtKind {
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => innermost(stmt),
        kind => kind,
    }
}
