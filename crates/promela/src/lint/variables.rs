//! Unused variables. Each is part of every state, so a variable that is set but never read can
//! multiply the number of states. Often another variable is used in its place by mistake.

use std::collections::HashSet;

use super::facts::Facts;
use super::usage::Uses;
use crate::hir::{GlobalId, LocalId, ProcessId, ProcessKind, Role, Type, Variable, Visibility};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (number, variable) in facts.model.globals.iter().enumerate() {
        let uses = facts.usage.global(GlobalId(number as u32));
        found.extend(judge(facts, variable, uses, None));
    }
    for (number, process) in facts.model.processes.iter().enumerate() {
        if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
            continue;
        }
        let id = ProcessId(number as u32);
        // From the process's name, or from `init`, to its closing brace.
        let text = process.name.span.to(process.end);
        for (number, variable) in process.locals.iter().enumerate() {
            let uses = facts.usage.local(id, LocalId(number as u32));
            found.extend(judge(facts, variable, uses, Some(text)));
        }
    }
}

fn judge(
    facts: &Facts<'_>,
    variable: &Variable,
    uses: &Uses,
    text: Option<Span>,
) -> Option<Diagnostic> {
    // A leading underscore marks a variable as unused on purpose.
    if variable.name.name.starts_with('_') || !uses.reads.is_empty() || !uses.prints.is_empty() {
        return None;
    }
    let finding = if uses.is_empty() {
        unused(variable)
    } else if uses.writes.is_empty() || variable.ty == Type::Chan {
        // A receive may need a variable for an unused field.
        return None;
    } else if variable.role == Role::Global && !facts.has_property() {
        return None;
    } else {
        never_read(variable, uses)
    };
    (!mentioned_elsewhere(facts, variable, uses, text)).then_some(finding)
}

/// Whether the text mentions the variable at a position that the compiled model does not contain.
pub(super) fn mentioned_elsewhere(
    facts: &Facts<'_>,
    variable: &Variable,
    uses: &Uses,
    text: Option<Span>,
) -> bool {
    let declared = variable.name.span;
    let inside =
        |text: Span| text.file == declared.file && (text.start..text.end).contains(&declared.start);
    // A variable of an inline is not declared inside the process's own text.
    let range = text.filter(|&text| inside(text));
    let places = uses.spans().chain([declared]).map(|span| (span.file, span.start));
    let known: HashSet<_> = places.collect();
    facts.mentions.of_word(&variable.name.name, range).any(|place| !known.contains(&place))
}

fn what(variable: &Variable) -> &'static str {
    match (variable.role, variable.ty) {
        (Role::Param, _) => "parameter",
        (_, Type::Chan) => "channel",
        _ => "variable",
    }
}

fn unused(variable: &Variable) -> Diagnostic {
    let (what, name) = (what(variable), &variable.name.name);
    let diagnostic = Diagnostic::warning(
        "unused-variable",
        variable.name.span,
        format!("{what} `{name}` is never used"),
    )
    .label("only declared");
    if variable.role == Role::Param {
        return diagnostic.help(format!(
            "remove it from the proctype and from every `run`, or call it `_{name}`"
        ));
    }
    diagnostic
        .note(
            "an unused variable makes every state larger, and its name may be a misspelling of \
             another",
        )
        .help(format!("remove it, or call it `_{name}` if it is there on purpose"))
}

fn never_read(variable: &Variable, uses: &Uses) -> Diagnostic {
    let (what, name) = (what(variable), &variable.name.name);
    let mut diagnostic = Diagnostic::warning(
        "never-read",
        variable.name.span,
        format!("{what} `{name}` is assigned but never read"),
    )
    .label("its value has no effect");
    if let Some(&span) = uses.writes.first() {
        diagnostic = diagnostic.related(span, "assigned here");
    }
    if variable.visibility == Some(Visibility::Hidden) {
        return diagnostic.help("remove it, or use it in a condition, an assertion or a formula");
    }
    diagnostic
        .note("states that differ only in this variable count as different and are searched twice")
        .help("remove it, use it in an assertion or a formula, or declare it `hidden`")
}
