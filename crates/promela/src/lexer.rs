//! Text to tokens, without failure and without recursion. A character that starts no token becomes
//! a [`TokenKind::Unknown`] token; the preprocessor may skip it (in a skipped `#if`, say),
//! otherwise the parser reports it.
//!
//! SPIN reads a model with two lexers, the C preprocessor's and its own, and they differ on
//! numbers: in C, `0..N` is one number. Here numbers are digits only, as in Promela.

use std::sync::{Arc, LazyLock};

use crate::token::{Interner, Punct, Symbol, Token, TokenKind};
use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{FileId, SourceMap, Span};

/// Reads one file, token by token.
#[derive(Clone, Debug)]
pub struct Lexer {
    text: Arc<str>,
    file: FileId,
    /// The next byte to read; always at a character boundary.
    at: usize,
    /// The physical line of `at`, from 0.
    line: u32,
    /// The physical line of the token read last.
    token_line: u32,
    /// Symbols of operators met before: most tokens are operators, and an array
    /// is faster than a hash table.
    operators: Vec<Option<Symbol>>,
}

/// Every token of a file as written; directives are not executed. The last is [`TokenKind::End`].
pub fn tokenize(
    file: FileId,
    sources: &SourceMap,
    interner: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut lexer = Lexer::new(file, sources);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.token(interner, diagnostics);
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

/// The operators that start with a given byte, longest first.
static OPERATORS: LazyLock<Vec<Vec<(&'static str, Punct)>>> = LazyLock::new(|| {
    let mut table = vec![Vec::new(); 128];
    for &(text, punct) in Punct::ALL {
        table[usize::from(text.as_bytes()[0])].push((text, punct));
    }
    table
});

/// The white space and comments between two tokens.
struct Gap {
    starts_line: bool,
    spaced: bool,
}

impl Lexer {
    /// A lexer at the start of a file.
    pub fn new(file: FileId, sources: &SourceMap) -> Self {
        let text = sources.file(file).text.clone();
        let operators = vec![None; Punct::ALL.len()];
        Lexer { text, file, at: 0, line: 0, token_line: 0, operators }
    }

    /// The next token; at the end of the file, always `End`. Only an unclosed comment is reported
    /// here.
    pub fn token(&mut self, interner: &mut Interner, diagnostics: &mut Diagnostics) -> Token {
        let gap = self.skip_gap(diagnostics);
        let start = self.at;
        self.token_line = self.line;
        let kind = match self.byte(start) {
            None => TokenKind::End,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.run(TokenKind::Word, is_word),
            Some(b'0'..=b'9') => self.run(TokenKind::Number, |byte| byte.is_ascii_digit()),
            Some(b'"') => self.string(),
            Some(b'\'') => self.character(),
            Some(byte) => self.operator(byte),
        };
        Token {
            kind,
            text: self.spelling(kind, start, interner),
            span: Span::new(self.file, start as u32, self.at as u32),
            starts_line: gap.starts_line || kind == TokenKind::End,
            spaced: gap.spaced,
        }
    }

    /// The physical line, from 0, on which the last token starts.
    pub(crate) fn token_line(&self) -> u32 {
        self.token_line
    }

