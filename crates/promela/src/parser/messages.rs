//! Tests of the next token, and the messages for unexpected tokens.

use super::{Broken, Parsed, Parser};
use crate::ast::Ident;
use crate::token::{Keyword, Punct, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::{ExpansionKind, Span};

impl Parser<'_> {
    pub(super) fn bump(&mut self) -> Token {
        let next = self.cursor.peek();
        let special = self.typedefs.contains(&next.text)
            || self.proctypes.contains(&next.text)
            || self.inlines.contains_key(&next.text);
        self.cursor.advance(!special)
    }

    pub(super) fn at(&self, punct: Punct) -> bool {
        self.cursor.peek().kind == TokenKind::Punct(punct)
    }

    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    /// The keyword at the cursor.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        keyword_of(self.cursor.peek())
    }

    /// Whether the token at the cursor is a name that is no keyword.
    pub(super) fn at_name(&self) -> bool {
        is_name(self.cursor.peek())
    }

    pub(super) fn at_separator(&self) -> bool {
        self.at(Punct::Semicolon) || (self.at(Punct::Arrow) && self.formula.is_none())
    }

    pub(super) fn eat(&mut self, punct: Punct) -> Option<Token> {
        self.at(punct).then(|| self.bump())
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> Option<Token> {
        self.at_keyword(keyword).then(|| self.bump())
    }

    pub(super) fn expect(&mut self, punct: Punct, place: &str) -> Parsed<Token> {
        match self.eat(punct) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(&format!("`{}` {place}", punct.text()))),
        }
    }

    /// Expects the token that closes `open`, and points to `open` if it is missing.
    pub(super) fn expect_closing(&mut self, punct: Punct, open: Span) -> Parsed<Token> {
        if let Some(token) = self.eat(punct) {
            return Ok(token);
        }
        if let Some(broken) = self.common_slip() {
            return Err(broken);
        }
        let diagnostic = self.unexpected_token(&format!("`{}`", punct.text()));
        Err(self.report(diagnostic.related(open, "to close this")))
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Parsed<Ident> {
        if self.at_name() {
            let token = self.bump();
            return Ok(self.ident(token));
        }
        if let Some(keyword) = self.keyword() {
            let span = self.cursor.peek().span;
            return Err(self.keyword_as_name(span, keyword, what));
        }
        Err(self.unexpected(what))
    }

    fn keyword_as_name(&mut self, span: Span, keyword: Keyword, what: &str) -> Broken {
        let text = keyword.text();
        self.report(
            Diagnostic::error(
                "keyword-as-name",
                span,
                format!("`{text}` is a keyword and cannot be {what}"),
            )
            .label("expected a name")
            .help(format!("choose another name, for example `{text}_`")),
        )
    }

    /// Reports that another token was expected here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Broken {
        if self.text_was_cut(self.cursor.peek()) {
            return Broken;
        }
        if self.diagnostics.is_full() {
            // The error will only be counted, so it needs no text.
            let span = self.cursor.peek().span;
            return self.report(Diagnostic::error("syntax-error", span, ""));
        }
        if let Some(broken) = self.common_slip() {
            return broken;
        }
        let diagnostic = self.unexpected_token(expected);
        self.report(diagnostic)
    }

    fn unexpected_token(&self, expected: &str) -> Diagnostic {
        let found = self.cursor.peek();
        let implied = self.cursor.at_implied();
        if implied {
            let next = self.cursor.look(0);
            let text = self.describe(next);
            return Diagnostic::error(
                "syntax-error",
                next.span,
                format!("expected {expected}, but the statement ended with the line before"),
            )
            .label(format!("{text} begins a new statement"))
            .note("Promela ends a statement at a line end, except inside parentheses")
            .help("put the operator at the end of the line before, or add parentheses");
        }
        let text = self.describe(found);
        let diagnostic = Diagnostic::error(
            "syntax-error",
            found.span,
            format!("expected {expected}, found {text}"),
        )
        .label(format!("expected {expected}"));
        if let TokenKind::Punct(punct) = found.kind {
            if found.starts_line && is_operator(punct) {
                return diagnostic
                    .note("Promela ends a statement at a line end, except inside parentheses")
                    .help("put the operator at the end of the line before, or add parentheses");
            }
            if punct == Punct::Semicolon
                && let Some(ExpansionKind::Macro(name)) = self.expansion_of(found)
            {
                return diagnostic
                    .note(format!("the semicolon is part of macro `{name}`"))
                    .help("a `#define` needs no semicolon at its end");
            }
        }
        diagnostic
    }

    fn expansion_of(&self, token: Token) -> Option<&ExpansionKind> {
        token.span.expansion.map(|id| &self.sources.expansion(id).kind)
    }

    /// `and`, `or` and `not` in place of `&&`, `||` and `!`, between two operands or before one.
    pub(super) fn operator_in_words(&self, first: Token, second: Token) -> Option<Diagnostic> {
        let spelling = |token: Token| match &**self.interner.text(token.text) {
            "and" => Some("&&"),
            "or" => Some("||"),
            "not" => Some("!"),
            "mod" => Some("%"),
            _ => None,
        };
        let (token, ours) = [first, second]
            .into_iter()
            .filter(|token| is_name(*token))
            .find_map(|token| Some((token, spelling(token)?)))?;
        let text = self.interner.text(token.text);
        Some(
            Diagnostic::error(
                "foreign-operator",
                token.span,
                format!("`{text}` is not an operator of Promela"),
            )
            .label("read as a name")
            .fix(format!("write `{ours}`"), token.span, ours),
        )
    }

    /// Recognises common mistakes by the token at the cursor and the one before it. Returns the
    /// reported error.
    fn common_slip(&mut self) -> Option<Broken> {
        let here = self.cursor.peek();
        if here.kind == TokenKind::Unknown {
            let text = self.interner.text(here.text).clone();
            let diagnostic = if text.starts_with('"') || text.starts_with('\'') {
                Diagnostic::error("unterminated-literal", here.span, "this literal has no end")
                    .label("the closing quote is missing")
            } else {
                unknown_character(here, &text)
            };
            return Some(self.report(diagnostic));
        }
        if let TokenKind::Punct(Punct::Dollar | Punct::Backslash) = here.kind {
            let text = self.interner.text(here.text).clone();
            return Some(self.report(unknown_character(here, &text)));
        }
        if self.cursor.at_implied() {
            return None;
        }
        let last = self.cursor.last_token()?;
        let two = |first: Punct, second: Punct| {
            last.kind == TokenKind::Punct(first) && here.kind == TokenKind::Punct(second)
        };
        if two(Punct::Colon, Punct::Assign) {
            return Some(
                self.report(
                    Diagnostic::error(
                        "c-operator",
                        last.span.to(here.span),
                        "Promela assigns with `=`, not `:=`",
                    )
                    .label("not an operator")
                    .fix("remove the colon", last.span, ""),
                ),
            );
        }
        let compound = [
            (Punct::Plus, "+"),
            (Punct::Minus, "-"),
            (Punct::Star, "*"),
            (Punct::Slash, "/"),
            (Punct::Percent, "%"),
        ];
        if let Some((_, op)) = compound.iter().find(|(punct, _)| two(*punct, Punct::Assign)) {
            return Some(
                self.report(
                    Diagnostic::error(
                        "c-operator",
                        last.span.to(here.span),
                        format!("Promela has no `{op}=`"),
                    )
                    .label("not an operator")
                    .help(format!("write `x = x {op} …`")),
                ),
            );
        }
        if here.kind == TokenKind::Punct(Punct::Assign)
            && let Some(keyword) = keyword_of(last)
        {
            return Some(self.keyword_as_name(last.span, keyword, "a variable"));
        }
        if here.kind == TokenKind::Punct(Punct::Assign) {
            return Some(
                self.report(
                    Diagnostic::error(
                        "assignment-in-expression",
                        here.span,
                        "an assignment cannot stand inside an expression",
                    )
                    .label("`=` assigns")
                    .fix("use `==` to compare", here.span, "=="),
                ),
            );
        }
        None
    }

    /// The token in words, for messages.
    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Word if token.text.keyword().is_some() => {
                format!("keyword `{}`", self.interner.text(token.text))
            }
            TokenKind::Word => format!("name `{}`", self.interner.text(token.text)),
            TokenKind::Number | TokenKind::Char => format!("`{}`", self.interner.text(token.text)),
            TokenKind::String => "a string".to_owned(),
            TokenKind::Punct(punct) => format!("`{}`", punct.text()),
            TokenKind::Unknown => format!("`{}`", self.interner.text(token.text).escape_debug()),
            TokenKind::End if self.expanding.is_empty() => "the end of the file".to_owned(),
            TokenKind::End => "the end of the inline".to_owned(),
        }
    }
}

