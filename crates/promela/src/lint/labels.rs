//! Labels that nothing refers to, and misspelt labels for the checker. Only names that begin with
//! `end`, `accept` or `progress`, in small letters, mark states; `End:` and `acept:` mark nothing,
//! and the deadlock that they should allow is reported.

use std::collections::HashSet;

use super::facts::Facts;
use super::walk::{Group, statements};
use crate::hir::{ExprKind, Label, LabelId, Model, Process, ProcessId, ProcessKind, StmtKind};
use beeline_source::diagnostic::{Diagnostic, did_you_mean};

const MARKS: [(&str, &str); 3] =
    [("end", "a valid end state"), ("accept", "an accept state"), ("progress", "progress")];

/// Beyond this many unused labels in one process, they are documentation.
const MANY: usize = 3;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let remote = remote_labels(facts.model);
    for (number, process) in facts.model.processes.iter().enumerate() {
        if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
            continue;
        }
        let targets = targets(process);
        let unused = process.labels.iter().enumerate().filter(|(at, label)| {
            let id = (ProcessId(number as u32), LabelId(*at as u32));
            !targets.contains(&*label.name.name) && !remote.contains(&id) && !marks_something(label)
        });
        let findings: Vec<_> = unused.filter_map(|(_, label)| unused_label(facts, label)).collect();
        // Many labels number the steps of an algorithm.
        if findings.len() <= MANY {
            found.extend(findings);
        }
    }
    invisible(facts, found);
}

fn marks_something(label: &Label) -> bool {
    label.is_accept() || label.is_end() || label.is_progress()
}

/// Inlines repeat labels, so names are compared, not labels.
fn targets(process: &Process) -> HashSet<&str> {
    process.jumps.iter().map(|target| &*process.labels[target.index()].name.name).collect()
}

fn remote_labels(model: &Model) -> HashSet<(ProcessId, LabelId)> {
    let mut labels = HashSet::new();
    super::walk::expressions(model, |expr, _| {
        if let ExprKind::RemoteLabel { process, label, .. } = expr.kind {
            labels.insert((process, label));
        }
    });
    labels
}

fn unused_label(facts: &Facts<'_>, label: &Label) -> Option<Diagnostic> {
    let (name, span) = (&label.name.name, label.name.span);
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    let begins = |mark: &str| {
        name.len() >= mark.len()
            && name.is_char_boundary(mark.len())
            && name[..mark.len()].eq_ignore_ascii_case(mark)
    };
    let close = MARKS.iter().find(|(mark, _)| {
        begins(mark) || (letters.len() > 3 && did_you_mean(letters, [*mark]).is_some())
    });
    if let Some((mark, meaning)) = close {
        return Some(
            Diagnostic::warning(
                "misspelt-label",
                span,
                format!("label `{name}` has no special meaning"),
            )
            .label(format!("does not begin with `{mark}`"))
            .note(format!(
                "a label whose name begins with `{mark}`, in small letters, marks {meaning}"
            ))
            .help(format!("write `{mark}` or `{mark}_…`")),
        );
    }
    // A formula for another tool, or code that an `#if` skips, may refer to it.
    if !facts.has_property() {
        return None;
    }
    if facts.mentions.of_word(name, None).any(|(file, at)| (file, at) != (span.file, span.start)) {
        return None;
    }
    Some(
        Diagnostic::warning("unused-label", span, format!("nothing refers to label `{name}`"))
            .label("never jumped to")
            .help("remove it, or jump to it with `goto`"),
    )
}

/// Inside `atomic` and `d_step` there are no states that could be marked.
fn invisible(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    statements(facts.model, |stmt, place| {
        let StmtKind::Labelled { label, .. } = &stmt.kind else {
            return;
        };
        let label = &place.process.labels[label.index()];
        let group = match place.group {
            Group::DStep if marks_something(label) => "a d_step",
            Group::Atomic if label.is_accept() || label.is_progress() => "an atomic",
            _ => return,
        };
        let name = &label.name.name;
        found.push(
            Diagnostic::warning(
                "invisible-label",
                label.name.span,
                format!("label `{name}` marks nothing inside {group}"),
            )
            .label("no state is stored here")
            .note(format!("{group} is one step: there is no state between its statements"))
            .help("put the label before or after the block"),
        );
    });
}
