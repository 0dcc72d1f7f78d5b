//! A position in the tokens of a text, with what a parser asks and tells there.
//!
//! Parsing never fails as a whole: a mistake is a diagnostic, and the parser goes on at the next
//! place where it can.

use std::sync::Arc;

use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::Span;

use super::fragment::Fragment;
use super::lexer::{Token, TokenKind, tokens};
use super::tree::Ident;

/// The parser gave up at this place; the mistake is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

/// The result of parsing a part.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// The levels of nested brackets and statements that a text may have.
const MOST_LEVELS: usize = 200;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "imply",
    "true",
    "false",
    "forall",
    "exists",
    "sum",
    "int",
    "bool",
    "clock",
    "chan",
    "const",
    "urgent",
    "broadcast",
    "void",
    "struct",
    "typedef",
    "scalar",
    "if",
    "else",
    "while",
    "for",
    "do",
    "return",
    "process",
    "state",
    "commit",
    "init",
    "trans",
    "system",
    "guard",
    "sync",
    "assign",
    "select",
    "meta",
];

/// A position in the tokens of a text.
pub(crate) struct Cursor<'d> {
    tokens: Vec<Token>,
    at: usize,
    levels: usize,
    /// Where mistakes are told.
    pub(crate) diagnostics: &'d mut Diagnostics,
}

impl<'d> Cursor<'d> {
    /// The beginning of a text.
    pub(crate) fn new(fragment: &Fragment, diagnostics: &'d mut Diagnostics) -> Cursor<'d> {
        let tokens = tokens(fragment, diagnostics);
        Cursor { tokens, at: 0, levels: 0, diagnostics }
    }

    /// The next token.
    pub(crate) fn peek(&self) -> &TokenKind {
        self.peek_at(0)
    }

    /// A token after the next one.
    pub(crate) fn peek_at(&self, further: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + further).min(last)].kind
    }

    /// The position of the next token.
    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The position of the last token that was taken.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// From this position to the last token that was taken.
    pub(crate) fn since(&self, from: Span) -> Span {
        from.to(self.last_span())
    }

    /// How many tokens were taken.
    pub(crate) fn taken(&self) -> usize {
        self.at
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&self) -> bool {
        *self.peek() == TokenKind::End
    }

    /// Takes the next token.
    pub(crate) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Whether the next token is this symbol or keyword.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.is_at(0, text)
    }

    /// Whether a token after the next one is this symbol or keyword.
    pub(crate) fn is_at(&self, further: usize, text: &str) -> bool {
        match self.peek_at(further) {
            TokenKind::Symbol(symbol) => *symbol == text,
            TokenKind::Word(word) => **word == *text,
            _ => false,
        }
    }

    /// Takes this symbol or keyword, if it is next.
    pub(crate) fn accept(&mut self, text: &str) -> bool {
        let is_next = self.is(text);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Takes this symbol or keyword.
    ///
    /// # Errors
    ///
    /// When another one is next.
    pub(crate) fn expect(&mut self, text: &str, context: &str) -> Parsed<()> {
        if self.accept(text) {
            return Ok(());
        }
        self.fail(&format!("`{text}` is missing {context}"))
    }

    /// A name.
    ///
    /// # Errors
    ///
    /// When something else is next.
    pub(crate) fn name(&mut self, context: &str) -> Parsed<Ident> {
        match self.peek().clone() {
            TokenKind::Word(text) if !KEYWORDS.contains(&&*text) => {
                let span = self.span();
                self.advance();
                Ok(Ident { text, span })
            }
            _ => self.fail(&format!("{context} is missing")),
        }
    }

    /// Whether a name is next.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.peek(), TokenKind::Word(word) if !KEYWORDS.contains(&&**word))
    }

    /// Tells a mistake at the next token.
    ///
    /// # Errors
    ///
    /// Always.
    pub(crate) fn fail<T>(&mut self, message: &str) -> Parsed<T> {
        let found = match self.peek() {
            TokenKind::End => "here the text ends".to_owned(),
            TokenKind::Word(word) => format!("found `{word}`"),
            TokenKind::Number(number) => format!("found `{number}`"),
            TokenKind::Symbol(symbol) => format!("found `{symbol}`"),
            TokenKind::Double => "found a floating point number".to_owned(),
            TokenKind::Text(_) => "found a string".to_owned(),
        };
        let span = self.span();
        self.diagnostics.push(Diagnostic::error("timed-syntax", span, message).label(found));
        Err(Failed)
    }

    /// Refuses a feature of the language by its name.
    pub(crate) fn refuse(&mut self, span: Span, feature: &str) {
        self.diagnostics.push(refusal(span, feature));
    }

    /// Parses a part one level deeper.
    ///
    /// # Errors
    ///
    /// When there are too many levels, or the part has a mistake.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.levels >= MOST_LEVELS {
            return self.fail(&format!("more than {MOST_LEVELS} levels of nesting"));
        }
        self.levels += 1;
        let parsed = parse(self);
        self.levels -= 1;
        parsed
    }

    /// Skips to behind the next semicolon, or to a closing brace, outside brackets.
    pub(crate) fn skip_statement(&mut self) {
        let mut open = 0_usize;
        while !self.is_at_end() {
            match self.peek() {
                TokenKind::Symbol("{" | "(" | "[") => open += 1,
                TokenKind::Symbol("}") if open == 0 => return,
                TokenKind::Symbol("}" | ")" | "]") => open = open.saturating_sub(1),
                TokenKind::Symbol(";") if open == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Tells that something follows where the text should end.
    pub(crate) fn expect_end(&mut self, context: &str) {
        if !self.is_at_end() {
            let _ = self.fail::<()>(&format!("{context} should end here"));
        }
    }
}

/// A feature of the language that is refused.
pub(crate) fn refusal(span: Span, feature: &str) -> Diagnostic {
    let message = format!("{feature} are not supported");
    Diagnostic::error("timed-refused", span, message)
        .note("Beeline checks networks of timed automata: clocks with rate 1, integers, channels")
}

/// The text of a word, if the token is one.
pub(crate) fn word(token: &TokenKind) -> Option<&Arc<str>> {
    match token {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}