pub(super) fn keyword_of(token: Token) -> Option<Keyword> {
    if token.kind == TokenKind::Word { token.text.keyword() } else { None }
}

pub(super) fn is_name(token: Token) -> bool {
    token.kind == TokenKind::Word && token.text.keyword().is_none()
}

/// Operators that need an operand before them.
fn is_operator(punct: Punct) -> bool {
    matches!(
        punct,
        Punct::Plus
            | Punct::Star
            | Punct::Slash
            | Punct::Percent
            | Punct::And
            | Punct::Or
            | Punct::Equal
            | Punct::NotEqual
            | Punct::Less
            | Punct::LessEqual
            | Punct::Greater
            | Punct::GreaterEqual
            | Punct::Amp
            | Punct::Pipe
            | Punct::Caret
    )
}

fn unknown_character(token: Token, text: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "unknown-character",
        token.span,
        format!("`{}` has no meaning in Promela", text.escape_debug()),
    )
    .label("unexpected character");
    let meant = match text {
        "“" | "”" | "„" | "«" | "»" => "\"",
        "‘" | "’" => "'",
        "–" | "—" | "−" => "-",
        "→" => "->",
        "≤" => "<=",
        "≥" => ">=",
        "≠" => "!=",
        "∧" => "&&",
        "∨" => "||",
        "¬" => "!",
        "×" | "·" => "*",
        _ => return diagnostic,
    };
    diagnostic.fix(format!("write `{meant}`"), token.span, meant)
}
