//! Proctypes that are never started, inlines that are never called, and parameters of inlines that
//! the body does not contain. A model with a forgotten `run` or `active` passes every check,
//! because it has no behaviour.

use std::collections::HashSet;

use super::facts::Facts;
use crate::ast::{InlineDef, Sequence, Stmt, StmtKind, UnitKind};
use crate::hir::{ExprKind, ProcessKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    proctypes(facts, found);
    let mut called = HashSet::new();
    for unit in &facts.program.units {
        match &unit.kind {
            UnitKind::Proctype(proctype) => calls(&proctype.body, &mut called),
            UnitKind::Init(init) => calls(&init.body, &mut called),
            UnitKind::Never(never) => calls(&never.body, &mut called),
            UnitKind::Trace(trace) => calls(&trace.body, &mut called),
            _ => {}
        }
    }
    for unit in &facts.program.units {
        let UnitKind::Inline(inline) = &unit.kind else {
            continue;
        };
        if !called.contains(&*inline.name.name) {
            uncalled(facts, inline, found);
        }
        parameters(inline, found);
    }
}

fn proctypes(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut started = HashSet::new();
    for process in &facts.model.processes {
        for stmt in &process.body {
            stmt.visit_exprs(&mut |expr| {
                if let ExprKind::Run { process, .. } = expr.kind {
                    started.insert(process.index());
                }
            });
        }
    }
    let written_active: HashSet<_> = facts
        .program
        .units
        .iter()
        .filter_map(|unit| match &unit.kind {
            UnitKind::Proctype(proctype) if proctype.active.is_some() => Some(&proctype.name.name),
            _ => None,
        })
        .collect();
    for (number, process) in facts.model.processes.iter().enumerate() {
        // `active [0]` is reported where it stands.
        let idle = process.kind == ProcessKind::Proctype
            && process.active == 0
            && !written_active.contains(&process.name.name);
        if !idle || started.contains(&number) || elsewhere(facts, process.name.span) {
            continue;
        }
        let name = &process.name.name;
        // The `run` may be in code that an `#if` skips, or in an inline without calls.
        if facts.mentions.of_word(name, None).count() > 1 {
            continue;
        }
        let advice = if process.params == 0 {
            format!("write `active proctype {name}`, or `run {name}()` in `init`")
        } else {
            format!("`run {name}(…)` it in `init`")
        };
        found.push(
            Diagnostic::warning(
                "unused-proctype",
                process.name.span,
                format!("no process of type `{name}` ever runs"),
            )
            .label("neither `active` nor started by `run`")
            .note("nothing in this proctype takes part in the verification")
            .help(advice),
        );
    }
}

fn uncalled(facts: &Facts<'_>, inline: &InlineDef, found: &mut Vec<Diagnostic>) {
    let name = &inline.name.name;
    if elsewhere(facts, inline.name.span) || facts.mentions.of_word(name, None).count() > 1 {
        return;
    }
    found.push(
        Diagnostic::warning(
            "unused-inline",
            inline.name.span,
            format!("inline `{name}` is never called"),
        )
        .label("its text is not part of the model")
        .note("the text of an inline is not even checked until it is called")
        .help(format!("call it as a statement, `{name}(…)`, or remove it")),
    );
}

fn parameters(inline: &InlineDef, found: &mut Vec<Diagnostic>) {
    for param in &inline.params {
        if inline.body.iter().any(|(word, _)| *word == param.name) {
            continue;
        }
        found.push(
            Diagnostic::warning(
                "unused-parameter",
                param.span,
                format!("inline `{}` does not use `{}`", inline.name.name, param.name),
            )
            .label("not used in the body")
            .note("a name that is no parameter refers to a declaration at the call")
            .help("remove the parameter here and the argument from every call"),
        );
    }
}

/// Definitions in an included file may be for other models.
fn elsewhere(facts: &Facts<'_>, span: Span) -> bool {
    facts.sources.file(span.file).included_from.is_some()
}

fn calls(steps: &Sequence, called: &mut HashSet<String>) {
    steps.iter().for_each(|step| call(step, called));
}

fn call(stmt: &Stmt, called: &mut HashSet<String>) {
    match &stmt.kind {
        StmtKind::Call { name, expansion, .. } => {
            called.insert(name.name.to_string());
            call(expansion, called);
        }
        StmtKind::Labelled { stmt: Some(stmt), .. } => call(stmt, called),
        StmtKind::Unless { body, escape } => {
            call(body, called);
            call(escape, called);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| calls(option, called));
        }
        StmtKind::For { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body) => calls(body, called),
        _ => {}
    }
}
