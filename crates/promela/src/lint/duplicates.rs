//! Two equal options: probably an error of copy and paste, since the second adds no behaviour.

use super::facts::Facts;
use crate::ast::{Sequence, Stmt, StmtKind, UnitKind};
use beeline_source::diagnostic::Diagnostic;

/// A selection with more options is generated.
const MOST_OPTIONS: usize = 100;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for unit in &facts.program.units {
        match &unit.kind {
            UnitKind::Proctype(proctype) => sequence(facts, &proctype.body, found),
            UnitKind::Init(init) => sequence(facts, &init.body, found),
            _ => {}
        }
    }
}

fn sequence(facts: &Facts<'_>, steps: &Sequence, found: &mut Vec<Diagnostic>) {
    steps.iter().for_each(|step| statement(facts, step, found));
}

fn statement(facts: &Facts<'_>, stmt: &Stmt, found: &mut Vec<Diagnostic>) {
    match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            compare(facts, options, found);
            options.iter().for_each(|option| sequence(facts, option, found));
        }
        StmtKind::Labelled { stmt: Some(stmt), .. } => statement(facts, stmt, found),
        StmtKind::Call { expansion, .. } => statement(facts, expansion, found),
        StmtKind::Unless { body, escape } => {
            statement(facts, body, found);
            statement(facts, escape, found);
        }
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => sequence(facts, body, found),
        _ => {}
    }
}

fn compare(facts: &Facts<'_>, options: &[Sequence], found: &mut Vec<Diagnostic>) {
    for (at, option) in options.iter().enumerate().take(MOST_OPTIONS) {
        let Some(first) = option.first() else {
            continue;
        };
        // Macros may expand to equal options for some values.
        if facts.is_macro_text(first.span) {
            continue;
        }
        let twin = options[..at].iter().find(|earlier| *earlier == option);
        let Some(earlier) = twin.and_then(|twin| twin.first()) else {
            continue;
        };
        found.push(
            Diagnostic::warning(
                "duplicate-option",
                facts.brief(first.span),
                "this option is the same as an earlier one",
            )
            .label("equal to the one above")
            .related(facts.brief(earlier.span), "the same")
            .note("a check is not affected; a random simulation takes the option more often")
            .help("remove it, or change the part that should differ"),
        );
    }
}
