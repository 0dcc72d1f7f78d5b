//! Edits that fix a mistake.

use beeline_promela::diagnostic::Fix;
use beeline_promela::source::{SourceMap, Span};

/// The edit of a fix, if the text to change is in a file.
pub(crate) fn editable<'a>(fix: &'a Fix, sources: &SourceMap) -> Option<(Span, &'a str)> {
    let (span, replacement) = fix.edit.as_ref()?;
    let written = sources.written(*span) == *span && !sources.file(span.file).synthetic;
    written.then_some((*span, replacement))
}
