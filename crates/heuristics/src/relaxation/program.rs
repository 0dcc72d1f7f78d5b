//! Expressions in postfix form, and all their values where factors have sets of values.
//!
//! A factor has one value throughout an expression: the first time that it is asked for, one of
//! its values is chosen, and every choice is tried in turn. Those of a crowd are chosen anew
//! each time. After too many tries, and where a list has become an interval, others have to look
//! at intervals.

use std::collections::BTreeMap;

use beeline_factored::{Binary, Expr, FactorId, Interval, Unary, apply};

use super::cells::{Cell, Cells, Shape, WIDE};
use super::relaxed::Relaxed;

/// Combinations of values that are tried at most.
pub(super) const TRIES: u64 = 128;

/// What it takes to look at a step, and to execute a part of an expression in one try, in
/// nanoseconds.
const LOOK: u64 = 100;
const OPERATION: u64 = 5;

/// A factor that a step reads: one value in one try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Var {
    pub(super) cell: u32,
    /// Where the words of its narrowed values are.
    pub(super) at: u32,
}

/// Whose value is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
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
    Value(Of),
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
    plain: Option<Box<[u32]>>,
}

/// What the expressions of a step have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Vars {
    pub(super) all: Vec<Var>,
    numbers: BTreeMap<FactorId, u32>,
    pub(super) rows: Vec<Box<[Of]>>,
    /// Words that narrowed values need.
    pub(super) words: u32,
}

impl Vars {
    /// The value of a factor.
    pub(super) fn of(&mut self, factor: FactorId, cells: &Cells, crowds: &[bool]) -> Of {
        let cell = cells.cell_of(factor);
        if crowds[factor.index()] {
            return Of::Cell(cell);
        }
        let new = self.all.len() as u32;
        let var = *self.numbers.entry(factor).or_insert(new);
        if var == new {
            self.all.push(Var { cell, at: self.words });
            self.words += cells.get(cell).words;
        }
        Of::Var(var)
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

    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(value) => self.ops.push(Op::Const(*value)),
            Expr::Factor(factor) => {
                let of = self.vars.of(*factor, self.cells, self.crowds);
                match (of, &mut self.plain) {
                    (Of::Var(var), Some(plain)) if !plain.contains(&var) => plain.push(var),
                    (Of::Var(_), _) => {}
                    _ => self.plain = None,
                }
                self.ops.push(Op::Value(of));
            }
            Expr::Any(interval) => {
                self.plain = None;
                let of = Of::Any(interval.least as i32, interval.greatest as i32);
                self.ops.push(Op::Value(of));
            }
            Expr::Element(element) => {
                self.expr(&element.index);
                self.plain = None;
                let row = (0..element.count)
                    .filter_map(|at| element.at(at as i32))
                    .map(|factor| self.vars.of(factor, self.cells, self.crowds))
                    .collect();
                self.vars.rows.push(row);
                self.ops.push(Op::Row((self.vars.rows.len() - 1) as u32));
            }
            Expr::Unary(op, operand) => {
                self.expr(operand);
                self.ops.push(Op::Unary(*op));
            }
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                self.expr(a);
                self.plain = None;
                let at = self.ops.len();
                self.ops.push(Op::Truth);
                self.expr(b);
                self.ops.push(Op::Truth);
                let end = self.ops.len() as u32;
                self.ops[at] = if *op == Binary::And { Op::And(end) } else { Op::Or(end) };
            }
            Expr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.ops.push(Op::Binary(*op));
            }
            Expr::Conditional(condition, yes, no) => {
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

/// A value that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) of: Of,
    /// The bit in the cell; of what may be anything, how far it is from the least.
    pub(super) at: u32,
    pub(super) value: i32,
}

/// The values of the factors that a step reads, as far as its conditions have narrowed them,
/// and what is needed to try them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Words of narrowed values.
    pub(super) words: Vec<u64>,
    /// By variable: the narrowed interval of a list that has become one.
    pub(super) hulls: Vec<Option<Interval>>,
    /// By variable: when its values were narrowed.
    narrowed: Vec<u32>,
    /// The step that is looked at, by a number of its own each time.
    look: u32,
    /// By variable: in which try it was chosen, and what.
    chosen: Vec<(u32, i32)>,
    try_number: u32,
    /// What was done so far, in about as many nanoseconds.
    pub(super) effort: u64,
    pub(super) choices: Vec<Choice>,
    stack: Vec<i32>,
}

