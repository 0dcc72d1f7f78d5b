//! Upper bound on the transitions of nested choices and escapes.
//!
//! A choice offers the first steps of the choices it begins with, and an escape can be taken from
//! every statement it covers. So a few lines of nested selections and escapes can expand to more
//! transitions than fit into memory.

use super::Resolver;
use crate::hir::{Stmt, StmtKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

/// Upper bound on the transitions added by nesting, beyond one for each statement.
pub(super) const MAX_BRANCHES: usize = 500_000;

impl Resolver<'_> {
    /// Counts the branches into a choice that nested choices at its beginning add.
    pub(super) fn charge_choice(&mut self, options: &[Vec<Stmt>], span: Span) {
        if self.branches_left.is_none() {
            return;
        }
        let ways: usize = options.iter().map(|option| branches_into(option)).sum();
        self.charge_branches(ways.saturating_sub(options.len()), span);
    }

    /// Counts the branches into an escape, from each covered statement.
    pub(super) fn charge_escape(&mut self, escape: &Stmt, covered: usize, span: Span) {
        let ways = branches_into(std::slice::from_ref(escape));
        self.charge_branches(ways.saturating_mul(covered), span);
    }

    fn charge_branches(&mut self, ways: usize, span: Span) {
        let Some(left) = self.branches_left else {
            // Already reported.
            return;
        };
        self.branches_left = left.checked_sub(ways);
        if self.branches_left.is_none() {
            self.report(
                Diagnostic::error(
                    "control-too-large",
                    span,
                    format!("nested choices and escapes make more than {MAX_BRANCHES} transitions"),
                )
                .label("the limit is reached here")
                .note("a choice offers all options of the choices it begins with, and an escape starts from every statement it covers")
                .help("move inner selections or escapes into processes of their own"),
            );
        }
    }
}

/// The number of steps that a sequence may begin with.
fn branches_into(body: &[Stmt]) -> usize {
    match body.first().map(|stmt| &stmt.kind) {
        Some(StmtKind::If(options) | StmtKind::Do(options)) => {
            options.iter().map(|option| branches_into(option)).sum()
        }
        Some(StmtKind::Labelled { stmt, .. }) => branches_into(std::slice::from_ref(stmt)),
        Some(StmtKind::Unless { body, .. }) => branches_into(std::slice::from_ref(body)),
        Some(StmtKind::Block(body) | StmtKind::Atomic(body)) => branches_into(body),
        Some(StmtKind::Select { .. }) => SELECT,
        _ => 1,
    }
}

/// The approximate number of elements of a statement.
pub(super) fn weight(kind: &StmtKind) -> usize {
    match kind {
        StmtKind::Select { .. } => SELECT,
        StmtKind::For { .. } => 6,
        _ => 1,
    }
}

/// Upper bound on the options of a `select`.
const SELECT: usize = 33;
