//! A rendezvous receive in the middle of an `atomic`. It waits for a sender, so another process
//! runs in between and sees the effects of the sequence so far. Conditions before the receive have
//! no effect and are no reason to warn.

use super::facts::Facts;
use super::rendezvous::is_rendezvous;
use super::walk::{Place, statements};
use crate::hir::{Stmt, StmtKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        let StmtKind::Atomic(body) = &stmt.kind else {
            return;
        };
        let Some(effect) = body.iter().position(has_effect) else {
            return;
        };
        let late = body[effect + 1..].iter().find(|step| receives(facts, place, step));
        found.extend(late.map(|receive| report(facts, receive, &body[effect])));
    });
}

fn has_effect(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => has_effect(stmt),
        kind => matches!(kind, StmtKind::Assign { .. } | StmtKind::Send { .. }),
    }
}

fn receives(facts: &Facts<'_>, place: Place<'_>, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Labelled { stmt, .. } => receives(facts, place, stmt),
        StmtKind::Receive { channel, .. } => is_rendezvous(facts, Some(place.process), channel),
        _ => false,
    }
}

fn report(facts: &Facts<'_>, receive: &Stmt, effect: &Stmt) -> Diagnostic {
    Diagnostic::warning(
        "rendezvous-in-atomic",
        facts.brief(receive.span),
        "this receive interrupts the atomic sequence",
    )
    .label("waits until another process sends")
    .related(facts.brief(effect.span), "other processes can run between this and the receive")
    .note("in a rendezvous it is the sender that moves, so another process must run in between")
    .help("begin the atomic with the receive, or end it before")
}
