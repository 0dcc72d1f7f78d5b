//! Directives that define and undefine macros.

use std::cell::Cell;
use std::rc::Rc;

use crate::token::Punct;
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

use super::input::Line;
use super::lexeme::Lexeme;
use super::macros::Macro;
use super::preprocessor::Preprocessor;

impl Preprocessor<'_> {
    /// `#define`.
    pub(super) fn define(&mut self, directive: Span) {
        let line = self.rest_of_line(directive);
        let Some(name) = self.macro_name(&line, "define") else {
            return;
        };
        if let Err(diagnostic) = self.define_macro(name, &line) {
            self.diagnostics.push(*diagnostic);
        }
    }

    /// `#undef`.
    pub(super) fn undef(&mut self, directive: Span) {
        let line = self.rest_of_line(directive);
        if let Some(name) = self.macro_name(&line, "undef") {
            self.macros.remove(&name.token.text);
            self.warn_of_extra(&line.lexemes[1..], "undef");
        }
    }

    /// The name a directive starts with, or an error.
    pub(super) fn macro_name(&mut self, line: &Line, directive: &str) -> Option<Lexeme> {
        let error = match line.lexemes.first() {
            Some(name) if name.is_word() && self.text(name.token) == "defined" => {
                Diagnostic::error("macro-name", name.span(), "`defined` cannot be a macro's name")
                    .note("`defined` is an operator in the conditions of `#if` and `#elif`")
            }
            Some(name) if name.is_word() => return Some(*name),
            Some(other) => {
                let text = self.text(other.token);
                Diagnostic::error("macro-name", other.span(), "a macro's name must be a word")
                    .label(format!("`{text}` is not a word"))
                    .note(
                        "a word consists of letters, digits and `_`, and does not begin with a \
                         digit",
                    )
            }
            None => {
                let message = format!("`#{directive}` lacks the name of a macro");
                Diagnostic::error("macro-name", line.end, message).label("expected a name")
            }
        };
        self.diagnostics.push(error);
        None
    }

    fn define_macro(&mut self, name: Lexeme, line: &Line) -> Result<(), Box<Diagnostic>> {
        let called =
            line.lexemes.get(1).is_some_and(|next| next.is(Punct::ParenOpen) && !next.token.spaced);
        if let Some(next) = line.lexemes.get(1)
            && !next.token.spaced
            && !called
        {
            let message = "there is no space between the name of this macro and its body";
            let warning = Diagnostic::warning("macro-space", name.span(), message)
                .label(format!("`{}` is the name", self.text(name.token)))
                .related(next.span(), "the body starts here")
                .fix("put a space between them", name.span().after(), " ");
            self.diagnostics.push(warning);
        }
        let parameters = called.then(|| self.parameters(line)).transpose()?;
        let body_start = parameters.as_ref().map_or(1, |parameters| parameters.body);
        let names = parameters.as_ref().map(|parameters| &*parameters.names);
        let made = Macro {
            name: name.token.text,
            place: name.span(),
            body: self.body(&line.lexemes[body_start..], names)?,
            variadic: parameters.as_ref().is_some_and(|parameters| parameters.variadic),
            parameters: parameters.map(|parameters| parameters.names),
            builtin: None,
            disabled: Cell::new(false),
        };
        if let Some(old) = self.macros.get(&made.name) {
            if old.same_as(&made) {
                return Ok(());
            }
            if old.builtin.is_none() {
                let message =
                    format!("macro `{}` is defined again, and differently", self.text(name.token));
                let warning = Diagnostic::warning("macro-redefined", name.span(), message)
                    .label("this definition counts from here on")
                    .related(old.place, "first defined here")
                    .help("write `#undef` before a definition that is meant to replace another");
                self.diagnostics.push(warning);
            }
        }
        self.macros.insert(made.name, Rc::new(made));
        Ok(())
    }
}
