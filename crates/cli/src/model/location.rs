//! The position of a statement in the text of a model, as a reader sees it.

use beeline_promela::source::{ExpansionKind, SourceLocation, SourceMap, Span};

/// `file:line` for people: without directories.
pub(crate) fn place(sources: &SourceMap, span: Span) -> String {
    let location = location(sources, span);
    let file = location.file.rsplit('/').next().unwrap_or_default().to_owned();
    format!("{file}:{}", location.line)
}

/// The line of a statement.
pub(crate) fn line(sources: &SourceMap, span: Span) -> u32 {
    location(sources, span).line
}

/// The position of a statement.
pub(crate) fn location(sources: &SourceMap, span: Span) -> SourceLocation {
    sources.location(seen(sources, span))
}

/// The source line of a statement.
pub(crate) fn source_line(sources: &SourceMap, span: Span) -> &str {
    let span = seen(sources, span);
    let file = sources.file(span.file);
    file.line_text(file.line_of(span.start)).trim()
}

/// The text that a reader sees for a statement: the call of a macro, as in SPIN; for an inline, its
/// body at the definition.
pub(crate) fn seen(sources: &SourceMap, span: Span) -> Span {
    let mut span = span;
    while let Some(id) = span.expansion {
        let expansion = sources.expansion(id);
        if matches!(expansion.kind, ExpansionKind::Inline(_)) {
            break;
        }
        span = expansion.call_site;
    }
    span
}
