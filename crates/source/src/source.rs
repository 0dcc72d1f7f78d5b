//! Positions in source texts: files, spans, and the macro expansions that a token came through.
//!
//! A [`Span`] is a byte range of one file, plus the expansion that moved the text to where the
//! parser read it. Expansions form chains (a macro inside a macro inside an inline), so a message
//! can list every place involved.

use std::cmp::Ordering;
use std::sync::Arc;

/// A file of the [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// One expansion of a macro, an inline, or an include, in the [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpansionId(u32);

/// A byte range in a file, with the expansion that moved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file whose text this is.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The expansion that moved the text; `None` for text that is read in place.
    pub expansion: Option<ExpansionId>,
}

impl Span {
    /// A span of plain file text.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end, expansion: None }
    }

    /// The smallest span that covers `self` and `other`; `self` if the two have different files or
    /// expansions.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && self.expansion == other.expansion {
            Span { start: self.start.min(other.start), end: self.end.max(other.end), ..self }
        } else {
            self
        }
    }

    /// The empty span right after this one: the position of a missing token.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The same text, seen through `expansion`.
    pub fn within(self, expansion: ExpansionId) -> Span {
        Span { expansion: Some(expansion), ..self }
    }
}

/// The construct that moved text from its definition to its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A `#define`d macro of this name.
    Macro(Arc<str>),
    /// An `inline` of this name.
    Inline(Arc<str>),
    /// An argument of an `inline`, at one use of the parameter of this name.
    Argument(Arc<str>),
}

impl ExpansionKind {
    /// The name of the macro, inline or parameter.
    pub fn name(&self) -> &Arc<str> {
        let (ExpansionKind::Macro(name)
        | ExpansionKind::Inline(name)
        | ExpansionKind::Argument(name)) = self;
        name
    }
}

/// One step of an expansion chain.
#[derive(Clone, Debug)]
pub struct TextExpansion {
    /// The macro, inline or parameter that was replaced.
    pub kind: ExpansionKind,
    /// The use that caused it; its own `expansion` continues the chain.
    pub call_site: Span,
}

/// A position as shown to users. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file's name, as given or as a `#line` directive says.
    pub file: Arc<str>,
    /// Line, as a `#line` directive says if there is one.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
}

/// A line number set by `#line`.
#[derive(Clone, Debug)]
struct LineMark {
    /// The mark counts from the line that contains this byte.
    start: u32,
    line: u32,
    name: Option<Arc<str>>,
}

/// One file: its text, and where its lines begin.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name in messages.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The `#include` that included it.
    pub included_from: Option<Span>,
    /// Whether `#` or `##` made the text, so that it is in no file: messages point to the macro
    /// call instead.
    pub synthetic: bool,
    line_starts: Vec<u32>,
    marks: Vec<LineMark>,
}

