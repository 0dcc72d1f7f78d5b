//! Directives: the dispatch, and the short ones.

use crate::token::TokenKind;
use beeline_source::diagnostic::{Diagnostic, did_you_mean};
use beeline_source::source::Span;

use super::condition::Test;

use super::input::Line;
use super::lexeme::Lexeme;
use super::preprocessor::{Call, Preprocessor};

/// The directives; of two that are equally close to a misspelt one, the first is suggested.
const DIRECTIVES: [&str; 16] = [
    "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef",
    "include", "line", "error", "warning", "pragma", "ident",
];

impl Preprocessor<'_> {
    /// Executes the directive that starts with `hash`. In a skipped group, only conditionals are
    /// executed, since they may end it.
    pub(super) fn directive(&mut self, hash: Lexeme) {
        let name = self.lex();
        if name.starts_line() {
            // A `#` alone on its line does nothing.
            self.frame().peeked = Some(name);
            return;
        }
        let directive = self.interner.text(name.token.text).clone();
        let span = name.span();
        match &*directive {
            "if" => self.open(span, Test::Expression),
            "ifdef" => self.open(span, Test::Defined),
            "ifndef" => self.open(span, Test::Undefined),
            "elif" => self.alternative(span, Test::Expression),
            "elifdef" => self.alternative(span, Test::Defined),
            "elifndef" => self.alternative(span, Test::Undefined),
            "else" => self.otherwise(span),
            "endif" => self.close(span),
            _ if self.skipping() => {}
            "define" => self.define(span),
            "undef" => self.undef(span),
            "include" => self.include(span),
            "line" => self.set_line(span),
            "error" | "warning" => self.announce(&directive, span),
            "pragma" => self.pragma(span),
            "ident" | "sccs" => drop(self.rest_of_line(span)),
            _ if name.token.kind == TokenKind::Number => {
                let mut line = self.rest_of_line(span);
                line.lexemes.insert(0, name);
                self.mark_line(&line);
            }
            _ => self.unknown(hash, name),
        }
    }

    /// Expands the line of a directive like running text.
    pub(super) fn in_directive<T>(&mut self, place: Span, work: impl FnOnce(&mut Self) -> T) -> T {
        // A directive may occur between the arguments of a macro call.
        let call = std::mem::replace(&mut self.call, Call { span: place, line: 0 });
        let result = work(self);
        self.call = call;
        result
    }

    /// Warns of words after the end of a directive, as gcc does.
    pub(super) fn warn_of_extra(&mut self, extra: &[Lexeme], directive: &str) {
        if let (Some(first), Some(last)) = (extra.first(), extra.last()) {
            let span = first.span().to(last.span());
            let message = format!("`#{directive}` ends before this");
            let warning = Diagnostic::warning("directive-extra", span, message)
                .label("ignored")
                .help("make it a comment");
            self.diagnostics.push(warning);
        }
    }

    /// `#line 12 "file"`; macros are expanded in it.
    fn set_line(&mut self, directive: Span) {
        let mut line = self.rest_of_line(directive);
        let lexemes = std::mem::take(&mut line.lexemes);
        line.lexemes = self.in_directive(directive, |this| this.expand_list(lexemes, directive));
        self.mark_line(&line);
    }

    /// `12 "file"`, and flags, which are ignored.
    fn mark_line(&mut self, line: &Line) {
        let number = line.lexemes.first().filter(|first| first.token.kind == TokenKind::Number);
        let number = number.and_then(|first| self.text(first.token).parse().ok());
        let Some(number) = number else {
            let span = line.lexemes.first().map_or(line.end, Lexeme::span);
            let error = Diagnostic::error("line-directive", span, "`#line` lacks a line number")
                .label("expected a decimal number");
            self.diagnostics.push(error);
            return;
        };
        let name = match line.lexemes.get(1) {
            Some(name) if name.token.kind == TokenKind::String => {
                Some(self.text(name.token).trim_matches('"').to_owned())
            }
            Some(other) => {
                let message = "`#line` names a file without quotes";
                let error = Diagnostic::error("line-directive", other.span(), message)
                    .label("expected a string");
                self.diagnostics.push(error);
                None
            }
            None => None,
        };
        // The number is that of the next line.
        let file = self.frame().file;
        let text = &self.sources.file(file).text;
        let behind = line.end.start as usize;
        let next = text[behind..].find('\n').map_or(text.len(), |at| behind + at + 1);
        self.sources.add_line_mark(file, next as u32, number, name.as_deref());
    }

    /// `#error` and `#warning`.
    fn announce(&mut self, directive: &str, span: Span) {
        let line = self.rest_of_line(span);
        let text = match (line.lexemes.first(), line.lexemes.last()) {
            (Some(first), Some(last)) => self.sources.text(first.span().to(last.span())).trim(),
            _ => "",
        };
        let message = format!("`#{directive}`: {text}");
        let message = message.trim_end_matches(": ");
        let diagnostic = match directive {
            "error" => Diagnostic::error("error-directive", span, message),
            _ => Diagnostic::warning("warning-directive", span, message),
        };
        self.diagnostics.push(diagnostic.label("reported by the model itself"));
    }

    /// `#pragma once` is executed, so that the file is not included again; other pragmas are for
    /// compilers and ignored.
    fn pragma(&mut self, directive: Span) {
        let line = self.rest_of_line(directive);
        if line.lexemes.first().is_some_and(|first| self.text(first.token) == "once") {
            let file = self.frame().file;
            self.includes.only_once(self.sources.file(file).name.clone());
        }
    }

    fn unknown(&mut self, hash: Lexeme, name: Lexeme) {
        let text = self.interner.text(name.token.text).clone();
        let span = hash.span().to(name.span());
        let message = format!("there is no directive `#{text}`");
        let mut error = Diagnostic::error("unknown-directive", span, message)
            .note("a `#` at the start of a line is an instruction to the preprocessor");
        // Beyond the limit on messages, a suggestion would be wasted.
        if self.diagnostics.suppressed() == 0
            && let Some(meant) = did_you_mean(&text, DIRECTIVES)
        {
            error = error.label(format!("did you mean `#{meant}`?")).fix(
                format!("write `#{meant}`"),
                name.span(),
                meant,
            );
        }
        self.diagnostics.push(error);
        self.rest_of_line(name.span());
    }
}
