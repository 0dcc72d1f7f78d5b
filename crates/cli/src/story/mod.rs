//! What happened, for people and for programs: a replayed trail or a simulation.

mod columns;
mod json;
mod text;

use beeline_checker::Turn;
use beeline_promela::source::{ExpansionKind, Location, SourceMap, Span};

pub(crate) use columns::columns;
pub(crate) use json::StoryObject;
pub(crate) use text::{Widths, changes, end, ending, rests, state, step, steps, whole_state};

/// `Proctype(pid)`
fn name(turn: &Turn) -> String {
    format!("{}({})", turn.process, turn.pid)
}

/// `file:line`, for people: without directories.
pub(crate) fn place(sources: &SourceMap, span: Span) -> String {
    let location = location(sources, span);
    let file = location.file.rsplit('/').next().unwrap_or_default().to_owned();
    format!("{file}:{}", location.line)
}

/// Where a statement stands. For what comes out of a macro that is its call, as
/// in SPIN; the text of an inline stands where the inline is defined.
pub(crate) fn location(sources: &SourceMap, span: Span) -> Location {
    sources.location(written(sources, span))
}

/// The line on which a statement stands, as it is written.
pub(crate) fn source_line(sources: &SourceMap, span: Span) -> &str {
    let span = written(sources, span);
    let file = sources.file(span.file);
    file.line_text(file.line_of(span.start)).trim()
}

fn written(sources: &SourceMap, span: Span) -> Span {
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
