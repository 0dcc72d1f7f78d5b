//! The input of the rules.

use beeline_source::source::{ExpansionKind, SourceMap, Span};

use crate::ast::Program;
use crate::hir::{Model, Process, ProcessKind, Root, Variable};

use super::mentions::Mentions;
use super::usage::Usage;

/// The input of the rules.
pub(super) struct Facts<'a> {
    pub(super) program: &'a Program,
    pub(super) model: &'a Model,
    pub(super) sources: &'a SourceMap,
    /// Reads and writes of each variable.
    pub(super) usage: Usage,
    /// The positions of each word in the text, including code that an `#if` skips.
    pub(super) mentions: Mentions<'a>,
}

impl<'a> Facts<'a> {
    /// The declaration of a root, seen from inside a process.
    pub(super) fn variable(
        &self,
        root: Root,
        process: Option<&'a Process>,
    ) -> Option<&'a Variable> {
        match root {
            Root::Global(id) => self.model.globals.get(id.index()),
            Root::Local(id) => process?.locals.get(id.index()),
            Root::Predefined(_) => None,
        }
    }

    /// Whether the model has a temporal property. If not, it may be checked against an external
    /// formula that mentions variables and labels that the model itself does not use.
    pub(super) fn has_property(&self) -> bool {
        let never = |process: &Process| process.kind == ProcessKind::Never;
        !self.model.formulas.is_empty()
            || !self.model.branching.is_empty()
            || self.model.processes.iter().any(never)
    }

    /// Whether the text comes from a macro, so that it may have been written for other values.
    pub(super) fn is_macro_text(&self, span: Span) -> bool {
        self.sources.chain(span).any(|step| matches!(step.kind, ExpansionKind::Macro(_)))
    }

    /// The part of a span on its first line: enough to point to a long statement.
    pub(super) fn brief(&self, span: Span) -> Span {
        let text = self.sources.text(span);
        let line = text.split('\n').next().unwrap_or(text).trim_end();
        Span { end: span.start + line.len() as u32, ..span }
    }

    /// The operator between two operands, if there is nothing else between them.
    pub(super) fn operator(&self, left: Span, operator: &str, right: Span) -> Option<Span> {
        let (text, span) = self.between(left, right)?;
        let start = span.start + text.find(operator)? as u32;
        let end = start + operator.len() as u32;
        (text.trim() == operator).then_some(Span { start, end, ..span })
    }

    /// Whether `->` follows the span.
    pub(super) fn arrow_follows(&self, span: Span) -> bool {
        let text = &self.sources.file(span.file).text[span.end as usize..];
        text.trim_start().starts_with("->")
    }

    /// The text between two spans of one file and one expansion.
    pub(super) fn between(&self, left: Span, right: Span) -> Option<(&'a str, Span)> {
        let together = left.file == right.file && left.expansion == right.expansion;
        if !together || left.end > right.start {
            return None;
        }
        let span = Span { start: left.end, end: right.start, ..left };
        Some((self.sources.text(span), span))
    }
}
