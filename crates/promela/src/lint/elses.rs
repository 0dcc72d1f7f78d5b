//! `else` is executable if no other option is. There are four pitfalls: a missing `::` before it,
//! so that it belongs to the option above; an option that is always executable, so that `else` is
//! dead; a send or receive, whose executability other processes change; and `run`, which is almost
//! always executable.

use super::facts::Facts;
use super::walk::{always_executable, head, statements};
use crate::hir::{ExprKind, Stmt, StmtKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        if matches!(stmt.kind, StmtKind::Else) && !place.entry {
            found.push(in_the_middle(stmt));
            return;
        }
        let (StmtKind::If(options) | StmtKind::Do(options)) = &stmt.kind else {
            return;
        };
        let heads: Vec<&Stmt> = options.iter().filter_map(|option| head(option)).collect();
        let Some(otherwise) = heads.iter().find(|stmt| matches!(stmt.kind, StmtKind::Else)) else {
            return;
        };
        for other in &heads {
            if always_executable(other) {
                found.extend(never_taken(facts, otherwise, other));
                return;
            }
        }
        for other in &heads {
            match &other.kind {
                StmtKind::Send { .. } | StmtKind::Receive { .. } => {
                    found.push(with_channel(facts, otherwise, other));
                    return;
                }
                StmtKind::Guard(guard) if matches!(guard.kind, ExprKind::Run { .. }) => {
                    found.push(with_run(facts, otherwise, other));
                    return;
                }
                _ => {}
            }
        }
    });
}

/// `:: x -> break; else -> …`, where the `::` is missing.
fn in_the_middle(stmt: &Stmt) -> Diagnostic {
    let before = Span { end: stmt.span.start, ..stmt.span };
    Diagnostic::warning("else-without-option", stmt.span, "this `else` does not begin an option")
        .label("part of the option above")
        .note("inside an option `else` can always be executed, like `skip`")
        .fix("begin an option of its own", before, ":: ")
}

fn never_taken(facts: &Facts<'_>, otherwise: &Stmt, other: &Stmt) -> Option<Diagnostic> {
    // The guard may be a macro that is true in this configuration only.
    if matches!(other.kind, StmtKind::Guard(_)) && facts.is_macro_text(other.span) {
        return None;
    }
    let diagnostic =
        Diagnostic::warning("else-never-taken", otherwise.span, "this `else` is never taken")
            .label("taken only when no other option can be")
            .related(facts.brief(other.span), "can always be executed");
    Some(match &other.kind {
        StmtKind::Assign { target, value } => {
            let diagnostic =
                diagnostic.note("an assignment is no condition: it can always be executed");
            match facts.operator(target.span, "=", value.span) {
                Some(span) => diagnostic.fix("if a comparison was meant", span, "=="),
                None => diagnostic.help("begin the option with a condition"),
            }
        }
        StmtKind::Guard(_) => diagnostic
            .note("options are not tried in order: each one whose first statement can be executed may be taken")
            .help("begin the other option with a condition, or remove this one"),
        _ => diagnostic.help("begin the other option with a condition, or remove this one"),
    })
}

fn with_channel(facts: &Facts<'_>, otherwise: &Stmt, other: &Stmt) -> Diagnostic {
    let (what, test) = match &other.kind {
        StmtKind::Send { .. } => ("send", "`:: full(q) -> …`"),
        _ => ("receive", "`:: empty(q) -> …`"),
    };
    Diagnostic::warning(
        "else-with-channel",
        otherwise.span,
        format!("`else` depends on whether a {what} is possible at this very moment"),
    )
    .label("taken as soon as no other option can be")
    .related(facts.brief(other.span), format!("this {what} may become possible a step later"))
    .note("SPIN calls this dubious: it weakens partial order reduction, and with a rendezvous channel the outcome depends on the other process")
    .help(format!("write the condition to wait for: {test} for a buffered channel, or `timeout` \
                   for a model that is blocked"))
}

fn with_run(facts: &Facts<'_>, otherwise: &Stmt, other: &Stmt) -> Diagnostic {
    Diagnostic::warning(
        "run-with-else",
        otherwise.span,
        "this `else` is taken only when 255 processes run",
    )
    .label("practically never")
    .related(facts.brief(other.span), "`run` can be executed whenever a process number is free")
    .help("begin the other option with a condition")
}
