//! Numbers and numeric expressions. Numbers are integers.

use super::formulas::Scope;
use super::reader::Reader;
use crate::syntax::Node;
use crate::task::{Arithmetic, NumericExpr};

/// The greatest absolute value of a number.
pub(crate) const GREATEST: i64 = i32::MAX as i64;

impl Reader<'_> {
    /// A numeric expression; `None` after a mistake, which is reported.
    pub(super) fn numeric_expr(&mut self, node: &Node, scope: &Scope) -> Option<NumericExpr> {
        if let Some(word) = node.word() {
            if self.names.functions.get(word).is_some() {
                return self.fluent(node, scope).map(NumericExpr::Fluent);
            }
            return self.literal(node, word).map(NumericExpr::Number);
        }
        let operation = match node.headed() {
            Some((_, "+", rest)) => Some((Arithmetic::Add, rest)),
            Some((_, "-", rest)) => Some((Arithmetic::Subtract, rest)),
            Some((_, "*", rest)) => Some((Arithmetic::Multiply, rest)),
            Some((_, "/", rest)) => Some((Arithmetic::Divide, rest)),
            _ => None,
        };
        let Some((operation, operands)) = operation else {
            return self.fluent(node, scope).map(NumericExpr::Fluent);
        };
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.numeric_expr(operand, scope)?);
        }
        if values.len() == 1 && operation == Arithmetic::Subtract {
            values.insert(0, NumericExpr::Number(0));
        }
        let is_many = values.len() > 2;
        let may_be_many = matches!(operation, Arithmetic::Add | Arithmetic::Multiply);
        if values.len() < 2 || (is_many && !may_be_many) {
            self.error("pddl-syntax", node.span, "expected two operands");
            return None;
        }
        let fold = |a, b| NumericExpr::Operation(operation, Box::new(a), Box::new(b));
        values.into_iter().reduce(fold)
    }

    /// An integer; a fraction of zero is accepted.
    pub(super) fn literal(&mut self, node: &Node, word: &str) -> Option<i64> {
        let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
        let is_number =
            whole.trim_start_matches(['-', '+']).bytes().all(|one| one.is_ascii_digit())
                && fraction.bytes().all(|one| one.is_ascii_digit())
                && word.bytes().any(|one| one.is_ascii_digit());
        if !is_number {
            let mut unknown = self.names.functions.unknown(word, node.span);
            unknown.message = format!("`{word}` is neither a number nor a function");
            self.diagnostics.push(unknown);
            return None;
        }
        if fraction.bytes().any(|one| one != b'0') {
            self.refuse(node.span, "numbers with a fraction");
            return None;
        }
        let value = whole.parse().ok().filter(|value: &i64| value.abs() <= GREATEST);
        if value.is_none() {
            self.error("pddl-number", node.span, format!("the number {word} is too large"));
        }
        value
    }
}
