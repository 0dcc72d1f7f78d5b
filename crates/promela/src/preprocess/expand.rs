//! Expansion: a stack of contexts, each with the tokens that a macro call expands to, read before
//! the file.
//!
//! A macro is disabled while its context is on the stack; an occurrence of its name meanwhile is
//! painted, so that it is never expanded. This is the algorithm of gcc's cpplib, and the tests
//! compare the result with gcc's.

use std::rc::Rc;

use crate::token::{Punct, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::{ExpansionKind, Span};

use super::input::{Context, Purpose, Source};
use super::lexeme::Lexeme;
use super::macros::Macro;
use super::preprocessor::{Call, Preprocessor};

/// Upper bound on calls nested in the arguments of one another.
const MOST_DEPTH: usize = 10_000;

impl Preprocessor<'_> {
    /// The next lexeme, with macros expanded.
    pub(super) fn next(&mut self) -> Lexeme {
        loop {
            let mut lexeme = self.read(Purpose::Text);
            match self.macro_of(&lexeme) {
                Some(found) if found.disabled.get() => lexeme.painted = true,
                Some(found) if self.enter(lexeme, &found) => continue,
                _ => {}
            }
            return lexeme;
        }
    }

    /// The macro that a lexeme names, if the lexeme may be expanded.
    pub(super) fn macro_of(&self, lexeme: &Lexeme) -> Option<Rc<Macro>> {
        if !lexeme.is_word() || lexeme.painted || lexeme.suffix || self.budget.left == 0 {
            return None;
        }
        self.macros.get(&lexeme.token.text).cloned()
    }

    /// The next lexeme, not expanded. At the end of a list this is `End`.
    pub(super) fn read(&mut self, purpose: Purpose) -> Lexeme {
        let mut lexeme = loop {
            let Some(context) = self.contexts.last_mut() else {
                break self.read_file(purpose);
            };
            if let Some(&lexeme) = context.lexemes.get(context.at) {
                context.at += 1;
                break Lexeme { expanded: true, ..lexeme };
            }
            match &context.source {
                Source::List => return self.end_of_list(),
                Source::Macro(done) => done.disabled.set(false),
            }
            self.contexts.pop();
            self.padded = true;
        };
        lexeme.padded |= std::mem::take(&mut self.padded);
        lexeme.token.spaced |= std::mem::take(&mut self.spaced);
        lexeme
    }

    /// Puts back what was just read.
    fn unread(&mut self, lexeme: Lexeme) {
        match self.contexts.last_mut() {
            None => self.frame().peeked = Some(lexeme),
            Some(context) if !lexeme.is_end() => context.at -= 1,
            Some(_) => {}
        }
        self.padded |= lexeme.padded;
        self.spaced |= lexeme.token.spaced;
    }

    fn end_of_list(&mut self) -> Lexeme {
        let span = self.call.span.after();
        let text = self.interner.intern("");
        let kind = TokenKind::End;
        Lexeme::new(Token { kind, text, span, starts_line: false, spaced: false }, self.call.line)
    }

    /// Replaces a macro's name, and its arguments if it takes some, by its body. False if this is
    /// not a call.
    fn enter(&mut self, name: Lexeme, found: &Rc<Macro>) -> bool {
        if self.contexts.is_empty() {
            self.call = Call { span: name.span(), line: name.line };
        }
        let lexemes = if let Some(builtin) = found.builtin {
            vec![self.builtin(builtin, name)]
        } else {
            if found.parameters.is_some() {
                let next = self.read(Purpose::Parenthesis);
                if !next.is(Punct::ParenOpen) {
                    self.unread(next);
                    return false;
                }
            }
            let Some(arguments) = self.arguments(name, found) else {
                // The `)` is missing, and the rest of the file has been read as arguments.
                return true;
            };
            let kind = ExpansionKind::Macro(self.interner.text(found.name).clone());
            let expansion = self.sources.add_expansion(kind, name.span());
            self.substitute(found, arguments, expansion)
        };
        self.push(name, found, lexemes);
        true
    }

    fn push(&mut self, name: Lexeme, entered: &Rc<Macro>, mut lexemes: Vec<Lexeme>) {
        if !self.charge(1, name.span()) {
            return;
        }
        match lexemes.first_mut() {
            Some(first) => first.token.spaced = name.token.spaced,
            None => self.spaced |= name.token.spaced,
        }
        for lexeme in &mut lexemes {
            lexeme.token.starts_line = false;
        }
        entered.disabled.set(true);
        self.padded = true;
        let source = Source::Macro(entered.clone());
        self.contexts.push(Context { lexemes, at: 0, source });
    }

    /// Expands a list of lexemes separately, as if nothing followed it.
    pub(super) fn expand_list(&mut self, lexemes: Vec<Lexeme>, place: Span) -> Vec<Lexeme> {
        let mut expanded = Vec::new();
        self.with_list(lexemes, place, |this| {
            loop {
                let lexeme = this.next();
                if lexeme.is_end() {
                    break;
                }
                expanded.push(lexeme);
            }
        });
        expanded
    }

    /// Runs `work` while only `lexemes` can be read.
    pub(super) fn with_list(
        &mut self,
        lexemes: Vec<Lexeme>,
        place: Span,
        work: impl FnOnce(&mut Self),
    ) {
        if self.budget.depth >= MOST_DEPTH {
            let message = "macro calls are nested too deeply in the arguments of one another";
            self.exhaust(Diagnostic::error("macro-too-deep", place, message));
            return;
        }
        self.budget.depth += 1;
        self.contexts.push(Context { lexemes, at: 0, source: Source::List });
        let (padded, spaced) = (self.padded, self.spaced);
        (self.padded, self.spaced) = (false, false);
        // Calls can be nested in arguments to any depth, so the stack may have to grow.
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || work(self));
        // Lexemes that `work` left unread are dropped.
        while let Some(Context { source: Source::Macro(left), .. }) = self.contexts.pop() {
            left.disabled.set(false);
        }
        (self.padded, self.spaced) = (padded, spaced);
        self.budget.depth -= 1;
    }

    /// Charges the budget with `amount` tokens. False if the budget is exhausted: then nothing more
    /// is expanded.
    pub(super) fn charge(&mut self, amount: usize, place: Span) -> bool {
        if self.budget.left > amount {
            self.budget.left -= amount;
            return true;
        }
        if self.budget.left > 0 {
            let message = format!("macros expand to more than {} tokens", self.budget.total);
            let error = Diagnostic::error("macro-bomb", place, message)
                .label("the limit was reached while this was expanded")
                .note("no macro is expanded from here on")
                .help("look for macros whose bodies use one another more than once");
            self.exhaust(error);
        }
        false
    }

    /// Stops expansion, and drops the current contexts.
    fn exhaust(&mut self, error: Diagnostic) {
        self.diagnostics.push(error);
        self.budget.left = 0;
        for context in &mut self.contexts {
            context.at = context.lexemes.len();
        }
    }
}
