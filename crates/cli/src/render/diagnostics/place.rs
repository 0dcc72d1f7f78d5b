//! The display of a span: the lines around it, with line numbers as set by `#line`.
//!
//! The drawing library scans its whole input, so it gets only the relevant lines: a hundred
//! messages about a huge model stay fast.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{Origin, Snippet};
use beeline_promela::source::{FileId, SourceMap, Span};

use crate::render::diagnostics::clean::clean;

/// A span in a file that a reader can open.
pub(crate) struct Place<'a> {
    file: FileId,
    text: &'a str,
    /// Bytes of the file.
    range: Range<usize>,
    /// The file's name at this position, as set by `#line`.
    name: Arc<str>,
    /// Shown line number minus physical line.
    shift: i64,
    line: u32,
    column: u32,
}

/// Longer excerpts are not drawn: a line can be as long as a file.
const LONGEST: usize = 20_000;

impl<'a> Place<'a> {
    pub(crate) fn new(sources: &'a SourceMap, span: Span) -> Self {
        let span = sources.written(span);
        let file = sources.file(span.file);
        let text: &str = &file.text;
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary(span.end as usize).max(start);
        let location = sources.location(Span { start: start as u32, ..span });
        let shift = i64::from(location.line) - file.line_of(start as u32) as i64;
        Place {
            file: span.file,
            text,
            range: start..end,
            name: location.file,
            shift,
            line: location.line,
            column: location.column,
        }
    }

    /// Whether both fit into one excerpt: the same part of a file, with consistent line numbers.
    pub(crate) fn shares_snippet(&self, other: &Place<'_>) -> bool {
        (self.file, self.shift, &self.name) == (other.file, other.shift, &other.name)
            && self.range.start.abs_diff(other.range.start) <= LONGEST / 2
    }

    /// File, line and column, for text that is too long to be drawn.
    pub(crate) fn origin(&self) -> Origin<'a> {
        Origin::path(clean(&self.name)).line(self.line as usize).char_column(self.column as usize)
    }

    /// Whether `other` lies within this.
    pub(crate) fn encloses(&self, other: &Place<'_>) -> bool {
        self.file == other.file
            && self.range.start <= other.range.start
            && other.range.end <= self.range.end
    }

    /// The whole lines of the span.
    fn lines(&self) -> Range<usize> {
        let start = self.text[..self.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[self.range.end..].find('\n');
        start..end.map_or(self.text.len(), |length| self.range.end + length)
    }
}

/// An excerpt of the source with some spans.
pub(crate) struct Excerpt<'a> {
    text: &'a str,
    /// The offset of `text` in the file.
    start: usize,
    name: Arc<str>,
    line: usize,
}

impl<'a> Excerpt<'a> {
    /// The lines from the first to the last of `places`, which must share a
    /// snippet and not be empty.
    pub(crate) fn around(places: &[&Place<'a>]) -> Self {
        let one = places[0];
        let start = places.iter().map(|place| place.lines().start).min().unwrap_or(0);
        let end = places.iter().map(|place| place.lines().end).max().unwrap_or(start);
        let until = &one.text[start..one.range.start.max(start)];
        let lines = until.bytes().filter(|&byte| byte == b'\n').count();
        Excerpt {
            text: &one.text[start..end],
            start,
            name: one.name.clone(),
            line: (one.line as usize).saturating_sub(lines),
        }
    }

    /// Whether it is short enough to be drawn.
    pub(crate) fn fits(&self) -> bool {
        self.text.len() <= LONGEST
    }

    /// A snippet without marks.
    pub(crate) fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text).line_start(self.line).path(clean(&self.name))
    }

    /// The range of a span in this text.
    pub(crate) fn range(&self, place: &Place<'_>) -> Range<usize> {
        place.range.start - self.start..place.range.end - self.start
    }
}
