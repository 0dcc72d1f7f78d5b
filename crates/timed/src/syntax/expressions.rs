//! Expressions. `and`, `or`, `imply` and `not` bind more loosely than assignments, `&&`, `||` and
//! `!` as in C.

use super::cursor::{Cursor, Parsed, word};
use super::lexer::TokenKind;
use super::tree::{Expr, ExprKind, UnaryOp};
use crate::network::operators::{Quantifier, TimedOperator};
use beeline_source::source::Span;

/// Operators as in C, from the loosest.
const LEVELS: &[&[(&str, TimedOperator)]] = &[
    &[("||", TimedOperator::Or)],
    &[("&&", TimedOperator::And)],
    &[("|", TimedOperator::BitOr)],
    &[("^", TimedOperator::BitXor)],
    &[("&", TimedOperator::BitAnd)],
    &[("==", TimedOperator::Equal), ("!=", TimedOperator::NotEqual)],
    &[
        ("<=", TimedOperator::LessEqual),
        (">=", TimedOperator::GreaterEqual),
        ("<", TimedOperator::Less),
        (">", TimedOperator::Greater),
    ],
    &[("<?", TimedOperator::Min), (">?", TimedOperator::Max)],
    &[("<<", TimedOperator::ShiftLeft), (">>", TimedOperator::ShiftRight)],
    &[("+", TimedOperator::Add), ("-", TimedOperator::Sub)],
    &[("*", TimedOperator::Mul), ("/", TimedOperator::Div), ("%", TimedOperator::Mod)],
];

/// Operators of assignments.
const ASSIGNMENTS: &[(&str, Option<TimedOperator>)] = &[
    ("=", None),
    (":=", None),
    ("+=", Some(TimedOperator::Add)),
    ("-=", Some(TimedOperator::Sub)),
    ("*=", Some(TimedOperator::Mul)),
    ("/=", Some(TimedOperator::Div)),
    ("%=", Some(TimedOperator::Mod)),
    ("&=", Some(TimedOperator::BitAnd)),
    ("|=", Some(TimedOperator::BitOr)),
    ("^=", Some(TimedOperator::BitXor)),
    ("<<=", Some(TimedOperator::ShiftLeft)),
    (">>=", Some(TimedOperator::ShiftRight)),
];

