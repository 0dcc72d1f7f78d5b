//! Constants of one mtype set compared with a variable of another: their numbers may be equal, so
//! no error shows.

use super::facts::Facts;
use super::types::{message, of_read};
use super::walk::{expressions, statements};
use crate::hir::{BinaryOp, Expr, ExprKind, MtypeId, RecvArg, StmtKind, Type};
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    expressions(facts.model, |expr, process| {
        let ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) = &expr.kind else {
            return;
        };
        for (variable, constant) in [(left, right), (right, left)] {
            if let Some(ty) = of_read(facts.model, process, variable) {
                found.extend(confused(facts, ty, constant, "compared with"));
            }
        }
    });
    statements(facts.model, |stmt, place| {
        let types = |channel| message(facts.model, Some(place.process), channel);
        match &stmt.kind {
            StmtKind::Send { channel, args, .. } => {
                for (ty, value) in types(channel).unwrap_or_default().into_iter().zip(args) {
                    found.extend(confused(facts, ty, value, "sent as"));
                }
            }
            StmtKind::Receive { channel, args, .. } => {
                for (ty, arg) in types(channel).unwrap_or_default().into_iter().zip(args) {
                    if let RecvArg::Match(value) | RecvArg::Eval(value) = arg {
                        found.extend(confused(facts, ty, value, "matched with"));
                    }
                }
            }
            _ => {}
        }
    });
}

fn confused(facts: &Facts<'_>, ty: Type, value: &Expr, how: &str) -> Option<Diagnostic> {
    let (Type::Mtype(wanted), ExprKind::Mtype { set: given, .. }) = (ty, &value.kind) else {
        return None;
    };
    let name = |id: Option<MtypeId>| {
        id.and_then(|id| facts.model.mtypes[id.index()].name.clone())
            .map_or("mtype".to_owned(), |name| format!("mtype:{name}"))
    };
    let (wanted, given) = (name(wanted), name(Some(*given)));
    if wanted == given {
        return None;
    }
    let text = facts.sources.text(value.span);
    Some(
        Diagnostic::warning(
            "mtype-confusion",
            value.span,
            format!("`{text}` is of `{given}`, but {how} `{wanted}`"),
        )
        .label(format!("not a constant of `{wanted}`"))
        .note("mtype constants are numbers, which have a meaning only within their set")
        .help(format!("use a constant of `{wanted}`")),
    )
}
