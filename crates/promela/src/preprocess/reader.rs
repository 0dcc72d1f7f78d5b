//! The stack of files being read: lexemes of running text, with directives
//! obeyed and skipped groups left out.

use crate::lexer::Lexer;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Punct, TokenKind};

use super::condition::Condition;
use super::{Lexeme, Preprocessor};

/// A file being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) file: FileId,
    pub(super) lexer: Lexer,
    /// A lexeme that was read too early.
    pub(super) peeked: Option<Lexeme>,
    /// The `#if`s that are open, the innermost last.
    pub(super) conditions: Vec<Condition>,
    /// The last lexeme was a number.
    behind_number: bool,
}

impl Frame {
    pub(super) fn new(file: FileId, sources: &SourceMap) -> Self {
        let lexer = Lexer::new(file, sources);
        Frame { file, lexer, peeked: None, conditions: Vec::new(), behind_number: false }
    }
}

/// What a lexeme is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be handed on.
    Text,
    /// To see whether a `(` follows a macro's name. A directive is not obeyed
    /// yet, for the lexeme may be put back.
    Parenthesis,
    /// As part of a macro's arguments, which end with their file at the latest.
    Argument,
}

/// The rest of a directive's line.
pub(super) struct Line {
    pub(super) lexemes: Vec<Lexeme>,
    /// Just behind the last of them.
    pub(super) end: Span,
}

impl Preprocessor<'_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the root file is popped by nobody")
    }

    /// The next lexeme of the innermost file, whatever it is.
    pub(super) fn lex(&mut self) -> Lexeme {
        let frame = self.frames.last_mut().expect("the root file is popped by nobody");
        if let Some(lexeme) = frame.peeked.take() {
            return lexeme;
        }
        let token = frame.lexer.token(self.interner, self.diagnostics);
        let mut lexeme = Lexeme::new(token, frame.lexer.token_line());
        // To C, `1N` is one number, in which no macro is expanded.
        lexeme.suffix = frame.behind_number
            && token.kind == TokenKind::Word
            && !token.spaced
            && !token.starts_line;
        frame.behind_number = token.kind == TokenKind::Number;
        lexeme
    }

    /// The rest of the line, for a directive that `after` belongs to.
    pub(super) fn rest_of_line(&mut self, after: Span) -> Line {
        let mut line = Line { lexemes: Vec::new(), end: after.after() };
        loop {
            let lexeme = self.lex();
            if lexeme.starts_line() {
                self.frame().peeked = Some(lexeme);
                return line;
            }
            line.end = lexeme.span().after();
            line.lexemes.push(lexeme);
        }
    }

    /// The next lexeme of running text.
    pub(super) fn read_file(&mut self, purpose: Purpose) -> Lexeme {
        loop {
            let lexeme = self.lex();
            if lexeme.is_end() {
                if purpose != Purpose::Text {
                    return lexeme;
                }
                self.report_open_conditions();
                if self.frames.len() == 1 {
                    return lexeme;
                }
                self.frames.pop();
                continue;
            }
            if lexeme.starts_line() && lexeme.is(Punct::Hash) && purpose != Purpose::Parenthesis {
                self.directive(lexeme);
                continue;
            }
            if self.skipping() {
                continue;
            }
            if lexeme.starts_line() && purpose == Purpose::Text {
                self.lines.start(lexeme.line);
            }
            return lexeme;
        }
    }
}
