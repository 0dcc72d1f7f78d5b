//! Loops that never end: a `for` whose variable wraps around before it exceeds the last value, and
//! an option that is only `skip`.

use super::facts::Facts;
use super::types::{constant, name, of_access, range};
use super::walk::statements;
use crate::hir::{For, ProcessKind, Stmt, StmtKind, Type};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| match &stmt.kind {
        StmtKind::For { over: For::Range { var, to, .. }, .. } => {
            let ty = of_access(facts.model, Some(place.process), var);
            let most = ty.and_then(range).map(|(_, most)| most);
            if let (Some(ty), Some(most), Some(last)) = (ty, most, constant(to))
                && last >= most
                && ty != Type::Int
            {
                found.push(endless(facts, stmt, var.span, ty, last));
            }
        }
        StmtKind::Do(options) if place.process.kind != ProcessKind::Never => {
            options.iter().filter_map(|option| idle(option)).for_each(|idle| {
                found.push(
                    Diagnostic::warning(
                        "self-loop",
                        idle.span,
                        "this option has no effect and returns to the loop",
                    )
                    .label("can always be executed, and leads back to where it starts")
                    .note("SPIN's verifier refuses such a model: \"unconditional self-loop\"")
                    .help("remove the option: a process may pause at any time without it"),
                );
            });
        }
        _ => {}
    });
}

/// The statement of an option that is only `skip` or another constant condition.
fn idle(option: &[Stmt]) -> Option<&Stmt> {
    let [only] = option else {
        return None;
    };
    match &only.kind {
        StmtKind::Guard(guard) if guard.kind.constant().is_some_and(|value| value != 0) => {
            Some(only)
        }
        _ => None,
    }
}

fn endless(facts: &Facts<'_>, stmt: &Stmt, var: Span, ty: Type, last: i64) -> Diagnostic {
    let ty_name = name(ty);
    let text = facts.sources.text(var);
    let larger = match ty {
        Type::Bit => "byte",
        Type::Byte => "short",
        _ => "int",
    };
    let end = match &stmt.kind {
        StmtKind::For { over: For::Range { to, .. }, .. } if to.span != stmt.span => to.span,
        _ => var,
    };
    Diagnostic::warning(
        "endless-for",
        end,
        format!("this loop does not end by itself: `{text}` cannot exceed {last}"),
    )
    .label(format!("{ty_name} cannot be larger"))
    .note(format!(
        "the loop ends when `{text}` is larger than {last}, but before that it wraps around"
    ))
    .help(format!("declare `{text}` as `{larger}`"))
}
