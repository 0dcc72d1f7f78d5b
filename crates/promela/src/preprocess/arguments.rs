//! The arguments of a macro call.

use crate::token::Punct;
use beeline_source::diagnostic::Diagnostic;

use super::input::Purpose;
use super::lexeme::Lexeme;
use super::macros::Macro;
use super::preprocessor::Preprocessor;

/// The arguments of a call, one list for each parameter.
pub(super) struct Arguments {
    pub(super) lists: Vec<Vec<Lexeme>>,
    /// The call has no argument for the `...`: in `, ## __VA_ARGS__` the comma is dropped as well.
    pub(super) rest_omitted: bool,
}

/// Upper bound on an argument list: beyond it, the `)` is missing.
const MOST_LEXEMES: usize = 1_000_000;

impl Preprocessor<'_> {
    /// Reads the arguments of a call, including the `)`. The `(`, if the macro has parameters, has
    /// been read. `None` if the `)` is missing.
    pub(super) fn arguments(&mut self, name: Lexeme, called: &Macro) -> Option<Arguments> {
        let Some(parameters) = &called.parameters else {
            return Some(Arguments { lists: Vec::new(), rest_omitted: false });
        };
        let lists = self.argument_lists(name, called, parameters.len())?;
        Some(self.fit(name, called, parameters.len(), lists))
    }

    fn argument_lists(
        &mut self,
        name: Lexeme,
        called: &Macro,
        wanted: usize,
    ) -> Option<Vec<Vec<Lexeme>>> {
        let mut lists = vec![Vec::new()];
        let mut open = 0;
        let mut read = 0;
        loop {
            let mut lexeme = self.read(Purpose::Argument);
            read += 1;
            if lexeme.is_end() || read > MOST_LEXEMES {
                self.report_endless(name, called);
                return None;
            }
            if lexeme.is(Punct::ParenOpen) {
                open += 1;
            } else if lexeme.is(Punct::ParenClose) {
                if open == 0 {
                    self.charge(read, name.span());
                    return Some(lists);
                }
                open -= 1;
            } else if lexeme.is(Punct::Comma)
                && open == 0
                && !(called.variadic && lists.len() == wanted)
            {
                lists.push(Vec::new());
                continue;
            }
            // The disabled macros are those whose contexts are on the stack now; these contexts may
            // be popped before the argument is expanded.
            lexeme.painted |= self.macro_of(&lexeme).is_some_and(|found| found.disabled.get());
            lexeme.token.spaced |= lexeme.token.starts_line;
            lexeme.token.starts_line = false;
            lists.last_mut().expect("there is always a list").push(lexeme);
        }
    }

    /// Makes as many lists as there are parameters; reports a call with too many or too few.
    fn fit(
        &mut self,
        name: Lexeme,
        called: &Macro,
        wanted: usize,
        mut lists: Vec<Vec<Lexeme>>,
    ) -> Arguments {
        if wanted == 0 && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        let passed = lists.len();
        let rest_omitted =
            called.variadic && (passed < wanted || (passed == 1 && lists[0].is_empty()));
        let few_enough = passed <= wanted;
        let many_enough = passed >= wanted || (called.variadic && passed + 1 == wanted);
        if !few_enough || !many_enough {
            let least = if called.variadic { "at least " } else { "" };
            let wanted = wanted - usize::from(called.variadic);
            let plural = |count: usize| if count == 1 { "" } else { "s" };
            let text = self.text(name.token);
            let message = format!(
                "macro `{text}` takes {least}{wanted} argument{}, but this call passes {passed}",
                plural(wanted)
            );
            let error = Diagnostic::error("macro-arguments", name.span(), message)
                .label(format!("{passed} argument{} here", plural(passed)))
                .related(called.place, "the macro is defined here");
            self.diagnostics.push(error);
            // The last argument replaces missing ones, so that the parser does not report the gap.
            if let Some(last) = lists.last().filter(|_| !called.variadic).cloned() {
                lists.resize(wanted.max(passed), last);
            }
        }
        lists.resize_with(wanted, Vec::new);
        Arguments { lists, rest_omitted }
    }

    fn report_endless(&mut self, name: Lexeme, called: &Macro) {
        let message = format!("the arguments of macro `{}` are not closed", self.text(name.token));
        let error = Diagnostic::error("macro-unterminated", name.span(), message)
            .label("the `(` after this name has no `)`")
            .related(called.place, "the macro is defined here")
            .note("everything up to the end of the file became an argument");
        self.diagnostics.push(error);
    }
}
