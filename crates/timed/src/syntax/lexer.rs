//! Tokens of UPPAAL's language.

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::Span;

use super::fragment::Fragment;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word(Arc<str>),
    /// A number.
    Number(i64),
    /// A floating point number.
    Double,
    /// A string, without its quotes.
    Text(Arc<str>),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: TokenKind,
    /// Its position.
    pub(crate) span: Span,
}

/// Operators and brackets; a longer one stands before its beginnings.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "-->", "&&", "||", "<<", ">>", "<?", ">?", "<=", ">=", "==", "!=", ":=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?", "'", "@",
    "#",
];

/// The tokens of a text; the last one is the end.
pub(crate) fn tokens(fragment: &Fragment, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let text = &fragment.text;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let from = at;
        let is_continued = rest.starts_with("\\\n") || rest.starts_with("\\\r\n") || rest == "\\";
        if next.is_whitespace() || next == '\u{feff}' || is_continued {
            at += next.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            at += match comment.find("*/") {
                Some(end) => end + 4,
                None => {
                    let span = fragment.span(from, from + 2);
                    diagnostics.push(
                        Diagnostic::error("timed-syntax", span, "a comment has no end")
                            .help("end it with `*/`"),
                    );
                    rest.len()
                }
            };
            continue;
        }
        let kind = if next.is_alphabetic() || next == '_' || next == '$' {
            let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '#');
            let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
            at += end;
            TokenKind::Word(rest[..end].into())
        } else if next.is_ascii_digit() {
            at += number_length(rest);
            number(&text[from..at], fragment.span(from, at), diagnostics)
        } else if next == '"' {
            at += rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            TokenKind::Text(text[from..at].trim_matches('"').into())
        } else if let Some(symbol) = SYMBOLS.iter().find(|&&symbol| rest.starts_with(symbol)) {
            at += symbol.len();
            TokenKind::Symbol(symbol)
        } else {
            at += next.len_utf8();
            let message = format!("the character `{next}` has no meaning here");
            let span = fragment.span(from, at);
            diagnostics.push(Diagnostic::error("timed-syntax", span, message));
            continue;
        };
        found.push(Token { kind, span: fragment.span(from, at) });
    }
    found.push(Token { kind: TokenKind::End, span: fragment.span(text.len(), text.len()) });
    found
}

/// The bytes of a number, with a fraction and an exponent if there are some.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') && text[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        end = digits(end + 1);
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        if exponent[sign..].starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

fn number(text: &str, span: Span, diagnostics: &mut Diagnostics) -> TokenKind {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return TokenKind::Double;
    }
    match text.parse::<i64>() {
        Ok(number) if number <= i64::from(i32::MAX) + 1 => TokenKind::Number(number),
        _ => {
            let message = format!("the number {text} does not fit in 32 bits");
            diagnostics.push(Diagnostic::error("timed-number", span, message));
            TokenKind::Number(0)
        }
    }
}
