//! A poll or a non-destructive receive of a rendezvous channel. The channel never holds a message,
//! so the poll is never true and the receive is never executable.

use super::facts::Facts;
use super::types::variable;
use super::walk::{expressions, statements};
use crate::hir::{Access, ExprKind, Init, Process, StmtKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        if let StmtKind::Receive { channel, peek: true, .. } = &stmt.kind
            && is_rendezvous(facts, Some(place.process), channel)
        {
            let what = "this receive can never be executed";
            found.push(report(facts, stmt.span, what, "copies a message that is in the channel"));
        }
    });
    expressions(facts.model, |expr, process| {
        if let ExprKind::Poll { channel, .. } = &expr.kind
            && is_rendezvous(facts, process, channel)
        {
            let what = "this poll is never true";
            found.push(report(facts, expr.span, what, "tests for a message in the channel"));
        }
    });
}

/// Whether a variable is declared with a rendezvous channel.
pub(super) fn is_rendezvous(
    facts: &Facts<'_>,
    process: Option<&Process>,
    channel: &Access,
) -> bool {
    let declared = variable(facts.model, process, channel.root);
    let init = declared.map(|variable| &variable.init);
    channel.path.is_empty() && matches!(init, Some(Init::Channel(channel)) if channel.capacity == 0)
}

fn report(facts: &Facts<'_>, span: Span, what: &str, label: &str) -> Diagnostic {
    Diagnostic::warning("look-into-rendezvous", facts.brief(span), what)
        .label(label)
        .note("a rendezvous channel never holds a message: a send and a receive are one step")
        .help("receive the message, or give the channel a buffer: [1]")
}
