//! Inlines: definitions as tokens, calls with their expansions.
//!
//! An actual parameter is a name or a number, so that replacing text and replacing nodes are
//! equivalent.

use std::sync::Arc;

use beeline_promela::ast::*;
use beeline_promela::printer::print_stmt;
use beeline_promela::token::Punct;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::parts::Inline;
use super::scope::{Type, Var};
use super::stmt::{Mode, Place};

impl Generator<'_> {
    pub(super) fn inline_definitions(&mut self, units: &mut Vec<UnitKind>) {
        if !self.chosen(Feature::Inline) {
            return;
        }
        for _ in 0..self.rng.between(1, 2) {
            let inline = self.inline_definition();
            units.push(UnitKind::Inline(InlineDef {
                name: ident(inline.name.clone()),
                params: inline.params.iter().map(|p| ident(p.name.clone())).collect(),
                body: tokens(&inline.body),
            }));
            self.inlines.push(inline);
        }
    }

    fn inline_definition(&mut self) -> Inline {
        let name: Arc<str> = format!("step{}", self.inlines.len()).into();
        let globals = self.vars.len();
        for n in 0..self.rng.below(3) {
            // A frozen parameter represents a value, the others a variable.
            let frozen = self.rng.percent(40);
            let (ty, bound) = match self.rng.percent(40) {
                true => (Type::Bit, 2),
                false => (Type::Byte, self.config.domain),
            };
            let name = format!("{name}_{n}").into();
            self.vars.push(Var { name, ty, bound, length: None, global: true, frozen });
        }
        let params = self.vars[globals..].to_vec();
        let never_blocks = self.rng.percent(50);
        let place = Place {
            nesting: 1,
            mode: if never_blocks { Mode::DStep } else { Mode::Free },
            breakable: false,
            repeated: true,
            inlined: true,
        };
        self.local_prefix = "t";
        let body = self.sequence(place, 1, 3);
        self.local_prefix = "l";
        self.vars.truncate(globals);
        Inline { name, params, body, never_blocks }
    }

    /// A call with its expansion.
    pub(super) fn call(&mut self, place: Place) -> Option<Stmt> {
        let inlines = self.inlines.clone();
        let inline = self.rng.pick(&inlines)?;
        if place.mode != Mode::Free && !inline.never_blocks {
            return None;
        }
        let mut actuals = Vec::new();
        for param in &inline.params {
            actuals.push((param.name.clone(), self.actual(param)?));
        }
        let args = actuals.iter().map(|(_, actual)| actual.clone()).collect();
        let mut expansion = inline.body.clone();
        Substitution(actuals).sequence(&mut expansion);
        let expansion = Box::new(node(StmtKind::Block(expansion)));
        Some(node(StmtKind::Call {
            name: ident(inline.name.clone()),
            args,
            result: None,
            expansion,
        }))
    }

    fn actual(&mut self, param: &Var) -> Option<Expr> {
        if param.frozen && self.rng.percent(50) {
            return Some(number(self.rng.below(param.bound)));
        }
        let path = self.find(|p| {
            let fits = match param.frozen {
                true => p.ty.is_natural() && p.bound <= param.bound,
                false => p.ty == param.ty && p.bound == param.bound && !p.frozen,
            };
            fits && p.plain().is_some()
        })?;
        path.plain().map(var)
    }
}

/// The tokens of a body as the lexer will see them, each with whether it begins
/// a line.
pub(super) fn tokens(body: &Sequence) -> Vec<(Arc<str>, bool)> {
    let text: Vec<_> = body.iter().map(print_stmt).collect();
    let text = text.join(";\n");
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        let mut starts_line = true;
        while !rest.is_empty() {
            let (token, after) = rest.split_at(token_length(rest));
            tokens.push((token.into(), starts_line));
            starts_line = false;
            rest = after.trim_start();
        }
    }
    tokens
}

/// The length of the first token of a text.
fn token_length(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with(is_word) {
        return text.find(|c| !is_word(c)).unwrap_or(text.len());
    }
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let mut escaped = false;
        let closes = |&(at, c): &(usize, char)| {
            let ends = at > 0 && c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        };
        return text.char_indices().find(closes).map_or(text.len(), |(at, _)| at + 1);
    }
    let operator = Punct::ALL.iter().find(|(spelling, _)| text.starts_with(spelling));
    operator.map_or(1, |(spelling, _)| spelling.len())
}

/// The replacement of each formal parameter.
pub(super) struct Substitution(pub(super) Vec<(Arc<str>, Expr)>);

impl Substitution {
    pub(super) fn sequence(&self, body: &mut Sequence) {
        for stmt in body {
            self.stmt(&mut stmt.kind);
        }
    }

    /// Substitutes in the statements that occur in generated inlines.
    fn stmt(&self, stmt: &mut StmtKind) {
        match stmt {
            StmtKind::Assign { target, value } => {
                self.var(target);
                self.expr(value);
            }
            StmtKind::Step { target, .. } => self.var(target),
            StmtKind::Select { var, .. } => self.var(var),
            StmtKind::Assert(value) | StmtKind::PrintM(value) | StmtKind::Expr(value) => {
                self.expr(value);
            }
            StmtKind::Print { args, .. } => args.iter_mut().for_each(|arg| self.expr(arg)),
            StmtKind::If(options) => options.iter_mut().for_each(|option| self.sequence(option)),
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                self.sequence(body);
            }
            StmtKind::Variables(decl) => {
                for var in &mut decl.vars {
                    if let Some(Initializer::Value(value)) = &mut var.init {
                        self.expr(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn actual(&self, name: &Ident) -> Option<&Expr> {
        self.0.iter().find(|(formal, _)| *formal == name.name).map(|(_, actual)| actual)
    }

    /// Substitutes in a written variable: the actual parameter is a name then.
    fn var(&self, var: &mut VarRef) {
        if let Some(ExprKind::Var(actual)) = self.actual(&var.name).map(|actual| &actual.kind) {
            var.name = actual.name.clone();
        }
        if let Some(index) = &mut var.index {
            self.expr(index);
        }
        if let Some(field) = &mut var.field {
            self.var(field);
        }
    }

    fn expr(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Var(var) => match self.actual(&var.name) {
                Some(actual) => *expr = actual.clone(),
                None => self.var(var),
            },
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Channel(_, channel) => self.var(channel),
            _ => {}
        }
    }
}
