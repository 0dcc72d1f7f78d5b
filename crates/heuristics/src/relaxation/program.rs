//! Expressions in postfix form, and the factors that they read.

use std::collections::BTreeMap;

use beeline_factored::{Binary, FactorExpr, FactorId, Unary};

use super::cells::Cells;

/// A factor that a step reads: one value in one try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var {
    pub(super) cell: u32,
    /// Where the words of its narrowed values are.
    pub(super) at: u32,
}

/// Whose value is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSource {
    /// A factor's, once for all; its number among those of the step.
    Var(u32),
    /// Any of a cell's, each time.
    Cell(u32),
    /// Any of an interval.
    Any(i32, i32),
}

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Const(i32),
    Value(ValueSource),
    /// One of a row, by the index on the stack.
    Row(u32),
    Unary(Unary),
    Binary(Binary),
    /// Leaves 0 and goes there if it is 0, else drops it.
    And(u32),
    /// Leaves 1 and goes there if it is not 0, else drops it.
    Or(u32),
    /// 1 if it is not 0.
    Truth,
    /// Drops it, and goes there if it is 0.
    Unless(u32),
    Jump(u32),
}

/// An expression in postfix form.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) ops: Box<[Op]>,
    /// The variables, where every one of them is asked for in every try and nothing else is.
    pub(super) plain: Option<Box<[u32]>>,
}

/// What the expressions of a step have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Vars {
    pub(super) all: Vec<Var>,
    numbers: BTreeMap<FactorId, u32>,
    pub(super) rows: Vec<Box<[ValueSource]>>,
    /// Words that narrowed values need.
    pub(super) words: u32,
}

impl Vars {
    /// The value of a factor.
    pub(super) fn of(&mut self, factor: FactorId, cells: &Cells, crowds: &[bool]) -> ValueSource {
        let cell = cells.cell_of(factor);
        if crowds[factor.index()] {
            return ValueSource::Cell(cell);
        }
        let new = self.all.len() as u32;
        let var = *self.numbers.entry(factor).or_insert(new);
        if var == new {
            self.all.push(Var { cell, at: self.words });
            self.words += cells.get(cell).words;
        }
        ValueSource::Var(var)
    }

    /// The variable of a factor.
    pub(super) fn number(&self, factor: FactorId) -> Option<u32> {
        self.numbers.get(&factor).copied()
    }
}

/// Makes programs.
pub(super) struct Assembler<'a> {
    pub(super) cells: &'a Cells,
    pub(super) crowds: &'a [bool],
    pub(super) vars: &'a mut Vars,
    ops: Vec<Op>,
    plain: Option<Vec<u32>>,
}

impl<'a> Assembler<'a> {
    pub(super) fn new(cells: &'a Cells, crowds: &'a [bool], vars: &'a mut Vars) -> Self {
        Assembler { cells, crowds, vars, ops: Vec::new(), plain: Some(Vec::new()) }
    }

    pub(super) fn finish(self) -> Program {
        let plain = self.plain.map(Vec::into_boxed_slice);
        Program { ops: self.ops.into_boxed_slice(), plain }
    }

    pub(super) fn expr(&mut self, expr: &FactorExpr) {
        match expr {
            FactorExpr::Const(value) => self.ops.push(Op::Const(*value)),
            FactorExpr::Factor(factor) => {
                let of = self.vars.of(*factor, self.cells, self.crowds);
                match (of, &mut self.plain) {
                    (ValueSource::Var(var), Some(plain)) if !plain.contains(&var) => {
                        plain.push(var)
                    }
                    (ValueSource::Var(_), _) => {}
                    _ => self.plain = None,
                }
                self.ops.push(Op::Value(of));
            }
            FactorExpr::Any(interval) => {
                self.plain = None;
                let of = ValueSource::Any(interval.least as i32, interval.greatest as i32);
                self.ops.push(Op::Value(of));
            }
            FactorExpr::Element(element) => {
                self.expr(&element.index);
                self.plain = None;
                let row = (0..element.count)
                    .filter_map(|at| element.at(at as i32))
                    .map(|factor| self.vars.of(factor, self.cells, self.crowds))
                    .collect();
                self.vars.rows.push(row);
                self.ops.push(Op::Row((self.vars.rows.len() - 1) as u32));
            }
            FactorExpr::Unary(op, operand) => {
                self.expr(operand);
                self.ops.push(Op::Unary(*op));
            }
            FactorExpr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                self.expr(a);
                self.plain = None;
                let at = self.ops.len();
                self.ops.push(Op::Truth);
                self.expr(b);
                self.ops.push(Op::Truth);
                let end = self.ops.len() as u32;
                self.ops[at] = if *op == Binary::And { Op::And(end) } else { Op::Or(end) };
            }
            FactorExpr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.ops.push(Op::Binary(*op));
            }
            FactorExpr::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.plain = None;
                let unless = self.ops.len();
                self.ops.push(Op::Truth);
                self.expr(yes);
                let jump = self.ops.len();
                self.ops.push(Op::Truth);
                self.ops[unless] = Op::Unless(self.ops.len() as u32);
                self.expr(no);
                self.ops[jump] = Op::Jump(self.ops.len() as u32);
            }
        }
    }
}
