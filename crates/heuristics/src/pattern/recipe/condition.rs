//! Predicates in a pattern file: Promela expressions without array indices, with constant divisors,
//! so that they have a value in every state.

use beeline_factored::{Binary, FactorExpr, FactorId, System, Unary};

use super::constants::RecipeConstants;
use super::error::RecipeError;
use super::factor_names::{UnknownFactor, unknown};
use super::words::{Word, Words};

/// Upper bound on the tokens of a condition.
const LONGEST: usize = 200;

const FIX: &str = "write a condition as `x < y + 1 && !(P[0]:z == 3)`";

/// Operators by precedence, lowest first. Marked ones have swapped operands.
const LEVELS: [&[(&str, Binary, bool)]; 6] = [
    &[("||", Binary::Or, false)],
    &[("&&", Binary::And, false)],
    &[("==", Binary::Equal, false), ("!=", Binary::NotEqual, false)],
    &[
        ("<=", Binary::LessEqual, false),
        (">=", Binary::LessEqual, true),
        ("<", Binary::Less, false),
        (">", Binary::Less, true),
    ],
    &[("+", Binary::Add, false), ("-", Binary::Subtract, false)],
    &[("*", Binary::Multiply, false), ("/", Binary::Divide, false), ("%", Binary::Modulo, false)],
];

/// Parses a condition.
pub(super) fn condition(
    words: &mut Words,
    system: &System,
    constants: &RecipeConstants,
) -> Result<FactorExpr, RecipeError> {
    Reader { system, constants, size: 0 }.level(words, 0)
}

struct Reader<'s> {
    system: &'s System,
    constants: &'s RecipeConstants,
    size: usize,
}

impl Reader<'_> {
    fn level(&mut self, words: &mut Words, level: usize) -> Result<FactorExpr, RecipeError> {
        let Some(operators) = LEVELS.get(level) else { return self.operand(words) };
        let mut left = self.level(words, level + 1)?;
        loop {
            let Some(&(sign, op, turned)) = operators.iter().find(|one| words.takes(one.0)) else {
                return Ok(left);
            };
            let place = words.place();
            let right = self.level(words, level + 1)?;
            let divides = matches!(op, Binary::Divide | Binary::Modulo);
            if divides && !matches!(right, FactorExpr::Const(number) if number != 0) {
                let cause = format!("`{sign}` needs a divisor that is a number other than 0");
                return Err(words.mistake_at(place, cause, "divide by a number"));
            }
            let (a, b) = if turned { (right, left) } else { (left, right) };
            left = a.binary(op, b);
        }
    }

    fn operand(&mut self, words: &mut Words) -> Result<FactorExpr, RecipeError> {
        let column = words.place();
        self.size += 1;
        if self.size > LONGEST {
            let cause = "the condition is too long".to_owned();
            return Err(words.mistake_at(column, cause, "split it into two"));
        }
        Ok(if words.takes("!") {
            self.operand(words)?.negated()
        } else if words.takes("(") {
            let inner = self.level(words, 0)?;
            if !words.takes(")") {
                return Err(words.wrong("`)`", FIX));
            }
            inner
        } else if let Word::Name(name) = words.peek().clone() {
            words.next();
            match self.constants.value(words, column, &name, self.system)? {
                Some(value) => FactorExpr::Const(value),
                None => FactorExpr::Factor(self.factor(words, column, &name)?),
            }
        } else if *words.peek() == Word::Sign("-") && !words.is_number() {
            words.next();
            FactorExpr::Unary(Unary::Negate, Box::new(self.operand(words)?))
        } else {
            FactorExpr::Const(words.number(FIX)?)
        })
    }

    /// The factor of exactly this name.
    fn factor(&self, words: &Words, column: usize, name: &str) -> Result<FactorId, RecipeError> {
        let all = &self.system.factors;
        let Some(at) = all.iter().position(|factor| factor.name == name) else {
            let known = all.iter().filter(|factor| !factor.is_summary);
            let known = known.map(|factor| factor.name.as_str()).chain(self.constants.names());
            let known = known.map(str::to_owned).collect();
            return Err(unknown(words, column, name, UnknownFactor::Unknown(known)));
        };
        if all[at].is_summary {
            return Err(unknown(words, column, name, UnknownFactor::Summary));
        }
        Ok(FactorId(at as u32))
    }
}
