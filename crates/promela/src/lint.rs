//! Traps: models that have a meaning, but perhaps not the one their author had
//! in mind. Every finding is a warning, and is true more often than not: a rule
//! that cries wolf on real models is refined or dropped.
//!
//! One file, one kind of trap. A rule looks at `Facts` and adds to a list; to
//! add one, write it and put it into `RULES`.

mod arithmetic;
mod atomic;
mod channels;
mod claims;
mod comparisons;
mod d_step;
mod duplicates;
mod elses;
mod fit;
mod flow;
mod formulas;
mod guards;
mod inits;
mod labels;
mod loops;
mod mentions;
mod mtypes;
mod precedence;
mod printf;
mod rendezvous;
mod run;
mod types;
mod unreachable;
mod unused;
mod usage;
mod variables;
mod visibility;
mod walk;

use std::collections::HashSet;

use crate::ast::Program;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hir::{Model, Process, ProcessKind, Root, Variable};
use crate::source::{ExpansionKind, SourceMap, Span};
use mentions::Mentions;
use usage::Usage;

/// What the rules look at.
struct Facts<'a> {
    program: &'a Program,
    model: &'a Model,
    sources: &'a SourceMap,
    /// Who does what with each variable.
    usage: Usage,
    /// Where each word stands in the text, code that is switched off included.
    mentions: Mentions<'a>,
}

type Rule = fn(&Facts<'_>, &mut Vec<Diagnostic>);

/// Every rule. Findings are sorted by place, so the order does not matter.
const RULES: &[Rule] = &[
    arithmetic::check,
    atomic::check,
    channels::check,
    claims::check,
    comparisons::check,
    d_step::check,
    duplicates::check,
    elses::check,
    fit::check,
    formulas::check,
    guards::check,
    inits::check,
    labels::check,
    loops::check,
    mtypes::check,
    precedence::check,
    printf::check,
    rendezvous::check,
    run::check,
    unreachable::check,
    unused::check,
    variables::check,
    visibility::check,
];

/// Looks for traps in a model that has no errors.
pub fn lint(program: &Program, model: &Model, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let usage = Usage::of(model);
    let facts = Facts { program, model, sources, usage, mentions: Mentions::of(sources) };
    let mut found = Vec::new();
    for rule in RULES {
        rule(&facts, &mut found);
    }
    found.sort_by_key(|finding| (finding.span.file, finding.span.start, finding.code));
    // An inline brings the same finding with every call: once is enough.
    let mut seen = HashSet::new();
    for finding in found {
        if seen.insert((finding.code, finding.span.file, finding.span.start)) {
            diagnostics.push(finding);
        }
    }
}

impl<'a> Facts<'a> {
    /// The declaration behind a root, seen from inside a process.
    fn variable(&self, root: Root, process: Option<&'a Process>) -> Option<&'a Variable> {
        match root {
            Root::Global(id) => self.model.globals.get(id.index()),
            Root::Local(id) => process?.locals.get(id.index()),
            Root::Predefined(_) => None,
        }
    }

    /// Whether the model brings its own temporal property. One that does not may
    /// be checked against a formula from elsewhere, which mentions variables and
    /// labels that the model itself has no use for.
    fn has_property(&self) -> bool {
        let never = |process: &Process| process.kind == ProcessKind::Never;
        !self.model.formulas.is_empty() || self.model.processes.iter().any(never)
    }

    /// Whether the text stands in a macro, so that its author may have written
    /// it for other values than these.
    fn is_macro_text(&self, span: Span) -> bool {
        self.sources.chain(span).any(|step| matches!(step.kind, ExpansionKind::Macro(_)))
    }

    /// The part of a span that stands on its first line: enough to point to a
    /// statement that goes on for many.
    fn brief(&self, span: Span) -> Span {
        let text = self.sources.text(span);
        let line = text.split('\n').next().unwrap_or(text).trim_end();
        Span { end: span.start + line.len() as u32, ..span }
    }

    /// The operator between two operands, if nothing else stands there.
    fn operator(&self, left: Span, operator: &str, right: Span) -> Option<Span> {
        let (text, span) = self.between(left, right)?;
        let start = span.start + text.find(operator)? as u32;
        let end = start + operator.len() as u32;
        (text.trim() == operator).then_some(Span { start, end, ..span })
    }

    /// Whether `->` stands behind the span.
    fn arrow_follows(&self, span: Span) -> bool {
        let text = &self.sources.file(span.file).text[span.end as usize..];
        text.trim_start().starts_with("->")
    }

    /// The text between two spans of one file that were read in one go.
    fn between(&self, left: Span, right: Span) -> Option<(&'a str, Span)> {
        let together = left.file == right.file && left.expansion == right.expansion;
        if !together || left.end > right.start {
            return None;
        }
        let span = Span { start: left.end, end: right.start, ..left };
        Some((self.sources.text(span), span))
    }
}
