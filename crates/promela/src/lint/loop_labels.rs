//! Labels in front of `for` and `select` that are jumped to. SPIN expands both into the
//! initialisation of the variable and a loop, and the label stands at the loop: a `goto` skips the
//! initialisation.

use std::collections::HashSet;

use super::facts::Facts;
use super::walk::statements;
use crate::hir::{SelectForm, Stmt, StmtKind};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        let StmtKind::Labelled { label, stmt: labelled } = &stmt.kind else { return };
        let Some(word) = initialising(labelled) else { return };
        let targets: HashSet<_> = place.process.jumps.iter().collect();
        if !targets.contains(label) {
            return;
        }
        let name = &place.process.labels[label.index()].name;
        found.push(
            Diagnostic::warning(
                "label-before-loop",
                name.span,
                format!("a `goto {}` skips the initialisation of the `{word}`", name.name),
            )
            .label("follows the first assignment to the variable")
            .related(labelled.span, format!("this `{word}` continues with the old value"))
            .note(format!("SPIN expands `{word}` into an assignment and a loop, and puts the label at the loop"))
            .help(format!("write `{}: skip; {word} …`", name.name)),
        );
    });
}

/// The word of a statement that initialises a variable before its loop.
fn initialising(mut stmt: &Stmt) -> Option<&'static str> {
    while let StmtKind::Labelled { stmt: inner, .. } = &stmt.kind {
        stmt = inner;
    }
    match &stmt.kind {
        StmtKind::For { .. } => Some("for"),
        StmtKind::Select { form: SelectForm::Counting | SelectForm::General, .. } => Some("select"),
        _ => None,
    }
}
