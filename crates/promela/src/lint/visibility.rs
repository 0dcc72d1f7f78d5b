//! Wrong `hidden` and `local`. A `hidden` global variable is not part of the state: if the
//! behaviour depends on it, different states are taken for equal and errors can be missed. A
//! `local` one is used by one process: partial order reduction relies on that.

use super::facts::Facts;
use super::walk::{Group, statements};
use crate::hir::{ExprKind, GlobalId, Root, StmtKind, Visibility};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    hidden(facts, found);
    for (number, variable) in facts.model.globals.iter().enumerate() {
        if variable.visibility != Some(Visibility::Local) {
            continue;
        }
        let uses = facts.usage.global(GlobalId(number as u32));
        let users: Vec<&str> = uses
            .processes
            .iter()
            .map(|&process| &*facts.model.process(process).name.name)
            .collect();
        if let [first, second, ..] = users[..] {
            let name = &variable.name.name;
            found.push(
                Diagnostic::warning(
                    "shared-local",
                    variable.name.span,
                    format!("`{name}` is declared `local`, but `{first}` and `{second}` use it"),
                )
                .label("`local` declares that only one process uses it")
                .note("partial order reduction relies on the declaration: if it is false, errors can be missed")
                .help("remove `local`"),
            );
        }
    }
}

/// A condition on a hidden variable, outside of the atomic step that set it.
fn hidden(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        let StmtKind::Guard(guard) = &stmt.kind else {
            return;
        };
        if place.group != Group::None {
            return;
        }
        guard.visit(&mut |expr| {
            let ExprKind::Read(access) = &expr.kind else {
                return;
            };
            let Root::Global(id) = access.root else {
                return;
            };
            let variable = &facts.model.globals[id.index()];
            if variable.visibility != Some(Visibility::Hidden) {
                return;
            }
            found.push(
                Diagnostic::warning(
                    "hidden-condition",
                    expr.span,
                    format!("behaviour depends on `{}`, which is hidden", variable.name.name),
                )
                .label("decides whether the process can continue")
                .related(variable.name.span, "declared `hidden`")
                .note(
                    "SPIN identifies states that differ only in hidden variables, so it can \
                     miss errors; Beeline distinguishes them",
                )
                .help("remove `hidden`"),
            );
        });
    });
}
