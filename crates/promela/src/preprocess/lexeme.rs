//! Tokens with the flags that the preprocessor needs.

use crate::token::{Punct, Token, TokenKind};
use beeline_source::source::Span;

/// A token with the flags that the preprocessor needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    /// The physical line in its file, from 0.
    pub(super) line: u32,
    /// Never expanded: it occurred inside its own expansion.
    pub(super) painted: bool,
    /// A word that C reads as the end of the number before it, as in `1st`.
    pub(super) suffix: bool,
    /// A macro or an argument begins or ends just before it.
    pub(super) padded: bool,
    /// Written in a macro's body, not in running text.
    pub(super) in_body: bool,
    /// Comes from an expansion, not directly from a file.
    pub(super) expanded: bool,
}

impl Lexeme {
    pub(super) fn new(token: Token, line: u32) -> Self {
        Lexeme {
            token,
            line,
            painted: false,
            suffix: false,
            padded: false,
            in_body: false,
            expanded: false,
        }
    }

    pub(super) fn is(&self, punct: Punct) -> bool {
        self.token.kind == TokenKind::Punct(punct)
    }

    pub(super) fn is_word(&self) -> bool {
        self.token.kind == TokenKind::Word
    }

    pub(super) fn is_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    /// Whether it is the first token of a line of its file.
    pub(super) fn starts_line(&self) -> bool {
        self.token.starts_line
    }

    pub(super) fn span(&self) -> Span {
        self.token.span
    }
}
