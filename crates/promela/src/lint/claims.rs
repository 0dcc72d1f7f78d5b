//! Never claims observe the model. A claim that changes variables changes the system it checks. A
//! claim that cannot reach its end is never violated if the model has no accept label.

use super::facts::Facts;
use super::flow::sequence_completes;
use super::walk::statements;
use crate::hir::{Process, ProcessKind, StmtKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // A claim may consist of assertions only: it is violated when one fails.
    let mut asserts = Vec::new();
    statements(facts.model, |stmt, place| {
        if place.process.kind != ProcessKind::Never {
            return;
        }
        let what = match &stmt.kind {
            StmtKind::Assert(_) => {
                asserts.push(&*place.process.name.name);
                return;
            }
            StmtKind::Assign { .. } | StmtKind::Select { .. } => "an assignment",
            StmtKind::Send { .. } => "a send",
            StmtKind::Receive { peek: false, .. } => "a receive",
            StmtKind::Print { .. } | StmtKind::PrintM(_) => "a printf",
            _ => return,
        };
        found.push(
            Diagnostic::warning(
                "claim-with-effect",
                facts.brief(stmt.span),
                format!("{what} in a never claim"),
            )
            .label("a claim should only observe")
            .note(
                "the claim moves with every step of the model, so this changes the system that \
                 is checked",
            )
            .help("use conditions only"),
        );
    });
    // Accept labels of processes count as well as those of the claim.
    let accepts = |process: &Process| process.labels.iter().any(|label| label.is_accept());
    let may_go_round = facts.model.processes.iter().any(accepts);
    for process in &facts.model.processes {
        let harmless = process.kind == ProcessKind::Never
            && !may_go_round
            && !asserts.contains(&&*process.name.name)
            && !sequence_completes(&process.body);
        if harmless {
            found.push(
                Diagnostic::warning(
                    "claim-cannot-fail",
                    facts.brief(process.name.span),
                    "this never claim can never be violated",
                )
                .label("no accept label, and its end cannot be reached")
                .note(
                    "a claim is violated when it reaches its closing brace, or passes an accept \
                     label infinitely often",
                )
                .help(
                    "name a label `accept…`, or let the claim end where the property is \
                     violated",
                ),
            );
        }
    }
}
