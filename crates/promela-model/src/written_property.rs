//! Properties on the command line: `'invariant: EXPR'`, `'ltl: FORMULA'`, `'ctl: FORMULA'` and
//! `'mu: FORMULA'`. Each becomes a formula that is read together with the model.

use std::error::Error;
use std::fmt;

use beeline_model::PropertyKind;
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::{SourceMap, Span};

/// Prefix of the names of such formulas.
const PREFIX: &str = "__property_";

/// The markers of such properties, with their kinds.
const MARKS: [(&str, PropertyKind); 4] = [
    ("invariant:", PropertyKind::Invariant),
    ("ltl:", PropertyKind::Ltl),
    ("ctl:", PropertyKind::Ctl),
    ("mu:", PropertyKind::Mu),
];

/// Kind and text of a property that is written on the command line.
pub(crate) fn parse_written(property: &str) -> Option<(PropertyKind, &str)> {
    let begins = |&(mark, kind): &(&str, PropertyKind)| {
        property.trim_start().strip_prefix(mark).map(|text| (kind, text.trim()))
    };
    MARKS.iter().find_map(begins)
}

/// Whether a property is one that is written on the command line: a formula or an invariant.
pub fn is_written_property(property: &str) -> bool {
    parse_written(property).is_some()
}

/// Usual name of these texts in messages: the option that they are given with.
pub const COMMAND_LINE_SOURCE: &str = "--property";

/// Why the text of a property on the command line is not complete, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenError {
    /// The mistake.
    pub mistake: WrittenMistake,
    /// The offset of the mistake in the property, in bytes.
    pub at: usize,
}

/// A mistake in the text of a property on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenMistake {
    /// There is no text after the colon.
    Empty,
    /// A comment is not closed.
    OpenComment,
    /// This bracket closes none.
    Unopened(char),
    /// This bracket is missing at the end.
    Unclosed(char),
}

impl fmt::Display for WrittenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mistake {
            WrittenMistake::Empty => f.write_str("the text after the colon is empty"),
            WrittenMistake::OpenComment => f.write_str("a comment is not closed"),
            WrittenMistake::Unopened(found) => write!(f, "`{found}` has no opening bracket"),
            WrittenMistake::Unclosed(missing) => write!(f, "`{missing}` is missing"),
        }
    }
}

impl Error for WrittenError {}

/// Checks that a property of the command line is a complete text: it is read together with the
/// model, and must not swallow any of it.
///
/// # Errors
///
/// When a bracket or a comment is open, or there is no text at all.
pub fn check_written(property: &str) -> Result<(), WrittenError> {
    let Some((_, text)) = parse_written(property) else { return Ok(()) };
    let begin = property.trim_end().len() - text.len();
    let error = |mistake: WrittenMistake, at: usize| Err(WrittenError { mistake, at: begin + at });
    if text.is_empty() {
        return error(WrittenMistake::Empty, 0);
    }
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, found)) = rest.next() {
        match found {
            '/' if rest.next_if(|&(_, next)| next == '*').is_some() => {
                let mut before = ' ';
                let mut ends =
                    |next: char| std::mem::replace(&mut before, next) == '*' && next == '/';
                if !rest.any(|(_, next)| ends(next)) {
                    return error(WrittenMistake::OpenComment, at);
                }
            }
            '/' if rest.next_if(|&(_, next)| next == '/').is_some() => {
                rest.find(|&(_, next)| next == '\n');
            }
            '(' => open.push((')', at)),
            '[' => open.push((']', at)),
            '{' => open.push(('}', at)),
            ')' | ']' | '}' if open.pop().map(|(close, _)| close) != Some(found) => {
                return error(WrittenMistake::Unopened(found), at);
            }
            _ => {}
        }
    }
    open.pop().map_or(Ok(()), |(missing, at)| error(WrittenMistake::Unclosed(missing), at))
}

/// Promela source for the properties of the command line, to be read together with the model. Each
/// text is a line of its own, so that messages can point at it; they call it by the name of the
/// `option`.
pub fn formulas(properties: &[String], option: &str) -> String {
    let written = properties.iter().enumerate();
    let written =
        written.filter_map(|(at, property)| parse_written(property).map(|asked| (at, asked)));
    written
        .map(|(at, (kind, text))| {
            let name = formula_name(at);
            let (word, open, close) = match kind {
                PropertyKind::Invariant => ("ltl", "{ [] (", CLOSINGS[0]),
                kind => (kind.name(), "{", CLOSINGS[1]),
            };
            // The line break ends a comment at the end of the text.
            format!("\n{word} {name} {open}\n#line 1 \"{option}\"\n{text}\n{close}\n")
        })
        .collect()
}

/// The lines that close an invariant and a formula in this source.
const CLOSINGS: [&str; 2] = [") }", " }"];

/// Moves an error that the parser found in the closing line of a text of the command line to the
/// end of the text: the user has not written that line.
pub fn place_at_end(error: &mut Diagnostic, sources: &SourceMap, option: &str) {
    if *sources.location(error.span).file != *option {
        return;
    }
    let file = sources.file(error.span.file);
    let before = &file.text[..error.span.start as usize];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    if !CLOSINGS.contains(&file.text[line..].lines().next().unwrap_or_default()) {
        return;
    }
    let end = file.text[..line].trim_end().len() as u32;
    error.span = Span::new(error.span.file, end, end);
    if let Some((expected, _)) = error.message.split_once(", found ") {
        error.message = format!("{expected}, found the end of the text");
    }
}

/// The name of the formula for the property at this position of the command line.
pub(crate) fn formula_name(at: usize) -> String {
    format!("{PREFIX}{}", at + 1)
}

/// Whether a formula stands for a property of the command line.
pub(crate) fn is_written(formula: &str) -> bool {
    formula.starts_with(PREFIX)
}