/// It would take too many tries.
pub(super) struct TooMany;

impl Scratch {
    pub(super) fn new(vars: usize, words: usize) -> Scratch {
        Scratch {
            words: vec![0; words],
            hulls: vec![None; vars],
            narrowed: vec![0; vars],
            chosen: vec![(0, 0); vars],
            ..Scratch::default()
        }
    }

    /// Another step is looked at.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.effort += LOOK;
        self.look = self.look.wrapping_add(1);
        if self.look == 0 {
            self.narrowed.fill(0);
            self.look = 1;
        }
    }

    /// Whether the values of a variable were narrowed.
    #[inline]
    pub(super) fn is_narrowed(&self, var: u32) -> bool {
        self.narrowed[var as usize] == self.look
    }

    /// From now on, the narrowed values of a variable count.
    #[inline]
    pub(super) fn narrow(&mut self, var: u32) {
        self.narrowed[var as usize] = self.look;
    }

    /// The words of the values of a variable.
    #[inline]
    pub(super) fn words_of<'a>(
        &'a self,
        var: u32,
        of: &Var,
        cell: &Cell,
        relaxed: &'a Relaxed,
    ) -> &'a [u64] {
        if self.is_narrowed(var) {
            &self.words[of.at as usize..(of.at + cell.words) as usize]
        } else {
            &relaxed.now[cell.first as usize..(cell.first + cell.words) as usize]
        }
    }

    /// The interval around the values of a variable.
    pub(super) fn hull(&self, var: u32, vars: &Vars, relaxed: &Relaxed) -> Option<Interval> {
        let of = &vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let wide = if self.is_narrowed(var) { self.hulls[var as usize] } else { None };
        relaxed.hull_of(cell, self.words_of(var, of, cell, relaxed), wide)
    }

    /// How many values a variable has; those of an interval cannot be told one by one.
    fn size(&self, var: u32, vars: &Vars, relaxed: &Relaxed) -> u64 {
        let of = &vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let words = self.words_of(var, of, cell, relaxed);
        if matches!(cell.shape, Shape::List(_)) && words[0] & WIDE != 0 {
            return u64::MAX;
        }
        words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether all tries of a program can be made.
    fn allows(&self, program: &Program, vars: &Vars, relaxed: &Relaxed) -> bool {
        let Some(plain) = &program.plain else { return true };
        let sizes = plain.iter().map(|&var| self.size(var, vars, relaxed));
        sizes.fold(1, u64::saturating_mul) <= TRIES
    }

    /// Runs a program with every combination of values, until `is_done`, which gets what is on
    /// the stack when it ends. Tries without a value are not told.
    pub(super) fn each(
        &mut self,
        program: &Program,
        vars: &Vars,
        relaxed: &Relaxed,
        mut is_done: impl FnMut(&[i32], &[Choice]) -> bool,
    ) -> Result<(), TooMany> {
        if !self.allows(program, vars, relaxed) {
            return Err(TooMany);
        }
        self.choices.clear();
        for _ in 0..TRIES {
            if self.once(program, vars, relaxed)? && is_done(&self.stack, &self.choices) {
                return Ok(());
            }
            loop {
                let Some(last) = self.choices.last() else { return Ok(()) };
                let (of, at) = (last.of, last.at + 1);
                match self.next(of, at, vars, relaxed)? {
                    Some((at, value)) => {
                        *self.choices.last_mut().expect("it is there") = Choice { of, at, value };
                        break;
                    }
                    None => {
                        self.choices.pop();
                    }
                }
            }
        }
        Err(TooMany)
    }

    /// The next value at or behind a position.
    #[inline]
    fn next(
        &self,
        of: Of,
        from: u32,
        vars: &Vars,
        relaxed: &Relaxed,
    ) -> Result<Option<(u32, i32)>, TooMany> {
        let (cell, words) = match of {
            Of::Any(least, greatest) => {
                let all = Interval { least: i64::from(least), greatest: i64::from(greatest) };
                if all.size() > TRIES {
                    return Err(TooMany);
                }
                let value = all.least + i64::from(from);
                return Ok((value <= all.greatest).then_some((from, value as i32)));
            }
            Of::Cell(cell) => {
                let cell = relaxed.cells.get(cell);
                let words = &relaxed.now[cell.first as usize..(cell.first + cell.words) as usize];
                (cell, words)
            }
            Of::Var(var) => {
                let of = &vars.all[var as usize];
                let cell = relaxed.cells.get(of.cell);
                let words = self.words_of(var, of, cell, relaxed);
                (cell, words)
            }
        };
        if matches!(cell.shape, Shape::List(_)) && words[0] & WIDE != 0 {
            return Err(TooMany);
        }
        let mut at = from / 64;
        if at as usize >= words.len() {
            return Ok(None);
        }
        let mut left = words[at as usize] & (u64::MAX << (from % 64));
        while left == 0 {
            at += 1;
            match words.get(at as usize) {
                Some(&word) => left = word,
                None => return Ok(None),
            }
        }
        let bit = at * 64 + left.trailing_zeros();
        let value = match cell.shape {
            Shape::Bits => cell.value(bit),
            Shape::List(list) => relaxed.listed(list, bit),
        };
        Ok(Some((bit, value)))
    }

    /// One try; whether it ends with a value.
    fn once(&mut self, program: &Program, vars: &Vars, relaxed: &Relaxed) -> Result<bool, TooMany> {
        self.try_number = self.try_number.wrapping_add(1);
        if self.try_number == 0 {
            self.chosen.fill((0, 0));
            self.try_number = 1;
        }
        self.stack.clear();
        let (mut used, mut at) = (0, 0);
        while let Some(op) = program.ops.get(at) {
            at += 1;
            self.effort += OPERATION;
            let mut of = None;
            match *op {
                Op::Const(value) => self.stack.push(value),
                Op::Value(one) => of = Some(one),
                Op::Row(row) => {
                    let index = self.pop();
                    let row = &vars.rows[row as usize];
                    match usize::try_from(index).ok().and_then(|index| row.get(index)) {
                        Some(&one) => of = Some(one),
                        None => return Ok(false),
                    }
                }
                Op::Unary(op) => {
                    let value = self.pop();
                    self.stack.push(op.apply(value));
                }
                Op::Binary(op) => {
                    let b = self.pop();
                    let a = self.pop();
                    let Some(value) = apply(op, a, b) else { return Ok(false) };
                    self.stack.push(value);
                }
                Op::And(end) => {
                    if self.pop() == 0 {
                        self.stack.push(0);
                        at = end as usize;
                    }
                }
                Op::Or(end) => {
                    if self.pop() != 0 {
                        self.stack.push(1);
                        at = end as usize;
                    }
                }
                Op::Truth => {
                    let value = i32::from(self.pop() != 0);
                    self.stack.push(value);
                }
                Op::Unless(to) => {
                    if self.pop() == 0 {
                        at = to as usize;
                    }
                }
                Op::Jump(to) => at = to as usize,
            }
            if let Some(of) = of {
                match self.choose(of, &mut used, vars, relaxed)? {
                    Some(value) => self.stack.push(value),
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }

    fn pop(&mut self) -> i32 {
        self.stack.pop().expect("operators have their operands")
    }

    #[inline]
    fn choose(
        &mut self,
        of: Of,
        used: &mut usize,
        vars: &Vars,
        relaxed: &Relaxed,
    ) -> Result<Option<i32>, TooMany> {
        if let Of::Var(var) = of
            && self.chosen[var as usize].0 == self.try_number
        {
            return Ok(Some(self.chosen[var as usize].1));
        }
        if *used == self.choices.len() {
            let Some((at, value)) = self.next(of, 0, vars, relaxed)? else { return Ok(None) };
            self.choices.push(Choice { of, at, value });
        }
        let value = self.choices[*used].value;
        *used += 1;
        if let Of::Var(var) = of {
            self.chosen[var as usize] = (self.try_number, value);
        }
        Ok(Some(value))
    }
}
