//! `#if` and the other conditional directives: which groups of lines are read.

use crate::token::{Punct, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

use super::expression::evaluate;

use super::input::{Condition, Line, Purpose};
use super::lexeme::Lexeme;
use super::preprocessor::Preprocessor;

/// The condition of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Expression,
    Defined,
    Undefined,
}

/// Upper bound on the messages about missing `#endif`s of one file.
const MOST_REPORTS: usize = 5;

impl Preprocessor<'_> {
    /// Whether the lines being read are skipped.
    pub(super) fn skipping(&self) -> bool {
        let frame = self.frames.last().expect("the root file is popped by nobody");
        frame.conditions.last().is_some_and(|condition| !condition.active)
    }

    /// `#if`, `#ifdef`, `#ifndef`.
    pub(super) fn open(&mut self, directive: Span, test: Test) {
        let skipped = self.skipping();
        let active = !skipped && self.holds(directive, test);
        let condition =
            Condition { opened: directive, active, settled: active || skipped, otherwise: None };
        self.frame().conditions.push(condition);
    }

    /// `#elif` and its variants. A condition after a taken group is not evaluated.
    pub(super) fn alternative(&mut self, directive: Span, test: Test) {
        if !self.expect_open(directive) {
            return;
        }
        let active = !self.condition().settled && self.holds(directive, test);
        let condition = self.condition();
        condition.active = active;
        condition.settled |= active;
    }

    /// `#else`.
    pub(super) fn otherwise(&mut self, directive: Span) {
        if !self.expect_open(directive) {
            return;
        }
        let condition = self.condition();
        condition.active = !condition.settled;
        condition.settled = true;
        condition.otherwise = Some(directive);
        if !self.skipping() {
            let line = self.rest_of_line(directive);
            self.warn_of_extra(&line.lexemes, "else");
        }
    }

    /// `#endif`.
    pub(super) fn close(&mut self, directive: Span) {
        if self.frame().conditions.pop().is_none() {
            self.report_unopened(directive);
        }
        if !self.skipping() {
            let line = self.rest_of_line(directive);
            self.warn_of_extra(&line.lexemes, "endif");
        }
    }

    /// At the end of a file, reports every `#if` that is not closed.
    pub(super) fn report_open_conditions(&mut self) {
        let conditions = std::mem::take(&mut self.frame().conditions);
        for condition in conditions.iter().take(MOST_REPORTS) {
            let name = self.sources.text(condition.opened);
            let message = format!("this `#{name}` has no `#endif`");
            let mut error = Diagnostic::error("unterminated-if", condition.opened, message)
                .label("opened here, and open until the end of the file");
            if let Some(otherwise) = condition.otherwise {
                error = error.related(otherwise, "its `#else` is here");
            }
            self.diagnostics.push(error.help("add `#endif` where the conditional part ends"));
        }
    }

    fn condition(&mut self) -> &mut Condition {
        self.frame().conditions.last_mut().expect("looked for by the caller")
    }

    /// Whether there is an `#if` for an `#elif` or `#else`.
    fn expect_open(&mut self, directive: Span) -> bool {
        let name = self.sources.text(directive).to_owned();
        let Some(condition) = self.frame().conditions.last() else {
            self.report_unopened(directive);
            self.rest_of_line(directive);
            return false;
        };
        let Some(otherwise) = condition.otherwise else {
            return true;
        };
        let opened = condition.opened;
        let message = format!("`#{name}` follows the `#else` of its `#if`");
        let error = Diagnostic::error("misplaced-else", directive, message)
            .related(opened, "the `#if` is here")
            .related(otherwise, "its `#else` is here")
            .help("the `#else` comes last; is an `#endif` missing between the two?");
        self.diagnostics.push(error);
        self.condition().active = false;
        false
    }

    fn report_unopened(&mut self, directive: Span) {
        let name = self.sources.text(directive);
        let message = format!("`#{name}` without an `#if`");
        let error = Diagnostic::error("unopened-if", directive, message)
            .label("no `#if`, `#ifdef` or `#ifndef` is open here");
        self.diagnostics.push(error);
    }

    /// Reads the rest of the line and evaluates the condition.
    fn holds(&mut self, directive: Span, test: Test) -> bool {
        let line = self.rest_of_line(directive);
        if test == Test::Expression {
            return self.expression_holds(directive, line);
        }
        let keyword = self.sources.text(directive).to_owned();
        let Some(name) = self.macro_name(&line, &keyword) else {
            return false;
        };
        self.warn_of_extra(&line.lexemes[1..], &keyword);
        self.macros.contains_key(&name.token.text) == (test == Test::Defined)
    }

    fn expression_holds(&mut self, directive: Span, line: Line) -> bool {
        let end = line.end;
        if line.lexemes.is_empty() {
            let message = format!("`#{}` lacks a condition", self.sources.text(directive));
            let error = Diagnostic::error("condition", end, message)
                .label("expected an expression")
                .help("to test whether a macro is defined, write `#ifdef NAME`");
            self.diagnostics.push(error);
            return false;
        }
        let tokens = self.in_directive(directive, |this| this.condition_tokens(line.lexemes, end));
        match tokens.and_then(|tokens| evaluate(&tokens, end, self.interner)) {
            Ok(holds) => holds,
            Err(error) => {
                self.diagnostics.push(*error);
                false
            }
        }
    }

    /// A condition with its macros expanded and each `defined` evaluated.
    fn condition_tokens(
        &mut self,
        lexemes: Vec<Lexeme>,
        end: Span,
    ) -> Result<Vec<Token>, Box<Diagnostic>> {
        let mut tokens = Ok(Vec::new());
        self.with_list(lexemes, end, |this| {
            let mut expanded = Vec::new();
            loop {
                let lexeme = this.next();
                if lexeme.is_end() {
                    break;
                }
                if !(lexeme.is_word() && this.text(lexeme.token) == "defined") {
                    expanded.push(lexeme.token);
                    continue;
                }
                match this.defined(lexeme) {
                    Ok(token) => expanded.push(token),
                    Err(error) => {
                        tokens = Err(error);
                        return;
                    }
                }
            }
            tokens = Ok(expanded);
        });
        tokens
    }

    /// `defined NAME` or `defined(NAME)`, whose name is not expanded, as the
    /// number 1 or 0.
    fn defined(&mut self, keyword: Lexeme) -> Result<Token, Box<Diagnostic>> {
        let mut name = self.read(Purpose::Argument);
        let open = name.is(Punct::ParenOpen);
        if open {
            name = self.read(Purpose::Argument);
        }
        let wrong = |label: &str| {
            let message = "`defined` takes the name of one macro";
            Diagnostic::error("condition", keyword.span(), message)
                .label(label)
                .help("write `defined(NAME)`")
        };
        if !name.is_word() {
            return Err(wrong("no name follows").into());
        }
        if open && !self.read(Purpose::Argument).is(Punct::ParenClose) {
            return Err(wrong("the `)` after the name is missing").into());
        }
        let answer = if self.macros.contains_key(&name.token.text) { "1" } else { "0" };
        let text = self.interner.intern(answer);
        Ok(Token { kind: TokenKind::Number, text, ..keyword.token })
    }
}
