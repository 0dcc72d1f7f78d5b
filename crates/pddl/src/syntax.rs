//! PDDL texts as trees of parentheses. Reading never fails: mistakes become diagnostics, and what
//! can be understood is kept.
//!
//! Names are not case-sensitive: words are in lower case.

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{FileId, Span};

/// The deepest nesting of parentheses, so that recursion is safe.
const DEEPEST: usize = 500;

/// The longest word.
const LONGEST_WORD: usize = 1_000;

/// A word or a list with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: NodeKind,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// A word, in lower case.
    Word(String),
    /// A list in parentheses.
    List(Vec<Node>),
}

impl Node {
    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Word(word) => Some(word),
            NodeKind::List(_) => None,
        }
    }

    /// The elements, if it is a list.
    pub(crate) fn list(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Word(_) => None,
            NodeKind::List(nodes) => Some(nodes),
        }
    }

    /// The first word of a list, and the rest.
    pub(crate) fn headed(&self) -> Option<(&Node, &str, &[Node])> {
        let (head, rest) = self.list()?.split_first()?;
        Some((head, head.word()?, rest))
    }
}

/// Reads the lists and words of a text.
pub(crate) fn parse(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let bytes = text.as_bytes();
    let span = |from: usize, to: usize| Span::new(file, from as u32, to as u32);
    let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
    let mut top: Vec<Node> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if diagnostics.is_full() {
            break;
        }
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => at += 1,
            b';' => {
                at =
                    bytes[at..].iter().position(|&one| one == b'\n').map_or(bytes.len(), |n| at + n)
            }
            b'(' => {
                if open.len() >= DEEPEST {
                    let message = format!("parentheses are nested deeper than {DEEPEST} levels");
                    diagnostics.push(Diagnostic::error("pddl-syntax", span(at, at + 1), message));
                    return top;
                }
                open.push((at, Vec::new()));
                at += 1;
            }
            b')' => {
                match open.pop() {
                    Some((from, nodes)) => {
                        let node = Node { span: span(from, at + 1), kind: NodeKind::List(nodes) };
                        open.last_mut().map_or(&mut top, |(_, nodes)| nodes).push(node);
                    }
                    None => diagnostics.push(
                        Diagnostic::error("pddl-syntax", span(at, at + 1), "`)` closes nothing")
                            .help("remove it, or add the `(` that it belongs to"),
                    ),
                }
                at += 1;
            }
            _ => {
                let is_end = |&one: &u8| one.is_ascii_whitespace() || b"();".contains(&one);
                let end = bytes[at..].iter().position(is_end).map_or(bytes.len(), |n| at + n);
                let word = &text[at..end];
                let bad = word.char_indices().find(|(_, one)| !is_letter(*one));
                if let Some((place, letter)) = bad {
                    let place = span(at + place, at + place + letter.len_utf8());
                    let message = format!("unexpected character {letter:?}");
                    diagnostics.push(Diagnostic::error("pddl-syntax", place, message).help(
                        "names consist of letters, digits, `-` and `_`; `;` begins a comment",
                    ));
                } else if word.len() > LONGEST_WORD {
                    let message = format!("a word of {} characters", word.len());
                    diagnostics.push(Diagnostic::error("pddl-syntax", span(at, end), message));
                } else {
                    let kind = NodeKind::Word(word.to_ascii_lowercase());
                    let node = Node { span: span(at, end), kind };
                    open.last_mut().map_or(&mut top, |(_, nodes)| nodes).push(node);
                }
                at = end;
            }
        }
    }
    // A list without an end has what follows it; the outermost one is reported.
    if let Some(&(from, _)) = open.first() {
        let count = open.len();
        let (inner, _) = open[count - 1];
        let missing = if count == 1 { "`)` is".to_owned() } else { format!("{count} `)` are") };
        let message = format!("{missing} missing at the end of the file");
        let end = span(bytes.len(), bytes.len());
        let mut diagnostic = Diagnostic::error("pddl-syntax", end, message)
            .related(span(from, from + 1), "this list has no end");
        if inner != from {
            diagnostic = diagnostic.related(span(inner, inner + 1), "nor has this one");
        }
        diagnostics.push(diagnostic);
    }
    while let Some((from, nodes)) = open.pop() {
        let node = Node { span: span(from, bytes.len()), kind: NodeKind::List(nodes) };
        open.last_mut().map_or(&mut top, |(_, nodes)| nodes).push(node);
    }
    top
}

/// Whether a character may be part of a word.
fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_?:=<>+*/.#@%!$&'[]^~|,".contains(letter)
}
