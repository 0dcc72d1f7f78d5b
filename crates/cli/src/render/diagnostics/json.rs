//! Diagnostics for programs: JSON. The keys are a contract. Lines and columns count from 1, columns
//! in characters; an end is the position of the first character after the text.

use std::sync::Arc;

use beeline_promela::diagnostic::{Diagnostic, Diagnostics, Severity};
use beeline_promela::source::{ExpansionKind, SourceMap, Span, TextExpansion};
use serde::Serialize;

use crate::base::json::Header;
use crate::model::loaded::LoadedModel;
use crate::render::diagnostics::edit::editable;

/// The object that `lint --json` prints.
#[derive(Serialize)]
pub(crate) struct DiagnosticsObject<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    ok: bool,
    errors: usize,
    warnings: usize,
    /// Errors that are counted but not listed.
    suppressed: usize,
    diagnostics: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    severity: &'static str,
    code: &'static str,
    message: String,
    #[serde(flatten)]
    range: SourceRange,
    label: String,
    related: Vec<Related>,
    notes: Vec<String>,
    fix: Option<Fix>,
    expansion: Vec<Call>,
}

#[derive(Serialize)]
struct SourceRange {
    file: Arc<str>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Point {
    file: Arc<str>,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Related {
    #[serde(flatten)]
    point: Point,
    text: String,
}

#[derive(Serialize)]
struct Fix {
    advice: String,
    edit: Option<Edit>,
}

#[derive(Serialize)]
struct Edit {
    #[serde(flatten)]
    range: SourceRange,
    replacement: String,
}

#[derive(Serialize)]
struct Call {
    #[serde(flatten)]
    callee: Callee,
    #[serde(flatten)]
    point: Point,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Callee {
    Macro(Arc<str>),
    Inline(Arc<str>),
}

impl<'a> DiagnosticsObject<'a> {
    pub(crate) fn new(loaded: &'a LoadedModel) -> DiagnosticsObject<'a> {
        DiagnosticsObject::about(&loaded.model, &loaded.diagnostics, loaded.sources())
    }

    /// The messages about texts that are no single model.
    pub(crate) fn about(
        model: &'a str,
        diagnostics: &Diagnostics,
        sources: &SourceMap,
    ) -> DiagnosticsObject<'a> {
        let warnings = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count();
        let warnings = warnings + diagnostics.suppressed_warnings();
        DiagnosticsObject {
            header: Header::new(model),
            ok: !diagnostics.has_errors(),
            errors: diagnostics.errors() + diagnostics.suppressed(),
            warnings,
            suppressed: diagnostics.suppressed(),
            diagnostics: diagnostics.iter().map(|d| Message::new(d, sources)).collect(),
        }
    }
}

impl Message {
    fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Message {
        let related = diagnostic.related.iter();
        let fix = diagnostic.fix.as_ref().map(|fix| Fix {
            advice: fix.advice.clone(),
            edit: editable(fix, sources).map(|(span, replacement)| Edit {
                range: SourceRange::new(sources, span),
                replacement: replacement.to_owned(),
            }),
        });
        Message {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            range: SourceRange::new(sources, diagnostic.span),
            label: diagnostic.label.clone(),
            related: related
                .map(|l| Related { point: Point::new(sources, l.span), text: l.text.clone() })
                .collect(),
            notes: diagnostic.notes.clone(),
            fix,
            expansion: calls(sources, diagnostic.span),
        }
    }
}

/// The calls in the expansion of a span, innermost first.
fn calls(sources: &SourceMap, span: Span) -> Vec<Call> {
    let call = |TextExpansion { kind, call_site }: &TextExpansion| {
        let callee = match kind {
            ExpansionKind::Macro(name) => Callee::Macro(name.clone()),
            ExpansionKind::Inline(name) => Callee::Inline(name.clone()),
            // The argument is in the call that follows.
            ExpansionKind::Argument(_) => return None,
        };
        Some(Call { callee, point: Point::new(sources, *call_site) })
    };
    sources.chain(span).filter_map(call).collect()
}

impl Point {
    fn new(sources: &SourceMap, span: Span) -> Point {
        let location = sources.location(span);
        Point { file: location.file, line: location.line, column: location.column }
    }
}

impl SourceRange {
    fn new(sources: &SourceMap, span: Span) -> SourceRange {
        let span = sources.written(span);
        let start = sources.location(span);
        let end = sources.location(span.after());
        SourceRange {
            file: start.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