impl SourceFile {
    /// Physical line (from 0) of a byte.
    pub fn line_of(&self, at: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The text of a physical line (from 0), without its line end.
    pub fn line_text(&self, line: usize) -> &str {
        let start = self.line_starts[line] as usize;
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// All files and expansions of one run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<TextExpansion>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add_file(&mut self, name: &str, text: &str, included_from: Option<Span>) -> FileId {
        self.push(name, text, included_from, false)
    }

    /// Adds text that a macro made.
    pub fn add_synthetic(&mut self, text: &str) -> FileId {
        self.push("<macro>", text, None, true)
    }

    fn push(&mut self, name: &str, text: &str, from: Option<Span>, synthetic: bool) -> FileId {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
            included_from: from,
            synthetic,
            line_starts,
            marks: Vec::new(),
        });
        id
    }

    /// Records `#line line "name"`: the line that contains byte `start` is `line`.
    pub fn add_line_mark(&mut self, file: FileId, start: u32, line: u32, name: Option<&str>) {
        let marks = &mut self.files[file.0 as usize].marks;
        let name = name.map(Into::into).or_else(|| marks.last().and_then(|mark| mark.name.clone()));
        marks.push(LineMark { start, line, name });
    }

    /// Records an expansion.
    pub fn add_expansion(&mut self, kind: ExpansionKind, call_site: Span) -> ExpansionId {
        let id = ExpansionId(self.expansions.len() as u32);
        self.expansions.push(TextExpansion { kind, call_site });
        id
    }

    /// A file by id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Every file, in the order added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Every file with its id, in the order added.
    pub fn files_with_ids(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(number, file)| (FileId(number as u32), file))
    }

    /// An expansion by id.
    pub fn expansion(&self, id: ExpansionId) -> &TextExpansion {
        &self.expansions[id.0 as usize]
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.start as usize..span.end as usize]
    }

    /// Name, line and column of a span's first character, as `#line` has it.
    pub fn location(&self, span: Span) -> SourceLocation {
        let span = self.written(span);
        let text = &self.file(span.file).text;
        let line_start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let column = text[line_start..span.start as usize].chars().count() as u32 + 1;
        let (file, line) = self.line(span);
        SourceLocation { file, line, column }
    }

    /// Name and line only: counting the column of a very long line takes time.
    pub fn line(&self, span: Span) -> (Arc<str>, u32) {
        let span = self.written(span);
        let file = self.file(span.file);
        let line = file.line_of(span.start);
        match file.marks[..file.marks.partition_point(|mark| mark.start <= span.start)].last() {
            Some(mark) => {
                let name = mark.name.clone().unwrap_or_else(|| file.name.clone());
                let below = (line - file.line_of(mark.start)) as u32;
                (name, mark.line.saturating_add(below))
            }
            None => (file.name.clone(), line as u32 + 1),
        }
    }

    /// The span itself, or, for synthetic text, the innermost macro call that is in a file.
    pub fn written(&self, span: Span) -> Span {
        let mut span = span;
        while self.file(span.file).synthetic {
            match span.expansion {
                Some(id) => span = self.expansion(id).call_site,
                None => break,
            }
        }
        span
    }

    /// The position where a reader of the model sees the text: the outermost call of the chain.
    pub fn outermost(&self, span: Span) -> Span {
        let mut span = span;
        while let Some(id) = span.expansion {
            span = self.expansion(id).call_site;
        }
        span
    }

    /// The smallest span that covers both. Text from different macros is joined at the calls that
    /// are in the same text.
    pub fn join(&self, first: Span, last: Span) -> Span {
        let outwards = |span: Span| span.expansion.map(|id| self.expansion(id).call_site);
        let (mut one, mut other) = (first, last);
        while (one.file, one.expansion) != (other.file, other.expansion) {
            // A call is recorded before the calls inside it, so an expansion with a larger number
            // is never around one with a smaller number.
            let stuck = match one.expansion.cmp(&other.expansion) {
                Ordering::Greater => outwards(one).map(|site| one = site).is_none(),
                Ordering::Less => outwards(other).map(|site| other = site).is_none(),
                Ordering::Equal => match (outwards(one), outwards(other)) {
                    (Some(a), Some(b)) => {
                        (one, other) = (a, b);
                        false
                    }
                    _ => true,
                },
            };
            if stuck {
                return first;
            }
        }
        one.to(other)
    }

    /// The expansions a span went through, innermost first.
    pub fn chain(&self, span: Span) -> impl Iterator<Item = &TextExpansion> {
        std::iter::successors(span.expansion.map(|id| self.expansion(id)), |step| {
            step.call_site.expansion.map(|id| self.expansion(id))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_columns_in_characters_and_lines_from_one() {
        let mut sources = SourceMap::default();
        let file = sources.add_file("m.pml", "aé x\nyy z", None);
        let at = |start| sources.location(Span::new(file, start, start));
        assert_eq!((at(4).line, at(4).column), (1, 4));
        assert_eq!((at(9).line, at(9).column), (2, 4));
    }

    #[test]
    fn line_marks_rename_what_follows() {
        let mut sources = SourceMap::default();
        let file = sources.add_file("m.pml", "a\nb\nc\n", None);
        sources.add_line_mark(file, 2, 70, Some("orig.pml"));
        let c = sources.location(Span::new(file, 4, 5));
        assert_eq!((&*c.file, c.line), ("orig.pml", 71));
        assert_eq!(sources.location(Span::new(file, 0, 1)).line, 1);
    }

    #[test]
    fn the_chain_leads_from_the_innermost_macro_to_the_call_in_the_file() {
        let mut sources = SourceMap::default();
        let file = sources.add_file("m.pml", "A", None);
        let call = Span::new(file, 0, 1);
        let outer = sources.add_expansion(ExpansionKind::Macro("A".into()), call);
        let inner = sources.add_expansion(ExpansionKind::Macro("B".into()), call.within(outer));
        let names: Vec<_> = sources.chain(call.within(inner)).map(|e| e.kind.clone()).collect();
        assert_eq!(names, [ExpansionKind::Macro("B".into()), ExpansionKind::Macro("A".into())]);
        assert_eq!(sources.outermost(call.within(inner)), call);
    }
}
