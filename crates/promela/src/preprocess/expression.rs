//! The conditions of `#if`: integer expressions of C, on 64 bits.

use crate::token::{Interner, Punct, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

use super::arithmetic::{Value, apply, character};

/// Whether a condition holds. Macros have been expanded and `defined` evaluated, so the remaining
/// words are 0.
pub(super) fn evaluate(tokens: &[Token], end: Span, interner: &Interner) -> Outcome<bool> {
    let mut evaluator = Evaluator { tokens, at: 0, end, interner, depth: 0 };
    let value = evaluator.sequence(true)?;
    match evaluator.peek() {
        None => Ok(value.bits != 0),
        Some(token) => {
            let text = interner.text(token.text);
            Err(syntax(token.span, format!("`{text}` was not expected here")))
        }
    }
}

type Outcome<T> = Result<T, Box<Diagnostic>>;

/// Upper bound on the nesting of parentheses and the like.
const MOST_DEPTH: usize = 200;

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    end: Span,
    interner: &'a Interner,
    depth: usize,
}

fn syntax(span: Span, label: String) -> Box<Diagnostic> {
    let error = Diagnostic::error("condition", span, "this condition is not an integer expression");
    error.label(label).into()
}

/// How tightly an operator binds.
fn binding(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::Or => 1,
        Punct::And => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::Equal | Punct::NotEqual => 6,
        Punct::Less | Punct::LessEqual | Punct::Greater | Punct::GreaterEqual => 7,
        Punct::ShiftLeft | Punct::ShiftRight => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn punct(&self) -> Option<Punct> {
        match self.peek()?.kind {
            TokenKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    /// The place of the next token.
    fn place(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    fn descend<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MOST_DEPTH {
            let message = format!("this condition is nested more than {MOST_DEPTH} levels deep");
            return Err(Diagnostic::error("condition-too-deep", self.place(), message).into());
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// `a, b`, which is `b`.
    fn sequence(&mut self, live: bool) -> Outcome<Value> {
        let mut value = self.conditional(live)?;
        while self.punct() == Some(Punct::Comma) {
            self.at += 1;
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    /// `a ? b : c`. An operand that is not `live` is parsed, but a division by zero in it is no
    /// error.
    fn conditional(&mut self, live: bool) -> Outcome<Value> {
        let test = self.binary(1, live)?;
        if self.punct() != Some(Punct::Question) {
            return Ok(test);
        }
        self.at += 1;
        let holds = test.bits != 0;
        let yes = self.descend(|this| this.sequence(live && holds))?;
        if self.punct() != Some(Punct::Colon) {
            return Err(syntax(self.place(), "expected `:`, the second half of `?`".to_owned()));
        }
        self.at += 1;
        let no = self.descend(|this| this.conditional(live && !holds))?;
        let chosen = if holds { yes } else { no };
        Ok(Value { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, live: bool) -> Outcome<Value> {
        let mut left = self.unary(live)?;
        while let Some(punct) = self.punct()
            && let Some(strength) = binding(punct)
            && strength >= least
        {
            let place = self.place();
            self.at += 1;
            let needed = match punct {
                Punct::And => left.bits != 0,
                Punct::Or => left.bits == 0,
                _ => true,
            };
            let right = self.binary(strength + 1, live && needed)?;
            left = apply(punct, left, right)
                .or_else(|| (!live).then_some(Value::signed(0)))
                .ok_or_else(|| divided_by_zero(place))?;
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Outcome<Value> {
        let Some(token) = self.peek() else {
            return Err(syntax(self.end, "a number or a name is missing here".to_owned()));
        };
        self.at += 1;
        match token.kind {
            TokenKind::Number => self.number(token),
            TokenKind::Char => Ok(Value::signed(character(self.interner.text(token.text)))),
            TokenKind::Word => Ok(Value::signed(0)),
            TokenKind::Punct(punct) => self.prefixed(punct, token, live),
            _ => Err(self.unexpected(token)),
        }
    }

    fn prefixed(&mut self, punct: Punct, token: Token, live: bool) -> Outcome<Value> {
        if punct == Punct::ParenOpen {
            let value = self.descend(|this| this.sequence(live))?;
            if self.punct() != Some(Punct::ParenClose) {
                let error = syntax(self.place(), "expected `)`".to_owned());
                return Err(error.related(token.span, "to close this").into());
            }
            self.at += 1;
            return Ok(value);
        }
        // Promela's lexer reads `!!` as one token.
        if !matches!(
            punct,
            Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang | Punct::SortedSend
        ) {
            return Err(self.unexpected(token));
        }
        let value = self.descend(|this| this.unary(live))?;
        Ok(match punct {
            Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
            Punct::Tilde => Value { bits: !value.bits, ..value },
            Punct::Bang => Value::truth(value.bits == 0),
            Punct::SortedSend => Value::truth(value.bits != 0),
            _ => value,
        })
    }

    fn unexpected(&self, token: Token) -> Box<Diagnostic> {
        let text = self.interner.text(token.text);
        syntax(token.span, format!("`{text}` cannot stand here; expected a number or a name"))
    }

    /// A number in C: a prefix for its base, and suffixes `u` and `l`. The lexer makes a number and
    /// perhaps a word of it.
    fn number(&mut self, token: Token) -> Outcome<Value> {
        let mut text = self.interner.text(token.text).to_ascii_lowercase();
        if let Some(suffix) = self.peek()
            && suffix.kind == TokenKind::Word
            && !suffix.spaced
            && (suffix.span.file, suffix.span.start) == (token.span.file, token.span.end)
        {
            text += &self.interner.text(suffix.text).to_ascii_lowercase();
            self.at += 1;
        }
        let digits = text.trim_end_matches(['u', 'l']);
        let unsigned = text[digits.len()..].contains('u');
        let parsed = if let Some(hex) = digits.strip_prefix("0x") {
            u64::from_str_radix(hex, 16)
        } else if let Some(binary) = digits.strip_prefix("0b") {
            u64::from_str_radix(binary, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            u64::from_str_radix(digits, 8)
        } else {
            digits.parse()
        };
        match parsed {
            Ok(bits) => Ok(Value { bits, unsigned: unsigned || bits > i64::MAX as u64 }),
            Err(_) => Err(syntax(token.span, format!("`{text}` is not a 64-bit integer"))),
        }
    }
}

fn divided_by_zero(place: Span) -> Box<Diagnostic> {
    Diagnostic::error("condition-division", place, "this condition divides by zero")
        .label("the right side is 0")
        .note("a name that is not defined as a macro counts as 0")
        .into()
}
