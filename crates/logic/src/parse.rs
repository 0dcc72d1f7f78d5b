//! Formulas as text, in SPIN's syntax.
//!
//! From loose to tight: `<->`, `->`, `||`, `&&`, then `U`, `V` and `W`, then the unary `!`,
//! `[]`, `<>` and `X`. Binary operators group to the left, as SPIN's do. Names become atoms
//! in the order in which they appear.

use std::error::Error;
use std::fmt;

use crate::formula::Formula;

/// Upper bound on the nesting depth of operands.
const DEEPEST: usize = 2000;

/// The names of atoms, by number.
pub type AtomNames = Vec<String>;

/// The error for a text that is not a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The position, in characters from the beginning of the text.
    pub offset: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.offset, self.message)
    }
}

impl Error for ParseError {}

/// Reads a formula. Names that are in `names` keep their numbers, others are added.
///
/// # Errors
/// When the text is not a formula, or is nested too deeply.
pub fn parse(text: &str, names: &mut AtomNames) -> Result<Formula, ParseError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, names };
    let formula = parser.binary(0)?;
    match parser.tokens[parser.at] {
        (_, Token::End) => Ok(formula),
        (offset, _) => Err(error(offset, "an operator was expected here")),
    }
}

fn error(offset: usize, message: &str) -> ParseError {
    ParseError { offset, message: message.to_owned() }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Sign(&'static str),
    Name(String),
    End,
}

/// A sign precedes its own prefixes, so that the first match is the longest.
const SIGNS: &[&str] = &["<->", "->", "<>", "[]", "&&", "||", "/\\", "\\/", "!", "(", ")"];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let starts = |sign: &&&str| letters[at..].starts_with(&sign.chars().collect::<Vec<_>>());
        if letters[at].is_whitespace() {
            at += 1;
        } else if let Some(sign) = SIGNS.iter().find(starts) {
            tokens.push((at, Token::Sign(sign)));
            at += sign.len();
        } else if letters[at].is_alphanumeric() || letters[at] == '_' {
            let begin = at;
            while at < letters.len() && (letters[at].is_alphanumeric() || letters[at] == '_') {
                at += 1;
            }
            let name: String = letters[begin..at].iter().collect();
            let operator = ["U", "V", "R", "W", "X", "F", "G"].into_iter().find(|o| *o == name);
            tokens.push((begin, operator.map_or(Token::Name(name), Token::Sign)));
        } else {
            return Err(error(at, &format!("`{}` is not part of a formula", letters[at])));
        }
    }
    tokens.push((letters.len(), Token::End));
    Ok(tokens)
}

/// Binary operators, loosest first.
const LEVELS: &[&[&str]] =
    &[&["<->"], &["->"], &["||", "\\/"], &["&&", "/\\"], &["U", "V", "R", "W"]];

struct Parser<'a> {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
    names: &'a mut AtomNames,
}

impl Parser<'_> {
    fn sign(&mut self, among: &[&str]) -> Option<&'static str> {
        match self.tokens[self.at].1 {
            Token::Sign(sign) if among.contains(&sign) => {
                self.at += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn binary(&mut self, level: usize) -> Result<Formula, ParseError> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.sign(signs) {
            let right = self.binary(level + 1)?;
            left = match sign {
                "<->" => left.iff(right),
                "->" => left.implies(right),
                "||" | "\\/" => left.or(right),
                "&&" | "/\\" => left.and(right),
                "U" => left.until(right),
                "W" => left.weak_until(right),
                _ => left.release(right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Formula, ParseError> {
        let (offset, token) = self.tokens[self.at].clone();
        if self.depth == DEEPEST {
            return Err(error(offset, "this is nested too deeply"));
        }
        self.at += 1;
        self.depth += 1;
        let formula = crate::pool::deep(|| match token {
            Token::Sign("!") => Ok(self.unary()?.not()),
            Token::Sign("X") => Ok(self.unary()?.next()),
            Token::Sign("[]" | "G") => Ok(self.unary()?.always()),
            Token::Sign("<>" | "F") => Ok(self.unary()?.eventually()),
            Token::Sign("(") => {
                let inner = self.binary(0)?;
                match self.sign(&[")"]) {
                    Some(_) => Ok(inner),
                    None => Err(error(self.tokens[self.at].0, "`)` was expected here")),
                }
            }
            Token::Name(name) => Ok(self.name(name)),
            Token::End => Err(error(offset, "the formula ends too early")),
            Token::Sign(sign) => {
                Err(error(offset, &format!("a formula was expected here, not `{sign}`")))
            }
        });
        self.depth -= 1;
        formula
    }

    fn name(&mut self, name: String) -> Formula {
        match name.as_str() {
            "true" | "1" => return Formula::True,
            "false" | "0" => return Formula::False,
            _ => {}
        }
        let known = self.names.iter().position(|other| *other == name);
        let number = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        Formula::atom(u32::try_from(number).expect("fewer names than numbers"))
    }
}
