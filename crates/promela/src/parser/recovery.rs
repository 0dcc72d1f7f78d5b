//! Error recovery: where parsing continues after an error.

use super::Parser;
use super::messages::keyword_of;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// Skips the rest of a broken statement: up to a separator or a closing word of the enclosing
    /// construct; constructs in between are skipped as a whole.
    pub(super) fn skip_statement(&mut self) {
        self.cursor.forget_parens();
        let mut open = 0usize;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Punct(Punct::BraceOpen) => open += 1,
                TokenKind::Punct(Punct::BraceClose) if open == 0 => return,
                TokenKind::Punct(Punct::BraceClose) => open -= 1,
                TokenKind::Punct(Punct::Semicolon | Punct::Arrow | Punct::Option) if open == 0 => {
                    return;
                }
                TokenKind::Word => match keyword_of(token) {
                    Some(Keyword::If | Keyword::Do) => open += 1,
                    Some(Keyword::Fi | Keyword::Od) if open == 0 => return,
                    Some(Keyword::Fi | Keyword::Od) => open -= 1,
                    Some(keyword) if open == 0 && begins_unit(keyword) => return,
                    _ => {}
                },
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the next token that can begin a top-level part.
    pub(super) fn skip_unit(&mut self) {
        self.cursor.forget_parens();
        self.cursor.in_body = false;
        let mut open = 0usize;
        let mut first = true;
        loop {
            let token = self.cursor.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Punct(Punct::BraceOpen) => open += 1,
                TokenKind::Punct(Punct::BraceClose) if open <= 1 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::BraceClose) => open -= 1,
                TokenKind::Punct(Punct::Semicolon) if open == 0 && !first => return,
                TokenKind::Word if !first => {
                    let unit = keyword_of(token).is_some_and(|keyword| {
                        begins_unit(keyword)
                            || (open == 0 && token.starts_line && begins_declaration(keyword))
                    });
                    if unit {
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
            first = false;
        }
    }
}

/// Keywords that only begin top-level parts.
pub(super) fn begins_unit(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Active
            | Keyword::Proctype
            | Keyword::DProctype
            | Keyword::Init
            | Keyword::Never
            | Keyword::Trace
            | Keyword::Notrace
            | Keyword::Ltl
            | Keyword::Inline
            | Keyword::Typedef
            | Keyword::CDecl
            | Keyword::CState
            | Keyword::CTrack
    )
}

/// Keywords that begin a declaration of variables.
pub(super) fn begins_declaration(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Hidden
            | Keyword::Show
            | Keyword::Local
            | Keyword::Bit
            | Keyword::Bool
            | Keyword::Byte
            | Keyword::Pid
            | Keyword::Short
            | Keyword::Int
            | Keyword::Unsigned
            | Keyword::Mtype
            | Keyword::Chan
    )
}
