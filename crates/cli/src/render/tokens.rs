//! Tokens, one per line: position, kind, text, and the chain of macros.

use std::fmt::Write;

use beeline_promela::Frontend;
use beeline_promela::source::{SourceMap, Span};
use beeline_promela::token::{Token, TokenKind};

/// The tokens as a table.
pub(crate) fn dump(result: &Frontend) -> String {
    let places: Vec<String> =
        result.tokens.iter().map(|token| place(token.span, &result.sources)).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    let mut table = String::new();
    for (token, place) in result.tokens.iter().zip(&places) {
        let text = result.interner.text(token.text);
        let origin = origin(token.span, &result.sources);
        let line = format!("{place:width$}  {:7}  {text}{origin}", kind(token));
        writeln!(table, "{}", line.trim_end()).expect("strings take all text");
    }
    table
}

fn place(span: Span, sources: &SourceMap) -> String {
    let location = sources.location(span);
    format!("{}:{}:{}", location.file, location.line, location.column)
}

fn kind(token: &Token) -> &'static str {
    match token.kind {
        TokenKind::Word if token.text.keyword().is_some() => "keyword",
        TokenKind::Word => "name",
        TokenKind::Number => "number",
        TokenKind::String => "string",
        TokenKind::Char => "char",
        TokenKind::Punct(_) => "punct",
        TokenKind::Unknown => "unknown",
        TokenKind::End => "end",
    }
}

/// `  <- inner <- outer`, or nothing for text outside macros.
fn origin(span: Span, sources: &SourceMap) -> String {
    let calls = sources.chain(span).map(|call| format!(" <- {}", call.kind.name()));
    let calls: String = calls.collect();
    if calls.is_empty() { calls } else { format!(" {calls}") }
}
