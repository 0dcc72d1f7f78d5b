//! A `d_step` is one step. If a statement inside it blocks, there is no state to wait in, and the
//! checker reports an error during the search; only its first statement may block.

use super::facts::Facts;
use super::walk::{Group, statements};
use crate::hir::{ExprKind, StmtKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        if place.group != Group::DStep {
            return;
        }
        if let StmtKind::Guard(guard) = &stmt.kind
            && guard.any(|expr| matches!(expr.kind, ExprKind::Timeout))
        {
            found.push(
                Diagnostic::warning(
                    "timeout-in-d_step",
                    stmt.span,
                    "`timeout` is meaningless inside a d_step",
                )
                .label("nothing else can run while a d_step does")
                .note("`timeout` is true when no process has an enabled statement")
                .help("put the `timeout` before the d_step"),
            );
            return;
        }
        if place.entry {
            return;
        }
        let what = match &stmt.kind {
            StmtKind::Guard(guard) if guard.kind.constant().is_none() => "condition",
            StmtKind::Send { .. } => "send",
            StmtKind::Receive { .. } => "receive",
            _ => return,
        };
        found.push(
            Diagnostic::warning(
                "blocking-in-d_step",
                facts.brief(stmt.span),
                format!("this {what} may have to wait inside a d_step"),
            )
            .label("an error at run time if it cannot be executed at once")
            .note("a d_step is one step: only its first statement may wait")
            .help("use `atomic`, or test everything in the first statement"),
        );
    });
}
