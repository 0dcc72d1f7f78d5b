//! Expressions in postfix form, with the factors that they read.

use std::collections::BTreeMap;

use beeline_factored::{Binary, FactorExpr, FactorId, Unary};

use super::cells::Cells;

/// A factor of an operator: it has one value per combination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var {
    pub(super) cell: u32,
    /// Index of its narrowed mask.
    pub(super) at: u32,
}

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSource {
    /// A factor, chosen once per combination; its number within the operator.
    Var(u32),
    /// Any value of a cell, chosen at each use.
    Cell(u32),
    /// Any value of an interval.
    Any(i32, i32),
}

/// An operation of the stack machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Const(i32),
    Value(ValueSource),
    /// An array element; the index is on the stack.
    Row(u32),
    Unary(Unary),
    Binary(Binary),
    /// If the top is 0, keeps 0 and jumps; else pops.
    And(u32),
    /// If the top is not 0, leaves 1 and jumps; else pops.
    Or(u32),
    /// Replaces the top by its truth value.
    Truth,
    /// Pops, and jumps if it is 0.
    Unless(u32),
    Jump(u32),
}

/// An expression in postfix form.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) ops: Box<[Op]>,
    /// The variables, if each of them is read in every combination and nothing else is.
    pub(super) plain: Option<Box<[u32]>>,
}

/// The variables shared by the expressions of an operator.
#[derive(Clone, Debug, Default)]
pub(super) struct Vars {
    pub(super) all: Vec<Var>,
    numbers: BTreeMap<FactorId, u32>,
    pub(super) rows: Vec<Box<[ValueSource]>>,
    /// Number of words for narrowed masks.
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

/// Compiles expressions to programs.
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
