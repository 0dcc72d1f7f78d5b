//! Formulas of branching time, an extension of Promela: `ctl name { AG EF ready }`,
//! `mu name { nu X . (<> true && [] X) }` and `fair { condition }`.
//!
//! The words are no keywords: they keep their meaning as names elsewhere.

use super::formula_language::FormulaLanguage;
use super::messages::is_name;
use super::{Parsed, Parser};
use crate::ast::{
    ActionPattern, BranchingLanguage, BranchingUnit, Expr, ExprKind, Fixpoint, Modality,
    PathQuantifier, UnaryOp, UnitKind,
};
use crate::token::{Punct, Token, TokenKind};

impl Parser<'_> {
    /// A `ctl` or `mu` formula or a `fair` condition, if one begins here.
    pub(super) fn branching_unit(&mut self) -> Parsed<Option<UnitKind>> {
        if !self.at_formula_head() {
            return Ok(None);
        }
        let (language, syntax) = match &**self.interner.text(self.cursor.peek().text) {
            "ctl" => (BranchingLanguage::Ctl, FormulaLanguage::Ctl),
            "mu" => (BranchingLanguage::Mu, FormulaLanguage::Mu),
            "fair" => {
                self.bump();
                return Ok(Some(UnitKind::Fair(self.formula_block(FormulaLanguage::Ctl)?)));
            }
            _ => return Ok(None),
        };
        self.bump();
        let is_named = !self.at(Punct::BraceOpen);
        let name = if is_named { Some(self.expect_name("a name")?) } else { None };
        let formula = self.formula_block(syntax)?;
        Ok(Some(UnitKind::Branching(BranchingUnit { language, name, formula })))
    }

    /// Whether the next tokens are `word {` or `word name {`.
    fn at_formula_head(&self) -> bool {
        let is_brace = |token: Token| token.kind == TokenKind::Punct(Punct::BraceOpen);
        let next = self.cursor.look(1);
        let is_word = next.kind == TokenKind::Word;
        is_name(self.cursor.peek()) && (is_brace(next) || is_word && is_brace(self.cursor.look(2)))
    }

    /// An operator of branching time with its operand, if one begins here.
    pub(super) fn branching_operator(&mut self) -> Parsed<Option<Expr>> {
        match self.formula {
            Some(FormulaLanguage::Ctl) => self.quantified(),
            Some(FormulaLanguage::Mu) => self.modal(),
            _ => Ok(None),
        }
    }

    /// `AG f`, `E [f U g]`, `A (G F f)`
    fn quantified(&mut self) -> Parsed<Option<Expr>> {
        let token = self.cursor.peek();
        if !is_name(token) {
            return Ok(None);
        }
        let (quantifier, op) = match &**self.interner.text(token.text) {
            "A" => (PathQuantifier::ForAll, None),
            "E" => (PathQuantifier::Exists, None),
            "AX" => (PathQuantifier::ForAll, Some(UnaryOp::Next)),
            "AF" => (PathQuantifier::ForAll, Some(UnaryOp::Eventually)),
            "AG" => (PathQuantifier::ForAll, Some(UnaryOp::Always)),
            "EX" => (PathQuantifier::Exists, Some(UnaryOp::Next)),
            "EF" => (PathQuantifier::Exists, Some(UnaryOp::Eventually)),
            "EG" => (PathQuantifier::Exists, Some(UnaryOp::Always)),
            _ => return Ok(None),
        };
        self.bump();
        let bracket = if op.is_none() { self.eat(Punct::BracketOpen) } else { None };
        let mut operand = match bracket {
            Some(open) => {
                let formula = self.expr()?;
                self.expect_closing(Punct::BracketClose, open.span)?;
                formula
            }
            None => self.nested(Self::unary)?,
        };
        self.height += 1 + usize::from(op.is_some());
        let span = self.sources.join(token.span, operand.span);
        if let Some(op) = op {
            operand = Expr { kind: ExprKind::Unary(op, Box::new(operand)), span };
        }
        Ok(Some(Expr { kind: ExprKind::Quantified(quantifier, Box::new(operand)), span }))
    }

    /// `mu X . f`, `nu X . f`, `<a> f`, `[a] f`
    fn modal(&mut self) -> Parsed<Option<Expr>> {
        let token = self.cursor.peek();
        let kind = match token.kind {
            TokenKind::Word => return self.fixpoint(),
            TokenKind::Punct(Punct::Eventually | Punct::Less) => Modality::Diamond,
            TokenKind::Punct(Punct::Always | Punct::BracketOpen) => Modality::Box,
            _ => return Ok(None),
        };
        self.bump();
        let actions = match token.kind {
            TokenKind::Punct(Punct::Eventually | Punct::Always) => ActionPattern::Any,
            _ => self.actions(kind, token)?,
        };
        let operand = Box::new(self.nested(Self::unary)?);
        self.height += 1;
        let span = self.sources.join(token.span, operand.span);
        Ok(Some(Expr { kind: ExprKind::Modal { modality: kind, actions, operand }, span }))
    }

    fn fixpoint(&mut self) -> Parsed<Option<Expr>> {
        let token = self.cursor.peek();
        let kind = match &**self.interner.text(token.text) {
            "mu" => Fixpoint::Least,
            "nu" => Fixpoint::Greatest,
            _ => return Ok(None),
        };
        if !is_name(self.cursor.look(1)) {
            return Ok(None);
        }
        self.bump();
        let variable = self.expect_name("the variable of the fixpoint")?;
        self.expect(Punct::Dot, "and the formula of the fixpoint")?;
        let body = Box::new(self.nested(Self::expr)?);
        self.height += 1;
        let span = self.sources.join(token.span, body.span);
        Ok(Some(Expr { kind: ExprKind::Fixpoint { kind, variable, body }, span }))
    }

    /// The steps of a modality, and its closing bracket.
    fn actions(&mut self, modality: Modality, open: Token) -> Parsed<ActionPattern> {
        let close = match modality {
            Modality::Diamond => Punct::Greater,
            Modality::Box => Punct::BracketClose,
        };
        let name = self.expect_name("a proctype or a channel")?;
        if self.eat(Punct::Bang).is_some() {
            self.expect_closing(close, open.span)?;
            return Ok(ActionPattern::Send(name));
        }
        if self.eat(Punct::Question).is_some() {
            self.expect_closing(close, open.span)?;
            return Ok(ActionPattern::Receive(name));
        }
        let mut pid = None;
        if let Some(open) = self.eat(Punct::BracketOpen) {
            pid = Some(Box::new(self.nested(Self::expr)?));
            self.expect_closing(Punct::BracketClose, open.span)?;
        }
        let label = match self.eat(Punct::At) {
            Some(_) => Some(self.expect_name("a label")?),
            None => None,
        };
        self.expect_closing(close, open.span)?;
        Ok(match label {
            Some(label) => ActionPattern::Label { proctype: name, pid, label },
            None => ActionPattern::Process { proctype: name, pid },
        })
    }
}