impl Cursor<'_> {
    /// An expression.
    ///
    /// # Errors
    ///
    /// When it has a mistake, which is told.
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        self.deeper(|cursor| {
            let from = cursor.span();
            let mut left = cursor.conjunction()?;
            loop {
                let op = if cursor.accept("or") {
                    TimedOperator::Or
                } else if cursor.accept("imply") {
                    TimedOperator::Imply
                } else {
                    return Ok(left);
                };
                let right = cursor.conjunction()?;
                left = binary(op, left, right, cursor.since(from));
            }
        })
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        let from = self.span();
        let mut left = self.negation()?;
        while self.accept("and") {
            let right = self.negation()?;
            left = binary(TimedOperator::And, left, right, self.since(from));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<Expr> {
        let from = self.span();
        if self.accept("not") {
            let inner = self.deeper(Self::negation)?;
            return Ok(unary(UnaryOp::Not, inner, self.since(from)));
        }
        self.assignment()
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let from = self.span();
        let target = self.conditional()?;
        let found = ASSIGNMENTS.iter().find(|(symbol, _)| self.is(symbol));
        let Some(&(_, op)) = found else { return Ok(target) };
        self.advance();
        let value = self.deeper(Self::assignment)?;
        let kind = ExprKind::Assign(op, Box::new(target), Box::new(value));
        Ok(Expr { kind, span: self.since(from) })
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let from = self.span();
        let condition = self.binary_level(0)?;
        // In a synchronisation, `c?` is not the beginning of a conditional expression.
        if !self.is("?") || self.is_end_of_label(1) {
            return Ok(condition);
        }
        self.advance();
        let yes = self.deeper(Self::assignment)?;
        self.expect(":", "in a conditional expression")?;
        let no = self.deeper(Self::assignment)?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expr { kind, span: self.since(from) })
    }

    fn is_end_of_label(&self, further: usize) -> bool {
        *self.peek_at(further) == TokenKind::End || self.is_at(further, ";")
    }

    fn binary_level(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let from = self.span();
        let mut left = self.binary_level(level + 1)?;
        while let Some(&(_, op)) = operators.iter().find(|(symbol, _)| self.is(symbol)) {
            self.advance();
            let right = self.binary_level(level + 1)?;
            left = binary(op, left, right, self.since(from));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        self.deeper(|cursor| {
            let from = cursor.span();
            if cursor.accept("+") {
                return cursor.prefix();
            }
            for (symbol, by) in [("++", 1), ("--", -1)] {
                if cursor.accept(symbol) {
                    let target = Box::new(cursor.prefix()?);
                    let kind = ExprKind::Step { by, is_postfix: false, target };
                    return Ok(Expr { kind, span: cursor.since(from) });
                }
            }
            let operators = [
                ("-", UnaryOp::Minus),
                ("!", UnaryOp::Not),
                ("not", UnaryOp::Not),
                ("~", UnaryOp::Complement),
            ];
            let Some((_, op)) = operators.into_iter().find(|(symbol, _)| cursor.accept(symbol))
            else {
                return cursor.postfix();
            };
            let inner = cursor.prefix()?;
            Ok(unary(op, inner, cursor.since(from)))
        })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let from = self.span();
        let mut expr = self.primary()?;
        loop {
            let kind = if self.accept("[") {
                let index = self.expression()?;
                self.expect("]", "behind an index")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else if self.accept("(") {
                let arguments = self.arguments(")")?;
                ExprKind::Call(Box::new(expr), arguments)
            } else if self.is(".") && word(self.peek_at(1)).is_some() {
                self.advance();
                let field = self.any_word()?;
                ExprKind::Field(Box::new(expr), field)
            } else if self.accept("++") {
                ExprKind::Step { by: 1, is_postfix: true, target: Box::new(expr) }
            } else if self.accept("--") {
                ExprKind::Step { by: -1, is_postfix: true, target: Box::new(expr) }
            } else if self.accept("'") {
                ExprKind::Rate(Box::new(expr))
            } else {
                return Ok(expr);
            };
            expr = Expr { kind, span: self.since(from) };
        }
    }

    /// Any word: the fields of processes may have the names of keywords.
    fn any_word(&mut self) -> Parsed<super::tree::Ident> {
        match self.peek().clone() {
            TokenKind::Word(text) => {
                let span = self.span();
                self.advance();
                Ok(super::tree::Ident { text, span })
            }
            _ => self.fail("a name is missing"),
        }
    }

    /// Expressions between commas, up to this bracket, which is taken.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn arguments(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.accept(end) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if self.accept(end) {
                return Ok(arguments);
            }
            self.expect(",", "between arguments")?;
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            TokenKind::Number(number) => ExprKind::Int(number),
            TokenKind::Double => ExprKind::Double,
            TokenKind::Text(text) => ExprKind::Text(text),
            TokenKind::Symbol("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")", "behind an expression")?;
                return Ok(Expr { kind: inner.kind, span: self.since(span) });
            }
            TokenKind::Word(name) => match &*name {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "deadlock" => ExprKind::Deadlock,
                "forall" => return self.quantified(Quantifier::Forall, span),
                "exists" => return self.quantified(Quantifier::Exists, span),
                "sum" => return self.quantified(Quantifier::Sum, span),
                _ if self.is_name() => ExprKind::Name(name),
                _ => return self.fail("an expression is missing"),
            },
            _ => return self.fail("an expression is missing"),
        };
        self.advance();
        Ok(Expr { kind, span })
    }

    fn quantified(&mut self, quantifier: Quantifier, from: Span) -> Parsed<Expr> {
        self.advance();
        self.expect("(", "behind a quantifier")?;
        let name = self.name("the name of a bound variable")?;
        self.expect(":", "between a bound variable and its type")?;
        let ty = self.type_expr()?;
        self.expect(")", "behind a bound variable")?;
        let body = self.expression()?;
        let kind = ExprKind::Quantified(quantifier, name, Box::new(ty), Box::new(body));
        Ok(Expr { kind, span: self.since(from) })
    }
}

/// An expression with two operands.
pub(crate) fn binary(op: TimedOperator, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn unary(op: UnaryOp, inner: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Unary(op, Box::new(inner)), span }
}
