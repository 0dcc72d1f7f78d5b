//! The state of the preprocessor. Its methods are in the files of this module.

use std::collections::HashMap;
use std::rc::Rc;

use crate::token::{Interner, Symbol, Token};
use beeline_source::diagnostic::Diagnostics;
use beeline_source::source::{FileId, SourceMap, Span};

use super::input::{Budget, Context, Frame, Includes};
use super::lines::Lines;
use super::loader::FileLoader;
use super::macros::Macro;

/// The outermost macro call under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) span: Span,
    pub(super) line: u32,
}

/// The preprocessor.
pub(super) struct Preprocessor<'a> {
    pub(super) sources: &'a mut SourceMap,
    pub(super) interner: &'a mut Interner,
    pub(super) loader: &'a mut dyn FileLoader,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// Only looked up, never walked: the order of a hash map is no order.
    pub(super) macros: HashMap<Symbol, Rc<Macro>>,
    /// The files being read, the innermost last; never empty.
    pub(super) frames: Vec<Frame>,
    /// The expansions being read, the innermost last.
    pub(super) contexts: Vec<Context>,
    /// A macro has begun or ended since the last lexeme.
    pub(super) padded: bool,
    /// White space stood before a macro that expanded to nothing.
    pub(super) spaced: bool,
    pub(super) call: Call,
    pub(super) budget: Budget,
    pub(super) lines: Lines,
    /// The next value of `__COUNTER__`.
    pub(super) counter: u32,
    /// Files of text that `#` and `##` made, by that text.
    pub(super) synthetic: HashMap<Symbol, FileId>,
    pub(super) includes: Includes,
}

impl Preprocessor<'_> {
    pub(super) fn run(mut self) -> Vec<Token> {
        let mut output = Vec::new();
        loop {
            let lexeme = self.next();
            let line = if lexeme.expanded { self.call.line } else { lexeme.line };
            let starts_line = self.lines.place(&lexeme, line) || lexeme.is_end();
            output.push(Token { starts_line, ..lexeme.token });
            if lexeme.is_end() {
                return output;
            }
        }
    }

    /// The spelling of a token.
    pub(super) fn text(&self, token: Token) -> &str {
        self.interner.text(token.text)
    }
}