    /// Reads `<name>` of an `#include`, if it is next on this line. The span covers the brackets.
    pub(crate) fn angled_name(&mut self) -> Option<(String, Span)> {
        let rest = &self.text[self.at..];
        let line = rest.split('\n').next().unwrap_or(rest);
        let start = self.at + line.len() - line.trim_start().len();
        let name = self.text[start..self.at + line.len()].strip_prefix('<')?;
        let name = &name[..name.find('>')?];
        let end = start + name.len() + 2;
        let name = name.to_owned();
        self.at = end;
        Some((name, Span::new(self.file, start as u32, end as u32)))
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The position after any backslash-newlines at `at`. As in gcc, blanks may stand between the
    /// backslash and the line end.
    fn past_splices(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') {
            let mut end = at + 1;
            while let Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) = self.byte(end) {
                end += 1;
            }
            if self.byte(end) != Some(b'\n') {
                break;
            }
            at = end + 1;
        }
        at
    }

    /// The byte read at `at`, and its physical position.
    fn logical(&self, at: usize) -> (Option<u8>, usize) {
        let at = self.past_splices(at);
        (self.byte(at), at)
    }

    /// Moves to `end`, counting the lines passed.
    fn advance(&mut self, end: usize) {
        let passed = &self.text.as_bytes()[self.at..end];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u32;
        self.at = end;
    }

    fn skip_gap(&mut self, diagnostics: &mut Diagnostics) -> Gap {
        let mut gap = Gap { starts_line: self.at == 0, spaced: false };
        if self.at == 0 && self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        loop {
            match self.byte(self.at) {
                Some(b'\n') => {
                    self.line += 1;
                    gap.starts_line = true;
                    self.at += 1;
                }
                // SPIN and gcc both ignore NUL.
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0) => self.at += 1,
                Some(b'\\') => {
                    let end = self.past_splices(self.at);
                    if end == self.at {
                        return gap;
                    }
                    self.advance(end);
                    // A splice itself is no white space.
                    continue;
                }
                Some(b'/') => match self.logical(self.at + 1) {
                    (Some(b'/'), _) => self.skip_line_comment(),
                    (Some(b'*'), star) => self.skip_block_comment(star + 1, diagnostics),
                    _ => return gap,
                },
                _ => return gap,
            }
            gap.spaced = true;
        }
    }

    fn skip_line_comment(&mut self) {
        let mut end = self.at;
        loop {
            match self.logical(end) {
                (None | Some(b'\n'), at) => return self.advance(at),
                (Some(_), at) => end = at + 1,
            }
        }
    }

    /// Skips past the `*/`; `inside` is the first byte of the comment's text.
    fn skip_block_comment(&mut self, inside: usize, diagnostics: &mut Diagnostics) {
        let mut end = inside;
        loop {
            match self.byte(end) {
                Some(b'*') => match self.logical(end + 1) {
                    (Some(b'/'), slash) => return self.advance(slash + 1),
                    _ => end += 1,
                },
                Some(_) => end += 1,
                None => break,
            }
        }
        let opening = Span::new(self.file, self.at as u32, inside as u32);
        let behind = Span::new(self.file, end as u32, end as u32);
        let error =
            Diagnostic::error("unterminated-comment", opening, "this comment is not closed")
                .label("starts here")
                .note("comments do not nest: the first `*/` ends the comment")
                .fix("close the comment", behind, "*/");
        diagnostics.push(error);
        self.advance(end);
    }

    fn run(&mut self, kind: TokenKind, belongs: impl Fn(u8) -> bool) -> TokenKind {
        let mut end = self.at + 1;
        while let (Some(byte), at) = self.logical(end)
            && belongs(byte)
        {
            end = at + 1;
        }
        self.advance(end);
        kind
    }

    /// A string, or, if the line ends before the string, the rest of the line as one unknown token.
    fn string(&mut self) -> TokenKind {
        let mut end = self.at + 1;
        let mut escaped = false;
        loop {
            match self.logical(end) {
                (None | Some(b'\n'), at) => {
                    let line = &self.text[self.at..at];
                    self.advance(self.at + line.trim_end_matches('\r').len());
                    return TokenKind::Unknown;
                }
                (Some(b'"'), at) if !escaped => {
                    self.advance(at + 1);
                    return TokenKind::String;
                }
                (Some(byte), at) => {
                    escaped = byte == b'\\' && !escaped;
                    end = at + 1;
                }
            }
        }
    }

    /// A character constant, or only its quote if it is not one.
    fn character(&mut self) -> TokenKind {
        let end = self.character_body(self.at + 1).map(|end| self.logical(end));
        match end {
            Some((Some(b'\''), quote)) => {
                self.advance(quote + 1);
                TokenKind::Char
            }
            _ => {
                self.at += 1;
                TokenKind::Unknown
            }
        }
    }

    /// One past the character, or the escape, that starts at `at`.
    fn character_body(&self, at: usize) -> Option<usize> {
        let at = self.past_splices(at);
        let first = self.text[at..].chars().next()?;
        if first != '\\' {
            return (!matches!(first, '\'' | '\n' | '\r')).then_some(at + first.len_utf8());
        }
        let at = self.past_splices(at + 1);
        let escape = self.text[at..].chars().next()?;
        let digits = |from: usize, belongs: fn(&u8) -> bool, most: usize| {
            let bytes = self.text.as_bytes()[from..].iter();
            from + bytes.take(most).take_while(|byte| belongs(byte)).count()
        };
        match escape {
            '\n' | '\r' => None,
            '0'..='7' => Some(digits(at, |byte| matches!(byte, b'0'..=b'7'), 3)),
            'x' => Some(digits(at + 1, u8::is_ascii_hexdigit, 8)),
            _ => Some(at + escape.len_utf8()),
        }
    }

    fn operator(&mut self, first: u8) -> TokenKind {
        let candidates = OPERATORS.get(usize::from(first)).map_or(&[][..], Vec::as_slice);
        for &(text, punct) in candidates {
            if let Some(end) = self.spelled(text)
                && !(punct == Punct::OrMath && matches!(self.logical(end).0, Some(b'/' | b'*')))
            {
                // In `\//` and `\/*` the slash starts a comment, as it does for gcc.
                self.advance(end);
                return TokenKind::Punct(punct);
            }
        }
        self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        TokenKind::Unknown
    }

    /// The end of `text`, if it starts here.
    fn spelled(&self, text: &str) -> Option<usize> {
        let mut end = self.at + 1;
        for &expected in &text.as_bytes()[1..] {
            match self.logical(end) {
                (Some(byte), at) if byte == expected => end = at + 1,
                _ => return None,
            }
        }
        Some(end)
    }

    /// The text from `start` to here, without backslash-newlines.
    fn spelling(&mut self, kind: TokenKind, start: usize, interner: &mut Interner) -> Symbol {
        if let TokenKind::Punct(punct) = kind {
            let known = &mut self.operators[punct as usize];
            return *known.get_or_insert_with(|| interner.intern(punct.text()));
        }
        if self.line == self.token_line {
            return interner.intern(&self.text[start..self.at]);
        }
        let mut spelling = String::new();
        let mut at = self.past_splices(start);
        // Splices after the token are not part of it, but `at` may skip them.
        while at < self.at
            && let Some(next) = self.text[at..].chars().next()
        {
            spelling.push(next);
            at = self.past_splices(at + next.len_utf8());
        }
        interner.intern(&spelling)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// One token per line: its kind, its spelling, `|` if it starts a line and `_` if it is spaced.
    fn check(input: &str, expected: Expect) {
        let mut sources = SourceMap::default();
        let mut interner = Interner::default();
        let mut diagnostics = Diagnostics::default();
        let file = sources.add_file("test.pml", input, None);
        let mut shown = String::new();
        for token in tokenize(file, &sources, &mut interner, &mut diagnostics) {
            let kind = match token.kind {
                TokenKind::Punct(punct) => format!("{punct:?}"),
                kind => format!("{kind:?}"),
            };
            let line = if token.starts_line { "|" } else { "" };
            let space = if token.spaced { "_" } else { "" };
            let Span { start, end, .. } = token.span;
            let text = interner.text(token.text);
            shown += &format!("{line}{space}{kind} {text} {start}..{end}\n");
        }
        for diagnostic in diagnostics.iter() {
            let Span { start, end, .. } = diagnostic.span;
            shown += &format!("{} {start}..{end}: {}\n", diagnostic.code, diagnostic.message);
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_range_is_a_number_two_dots_and_a_name() {
        check(
            "0..N",
            expect![[r#"
                |Number 0 0..1
                DotDot .. 1..3
                Word N 3..4
                |End  4..4
            "#]],
        );
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        check(
            "a<->b<-c->!!x",
            expect![[r#"
                |Word a 0..1
                Equivalent <-> 1..4
                Word b 4..5
                Less < 5..6
                Minus - 6..7
                Word c 7..8
                Arrow -> 8..10
                SortedSend !! 10..12
                Word x 12..13
                |End  13..13
            "#]],
        );
    }

    #[test]
    fn splices_join_words_operators_and_comments() {
        check(
            "ab\\\ncd\\\n |\\\r\n| // x \\\n still \n/\\\n* c *\\\n/ e",
            expect![[r#"
                |Word abcd 0..6
                _Or || 9..14
                |_Word e 42..43
                |End  43..43
            "#]],
        );
    }

    #[test]
    fn line_ends_inside_comments_start_no_line() {
        check(
            "a /* \n */ b // c\nd",
            expect![[r#"
                |Word a 0..1
                _Word b 10..11
                |_Word d 17..18
                |End  18..18
            "#]],
        );
    }

    #[test]
    fn strings_keep_their_quotes_and_end_with_the_line() {
        check(
            "\"a\\\"b\" \"open\r\nx",
            expect![[r#"
                |String "a\"b" 0..6
                _Unknown "open 7..12
                |_Word x 14..15
                |End  15..15
            "#]],
        );
    }

    #[test]
    fn character_constants_may_be_escapes() {
        check(
            r"'x' '\n' '\\' '\'' '\101' '\x41' 'é' '' 'ab'",
            expect![[r#"
                |Char 'x' 0..3
                _Char '\n' 4..8
                _Char '\\' 9..13
                _Char '\'' 14..18
                _Char '\101' 19..25
                _Char '\x41' 26..32
                _Char 'é' 33..37
                _Unknown ' 38..39
                Char ' ' 39..42
                Word ab 42..44
                Unknown ' 44..45
                |End  45..45
            "#]],
        );
    }

    #[test]
    fn other_characters_are_unknown_and_whole() {
        check(
            "\u{feff}é`\0→",
            expect![[r#"
                |Unknown é 3..5
                Unknown ` 5..6
                _Unknown → 7..10
                |End  10..10
            "#]],
        );
    }

    #[test]
    fn a_comment_that_never_ends_is_an_error_where_it_starts() {
        check(
            "a /* b",
            expect![[r#"
                |Word a 0..1
                |_End  6..6
                unterminated-comment 2..4: this comment is not closed
            "#]],
        );
    }

    #[test]
    fn math_operators_do_not_hide_comments() {
        check(
            "a /\\ b \\/ c \\// d",
            expect![[r#"
                |Word a 0..1
                _AndMath /\ 2..4
                _Word b 5..6
                _OrMath \/ 7..9
                _Word c 10..11
                _Backslash \ 12..13
                |_End  17..17
            "#]],
        );
    }

    #[test]
    fn a_lone_backslash_at_the_end_is_a_backslash() {
        check(
            "a\\",
            expect![[r#"
                |Word a 0..1
                Backslash \ 1..2
                |End  2..2
            "#]],
        );
    }

    #[test]
    fn reading_is_linear_in_the_size_of_the_text() {
        for piece in ["\\ ", "/*", "'", "\"x", "é", "\\", "/", "*", "a.b", "'\\x"] {
            let mut sources = SourceMap::default();
            let text = piece.repeat(2_000_000 / piece.len());
            let file = sources.add_file("test.pml", &text, None);
            let mut interner = Interner::default();
            tokenize(file, &sources, &mut interner, &mut Diagnostics::default());
        }
    }
}
