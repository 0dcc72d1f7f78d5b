//! The stack of files being read: lexemes of running text, where directives are executed and
//! skipped groups are omitted.

use crate::token::{Punct, TokenKind};
use beeline_source::source::Span;

use super::input::{Frame, Line, Purpose};
use super::lexeme::Lexeme;
use super::preprocessor::Preprocessor;

impl Preprocessor<'_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the root file is popped by nobody")
    }

    /// The next lexeme of the innermost file, of any kind.
    pub(super) fn lex(&mut self) -> Lexeme {
        let frame = self.frames.last_mut().expect("the root file is popped by nobody");
        if let Some(lexeme) = frame.peeked.take() {
            return lexeme;
        }
        let token = frame.lexer.token(self.interner, self.diagnostics);
        let mut lexeme = Lexeme::new(token, frame.lexer.token_line());
        // In C, `1N` is one number, in which no macro is expanded.
        lexeme.suffix = frame.behind_number
            && token.kind == TokenKind::Word
            && !token.spaced
            && !token.starts_line;
        frame.behind_number = token.kind == TokenKind::Number;
        lexeme
    }

    /// The rest of the line of a directive; `after` is the last span read.
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
