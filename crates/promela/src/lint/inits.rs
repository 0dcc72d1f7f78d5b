//! Two `init`s: both run concurrently, although one was probably meant to replace the other.

use super::facts::Facts;
use crate::ast::UnitKind;
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let inits = facts.program.units.iter().filter(|unit| matches!(unit.kind, UnitKind::Init(_)));
    let spans: Vec<Span> = inits.map(|unit| keyword(unit.span)).collect();
    let [first, others @ ..] = &spans[..] else {
        return;
    };
    for &second in others {
        found.push(
            Diagnostic::warning("duplicate-init", second, "this model has more than one `init`")
                .label("runs beside the first")
                .related(*first, "first `init`")
                .note("an `init` does not replace another: each is a process of its own")
                .help("join them into one, or make a `proctype` of this one"),
        );
    }
}

fn keyword(span: Span) -> Span {
    Span { end: span.end.min(span.start + "init".len() as u32), ..span }
}
