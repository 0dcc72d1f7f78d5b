//! `#` and `##`: tokens that are in no file.

use crate::lexer;
use crate::token::{Symbol, TokenKind};
use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{ExpansionId, FileId, Span};

use super::lexeme::Lexeme;
use super::preprocessor::Preprocessor;

/// Operators of C that Promela reads as two tokens; embedded C uses them.
const C_OPERATORS: [&str; 11] =
    ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "..."];

/// Bytes of generated text that are charged as one token: the text can grow without bounds while
/// the number of tokens does not.
pub(super) const BYTES_PER_TOKEN: usize = 16;

/// Tokens that are charged for a file of generated text.
const TOKENS_PER_FILE: usize = 8;

/// `text` as a C string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Whether C reads `text` as one number. Promela's lexer may make several tokens of it.
fn is_c_number(text: &str) -> bool {
    let digits = text.strip_prefix('.').unwrap_or(text);
    let mut previous = ' ';
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|next| {
            let sign = matches!(next, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
            previous = next;
            sign || next.is_ascii_alphanumeric() || matches!(next, '_' | '.')
        })
}

impl Preprocessor<'_> {
    /// `#x`: an argument's spelling as a string, with single spaces for white space.
    pub(super) fn stringize(
        &mut self,
        argument: &[Lexeme],
        parameter: &Lexeme,
        expansion: ExpansionId,
    ) -> Lexeme {
        let mut text = String::from("\"");
        for (at, lexeme) in argument.iter().enumerate() {
            if at > 0 && lexeme.token.spaced {
                text.push(' ');
            }
            let spelling = self.text(lexeme.token);
            if matches!(lexeme.token.kind, TokenKind::String | TokenKind::Char) {
                text += &escaped(spelling);
            } else {
                text += spelling;
            }
        }
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            // A trailing backslash would escape the closing quote; gcc drops it too.
            text.pop();
        }
        text.push('"');
        let (symbol, file) = self.made_up(&text, expansion);
        let mut lexeme = *parameter;
        lexeme.token.kind = TokenKind::String;
        lexeme.token.text = symbol;
        lexeme.token.span = Span::new(file, 0, text.len() as u32).within(expansion);
        lexeme
    }

    /// `left ## right`, usually one token. One number of C may be several tokens here, and operands
    /// that form no token remain two.
    pub(super) fn paste(
        &mut self,
        left: Lexeme,
        right: Lexeme,
        expansion: ExpansionId,
    ) -> Vec<Lexeme> {
        let text = format!("{}{}", self.text(left.token), self.text(right.token));
        let (_, file) = self.made_up(&text, expansion);
        let mut messages = Diagnostics::default();
        let mut tokens = lexer::tokenize(file, self.sources, self.interner, &mut messages);
        tokens.pop();
        let one = tokens.len() == 1 && !messages.has_errors();
        if !one && !is_c_number(&text) && !C_OPERATORS.contains(&&*text) {
            self.report_unglued(left, right, expansion);
            return vec![left, right];
        }
        let mut behind_number = false;
        let lexemes = tokens.into_iter().enumerate().map(|(at, mut token)| {
            token.span = token.span.within(expansion);
            token.starts_line = false;
            token.spaced = at == 0 && left.token.spaced;
            let mut lexeme = Lexeme::new(token, left.line);
            lexeme.padded = at == 0 && left.padded;
            lexeme.in_body = true;
            lexeme.suffix = lexeme.is_word() && (behind_number || at == 0 && left.suffix);
            behind_number = token.kind == TokenKind::Number;
            lexeme
        });
        lexemes.collect()
    }

    /// A file that consists of `text`, which the given call generated.
    fn made_up(&mut self, text: &str, expansion: ExpansionId) -> (Symbol, FileId) {
        let symbol = self.interner.intern(text);
        if let Some(&file) = self.synthetic.get(&symbol) {
            return (symbol, file);
        }
        let place = self.sources.expansion(expansion).call_site;
        self.charge(TOKENS_PER_FILE + text.len() / BYTES_PER_TOKEN, place);
        let file = self.sources.add_synthetic(text);
        self.synthetic.insert(symbol, file);
        (symbol, file)
    }

    fn report_unglued(&mut self, left: Lexeme, right: Lexeme, expansion: ExpansionId) {
        let message = format!(
            "`{}` and `{}` joined are not one token",
            self.text(left.token),
            self.text(right.token)
        );
        let place = self.sources.expansion(expansion).call_site;
        let error = Diagnostic::error("macro-paste", place, message)
            .label("in the expansion of this macro")
            .related(left.span(), "`##` joins this")
            .related(right.span(), "to this")
            .help("remove `##`: adjacent tokens need no operator");
        self.diagnostics.push(error);
    }
}
