//! Parameters and body of a `#define`.

use crate::token::{Punct, Symbol};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

use super::input::Line;
use super::lexeme::Lexeme;
use super::macros::{Part, PartKind};
use super::preprocessor::Preprocessor;

/// The parenthesised names of a definition, and the start of the body.
pub(super) struct Parameters {
    pub(super) names: Vec<Symbol>,
    pub(super) variadic: bool,
    pub(super) body: usize,
}

impl Preprocessor<'_> {
    /// Reads `(a, b, ...)`, which starts with the second lexeme of the line.
    pub(super) fn parameters(&mut self, line: &Line) -> Result<Parameters, Box<Diagnostic>> {
        let unexpected = |at: usize, wanted: &str| {
            let span = line.lexemes.get(at).map_or(line.end, Lexeme::span);
            let message = "the parameters of this macro are not a list of names";
            Diagnostic::error("macro-parameters", span, message)
                .label(format!("expected {wanted}"))
                .note(
                    "a `(` directly after the name starts a parameter list; after a space it \
                     does not",
                )
        };
        let dots = |at: usize| {
            line.lexemes.get(at).is_some_and(|lexeme| lexeme.is(Punct::DotDot))
                && line.lexemes.get(at + 1).is_some_and(|lexeme| lexeme.is(Punct::Dot))
        };
        let closes = |at: usize| line.lexemes.get(at).is_some_and(|l| l.is(Punct::ParenClose));
        let mut names = Vec::new();
        let mut at = 2;
        if closes(at) {
            return Ok(Parameters { names, variadic: false, body: at + 1 });
        }
        loop {
            let named = line.lexemes.get(at).filter(|lexeme| lexeme.is_word()).copied();
            if let Some(name) = named {
                if names.contains(&name.token.text) {
                    let message = format!("two parameters are called `{}`", self.text(name.token));
                    return Err(Diagnostic::error("macro-parameters", name.span(), message).into());
                }
                names.push(name.token.text);
                at += 1;
            }
            if dots(at) {
                if named.is_none() {
                    names.push(self.interner.intern("__VA_ARGS__"));
                }
                if !closes(at + 2) {
                    return Err(unexpected(at + 2, "`)` behind `...`").into());
                }
                return Ok(Parameters { names, variadic: true, body: at + 3 });
            }
            match line.lexemes.get(at) {
                _ if named.is_none() => return Err(unexpected(at, "a parameter's name").into()),
                Some(next) if next.is(Punct::Comma) => at += 1,
                Some(next) if next.is(Punct::ParenClose) => {
                    return Ok(Parameters { names, variadic: false, body: at + 1 });
                }
                _ => return Err(unexpected(at, "`,` or `)`").into()),
            }
        }
    }

    /// Reads a body; `#` is an operator only in macros with parameters.
    pub(super) fn body(
        &mut self,
        lexemes: &[Lexeme],
        parameters: Option<&[Symbol]>,
    ) -> Result<Vec<Part>, Box<Diagnostic>> {
        let parameter = |lexeme: &Lexeme| {
            let names = parameters.filter(|_| lexeme.is_word() && !lexeme.suffix)?;
            names.iter().position(|&name| name == lexeme.token.text)
        };
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = lexemes.iter().peekable();
        while let Some(lexeme) = rest.next() {
            if lexeme.is(Punct::Paste) {
                match parts.last_mut() {
                    Some(part) if rest.peek().is_some() => part.pasted = true,
                    _ => return Err(edge_paste(lexeme.span()).into()),
                }
                continue;
            }
            let mut lexeme = *lexeme;
            let kind = if lexeme.is(Punct::Hash) && parameters.is_some() {
                let Some((index, next)) = rest.peek().and_then(|&l| Some((parameter(l)?, l)))
                else {
                    return Err(lonely_hash(lexeme.span()).into());
                };
                let spaced = lexeme.token.spaced;
                lexeme = *next;
                lexeme.token.spaced = spaced;
                rest.next();
                PartKind::Quoted(index)
            } else {
                parameter(&lexeme).map_or(PartKind::Token, PartKind::Parameter)
            };
            lexeme.in_body = true;
            parts.push(Part { kind, lexeme, pasted: false });
        }
        Ok(parts)
    }
}

fn edge_paste(span: Span) -> Diagnostic {
    Diagnostic::error("macro-paste", span, "`##` is at the edge of a macro's body")
        .label("`##` joins two tokens, and one is missing")
}

fn lonely_hash(span: Span) -> Diagnostic {
    Diagnostic::error("macro-quote", span, "`#` is not followed by a parameter of the macro")
        .label("expected a parameter")
        .note("in a macro with parameters, `#x` is the argument `x` as a string")
}
