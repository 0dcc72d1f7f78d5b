//! The token stream as the grammar sees it, with the semicolons that a model may omit.
//!
//! SPIN (since 6.3) puts a semicolon
//! - at a line end inside a body, outside parentheses, after a token that can
//!   end a statement;
//! - after `}` unless what follows cannot begin a statement;
//! - after `else` unless a separator or `fi` follows.
//!
//! They are real separators: an expression whose next line begins with an operator ends before it.
//! Such a semicolon has an empty span after the token it follows.

use crate::token::{Keyword, Punct, Token, TokenKind};

/// The kind of the token consumed last, as far as it matters for implied semicolons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    CloseBrace,
    Else,
    EndsStatement,
    Other,
}

/// A position in a token stream.
#[derive(Debug)]
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    last: Last,
    last_token: Option<Token>,
    /// The implied semicolon before the current token has been consumed.
    separated: bool,
    /// Whether this is inside a body or typedef, where line ends separate.
    pub(super) in_body: bool,
    parens: usize,
}

/// An interrupted stream, to be resumed.
pub(super) struct Suspended {
    tokens: Vec<Token>,
    at: usize,
    parens: usize,
}

impl Cursor {
    pub(super) fn new(tokens: Vec<Token>) -> Self {
        Cursor {
            tokens,
            at: 0,
            last: Last::Other,
            last_token: None,
            separated: false,
            in_body: false,
            parens: 0,
        }
    }

    /// The next token; the implied semicolon if there is one.
    pub(super) fn peek(&self) -> Token {
        let next = self.tokens[self.at];
        match self.last_token {
            Some(last) if self.implies_semicolon(next) => {
                Token { kind: TokenKind::Punct(Punct::Semicolon), span: last.span.after(), ..next }
            }
            _ => next,
        }
    }

    /// The token `ahead` positions further, without implied semicolons.
    pub(super) fn look(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Index of the next token, to be used with [`Cursor::slice`].
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Tokens from `start` up to the next one.
    pub(super) fn slice(&self, start: usize) -> &[Token] {
        &self.tokens[start..self.at]
    }

    /// The token consumed last.
    pub(super) fn last_token(&self) -> Option<Token> {
        self.last_token
    }

    /// Whether the next separator is an implied one.
    pub(super) fn at_implied(&self) -> bool {
        self.last_token.is_some() && self.implies_semicolon(self.tokens[self.at])
    }

    /// Consumes the next token. `name_ends`: it is a plain name, which can end a statement; names
    /// of types, proctypes and inlines cannot.
    pub(super) fn advance(&mut self, name_ends: bool) -> Token {
        let token = self.peek();
        if self.at_implied() {
            self.separated = true;
            return token;
        }
        self.separated = false;
        match token.kind {
            TokenKind::Punct(Punct::ParenOpen) => self.parens += 1,
            TokenKind::Punct(Punct::ParenClose) => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        self.last = classify(token, name_ends);
        self.last_token = Some(token);
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Begins to read another stream; `resume` returns to this one.
    pub(super) fn suspend(&mut self, tokens: Vec<Token>) -> Suspended {
        let suspended = Suspended {
            tokens: std::mem::replace(&mut self.tokens, tokens),
            at: std::mem::replace(&mut self.at, 0),
            parens: std::mem::replace(&mut self.parens, 0),
        };
        self.last = Last::Other;
        self.separated = false;
        suspended
    }

    /// Returns to a suspended stream. The other stream ended with a brace.
    pub(super) fn resume(&mut self, suspended: Suspended) {
        self.tokens = suspended.tokens;
        self.at = suspended.at;
        self.parens = suspended.parens;
        self.last = Last::CloseBrace;
        self.separated = false;
    }

    /// Drops the count of open parentheses, after an error in them.
    pub(super) fn forget_parens(&mut self) {
        self.parens = 0;
    }

    fn implies_semicolon(&self, next: Token) -> bool {
        if self.separated {
            return false;
        }
        let keyword = if next.kind == TokenKind::Word { next.text.keyword() } else { None };
        match self.last {
            Last::CloseBrace => {
                !matches!(
                    next.kind,
                    TokenKind::End
                        | TokenKind::Punct(
                            Punct::Option | Punct::BraceClose | Punct::Semicolon | Punct::Arrow
                        )
                ) && !matches!(
                    keyword,
                    Some(
                        Keyword::Proctype
                            | Keyword::Init
                            | Keyword::Never
                            | Keyword::Fi
                            | Keyword::Od
                            | Keyword::Unless
                    )
                )
            }
            Last::Else => {
                !matches!(next.kind, TokenKind::Punct(Punct::Semicolon | Punct::Arrow))
                    && keyword != Some(Keyword::Fi)
            }
            Last::EndsStatement => {
                next.starts_line
                    && self.in_body
                    && self.parens == 0
                    && !matches!(next.kind, TokenKind::Punct(Punct::Semicolon | Punct::Arrow))
            }
            Last::Other => false,
        }
    }
}

fn classify(token: Token, name_ends: bool) -> Last {
    match token.kind {
        TokenKind::Punct(Punct::BraceClose) => Last::CloseBrace,
        TokenKind::Punct(
            Punct::ParenClose | Punct::BracketClose | Punct::Increment | Punct::Decrement,
        )
        | TokenKind::Number
        | TokenKind::Char => Last::EndsStatement,
        TokenKind::Word => match token.text.keyword() {
            Some(Keyword::Else) => Last::Else,
            Some(
                Keyword::Od
                | Keyword::Fi
                | Keyword::Break
                | Keyword::True
                | Keyword::False
                | Keyword::Skip
                | Keyword::Timeout,
            ) => Last::EndsStatement,
            Some(_) => Last::Other,
            None if name_ends => Last::EndsStatement,
            None => Last::Other,
        },
        _ => Last::Other,
    }
}
