//! Enumeration of the values of an expression over sets of values.
//!
//! A factor has one value throughout an expression: at its first use a value is chosen, and all
//! choices are enumerated by backtracking, without repeating the evaluation before a choice.
//! Summary factors are chosen anew at each use. Beyond a bound, and for intervals, the caller falls
//! back to interval arithmetic.

use beeline_factored::{Interval, apply};

use super::cells::{Cell, CellShape, WIDE};
use super::program::{Op, Program, ValueSource, Var, Vars};
use super::relaxed_state::RelaxedState;

/// Upper bound on enumerated combinations.
pub(super) const TRIES: u64 = 128;

/// Effort for examining an operator and for one operation of a program, in nanoseconds.
const LOOK: u64 = 100;
const OPERATION: u64 = 5;

/// A chosen value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenValue {
    pub(super) of: ValueSource,
    /// The bit in the cell; for an interval, the offset from the least value.
    pub(super) at: u32,
    pub(super) value: i32,
}

/// Remaining values of the factors of an operator, and buffers for their enumeration.
#[derive(Clone, Debug, Default)]
pub(super) struct EnumerationScratch {
    /// Masks of narrowed values.
    pub(super) words: Vec<u64>,
    /// By variable: the narrowed interval of a list that became one.
    pub(super) hulls: Vec<Option<Interval>>,
    /// By variable: the operator examination in which it was narrowed.
    narrowed: Vec<u32>,
    /// Number of the operator examination.
    look: u32,
    /// By variable: the program run of its choice, and the value.
    chosen: Vec<(u32, i32)>,
    /// Number of the program run.
    run: u32,
    /// Effort so far, in about nanoseconds.
    pub(super) effort: u64,
    choices: Vec<ChosenValue>,
    /// Backtracking points.
    branches: Vec<Branch>,
    /// Saved stacks of the backtracking points.
    saved: Vec<i32>,
    stack: Vec<i32>,
}

/// A backtracking point.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The next operation.
    after: usize,
    /// Index of its saved stack.
    first: usize,
}

/// The bound on combinations is exceeded.
pub(super) struct TooManyCombinations;

impl EnumerationScratch {
    pub(super) fn new(vars: usize, words: usize) -> EnumerationScratch {
        EnumerationScratch {
            words: vec![0; words],
            hulls: vec![None; vars],
            narrowed: vec![0; vars],
            chosen: vec![(0, 0); vars],
            ..EnumerationScratch::default()
        }
    }

    /// Starts the examination of an operator.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.effort += LOOK;
        self.look = self.look.wrapping_add(1);
        if self.look == 0 {
            self.narrowed.fill(0);
            self.look = 1;
        }
    }

    /// Whether a variable is narrowed.
    #[inline]
    pub(super) fn is_narrowed(&self, var: u32) -> bool {
        self.narrowed[var as usize] == self.look
    }

    /// Marks a variable as narrowed.
    #[inline]
    pub(super) fn narrow(&mut self, var: u32) {
        self.narrowed[var as usize] = self.look;
    }

    /// The mask of a variable's values.
    #[inline]
    pub(super) fn words_of<'a>(
        &'a self,
        var: u32,
        of: &Var,
        cell: &Cell,
        relaxed: &'a RelaxedState,
    ) -> &'a [u64] {
        if self.is_narrowed(var) {
            &self.words[of.at as usize..(of.at + cell.words) as usize]
        } else {
            &relaxed.now[cell.first as usize..(cell.first + cell.words) as usize]
        }
    }

    /// The hull of a variable's values.
    pub(super) fn hull(&self, var: u32, vars: &Vars, relaxed: &RelaxedState) -> Option<Interval> {
        let of = &vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let wide = if self.is_narrowed(var) { self.hulls[var as usize] } else { None };
        relaxed.hull_of(cell, self.words_of(var, of, cell, relaxed), wide)
    }

    /// Number of values of a variable; unbounded for intervals.
    fn size(&self, var: u32, vars: &Vars, relaxed: &RelaxedState) -> u64 {
        let of = &vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let words = self.words_of(var, of, cell, relaxed);
        if matches!(cell.shape, CellShape::List(_)) && words[0] & WIDE != 0 {
            return u64::MAX;
        }
        words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether the combinations of a program are within the bound.
    fn allows(&self, program: &Program, vars: &Vars, relaxed: &RelaxedState) -> bool {
        let Some(plain) = &program.plain else { return true };
        let sizes = plain.iter().map(|&var| self.size(var, vars, relaxed));
        sizes.fold(1, u64::saturating_mul) <= TRIES
    }

    /// Runs a program for every combination of values until `is_done`, which gets the final stack.
    /// Combinations without a value are skipped.
    pub(super) fn each(
        &mut self,
        program: &Program,
        vars: &Vars,
        relaxed: &RelaxedState,
        mut is_done: impl FnMut(&[i32], &[ChosenValue]) -> bool,
    ) -> Result<(), TooManyCombinations> {
        if !self.allows(program, vars, relaxed) {
            return Err(TooManyCombinations);
        }
        self.start();
        let mut from = 0;
        for _ in 0..TRIES {
            if self.once(program, from, vars, relaxed)? && is_done(&self.stack, &self.choices) {
                return Ok(());
            }
            match self.other(vars, relaxed)? {
                Some(after) => from = after,
                None => return Ok(()),
            }
        }
        Err(TooManyCombinations)
    }

    /// Starts a program run without choices.
    fn start(&mut self) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.chosen.fill((0, 0));
            self.run = 1;
        }
        self.choices.clear();
        self.branches.clear();
        self.saved.clear();
        self.stack.clear();
    }

    /// Backtracks to the last choice with another value. Returns where the program continues;
    /// `None` at the end.
    fn other(
        &mut self,
        vars: &Vars,
        relaxed: &RelaxedState,
    ) -> Result<Option<usize>, TooManyCombinations> {
        while let (Some(last), Some(&branch)) = (self.choices.last(), self.branches.last()) {
            let of = last.of;
            if let Some((at, value)) = self.next(of, last.at + 1, vars, relaxed)? {
                *self.choices.last_mut().expect("it is there") = ChosenValue { of, at, value };
                self.stack.clear();
                self.stack.extend_from_slice(&self.saved[branch.first..]);
                self.put(of, value);
                return Ok(Some(branch.after));
            }
            if let ValueSource::Var(var) = of {
                self.chosen[var as usize].0 = 0;
            }
            self.saved.truncate(branch.first);
            self.choices.pop();
            self.branches.pop();
        }
        Ok(None)
    }

    /// Pushes a chosen value.
    #[inline]
    fn put(&mut self, of: ValueSource, value: i32) {
        if let ValueSource::Var(var) = of {
            self.chosen[var as usize] = (self.run, value);
        }
        self.stack.push(value);
    }

    /// The next value at or after a position.
    #[inline]
    fn next(
        &self,
        of: ValueSource,
        from: u32,
        vars: &Vars,
        relaxed: &RelaxedState,
    ) -> Result<Option<(u32, i32)>, TooManyCombinations> {
        let (cell, words) = match of {
            ValueSource::Any(least, greatest) => {
                let all = Interval { least: i64::from(least), greatest: i64::from(greatest) };
                if all.size() > TRIES {
                    return Err(TooManyCombinations);
                }
                let value = all.least + i64::from(from);
                return Ok((value <= all.greatest).then_some((from, value as i32)));
            }
            ValueSource::Cell(cell) => {
                let cell = relaxed.cells.get(cell);
                let words = &relaxed.now[cell.first as usize..(cell.first + cell.words) as usize];
                (cell, words)
            }
            ValueSource::Var(var) => {
                let of = &vars.all[var as usize];
                let cell = relaxed.cells.get(of.cell);
                let words = self.words_of(var, of, cell, relaxed);
                (cell, words)
            }
        };
        if matches!(cell.shape, CellShape::List(_)) && words[0] & WIDE != 0 {
            return Err(TooManyCombinations);
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
            CellShape::Bits => cell.value(bit),
            CellShape::List(list) => relaxed.listed(list, bit),
        };
        Ok(Some((bit, value)))
    }

    /// Runs a program from an operation on; returns whether it has a value.
    fn once(
        &mut self,
        program: &Program,
        from: usize,
        vars: &Vars,
        relaxed: &RelaxedState,
    ) -> Result<bool, TooManyCombinations> {
        let mut at = from;
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
            if let Some(of) = of
                && !self.choose(of, at, vars, relaxed)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pop(&mut self) -> i32 {
        self.stack.pop().expect("operators have their operands")
    }

    /// Chooses a value unless it is chosen; `false` if there is none.
    #[inline]
    fn choose(
        &mut self,
        of: ValueSource,
        after: usize,
        vars: &Vars,
        relaxed: &RelaxedState,
    ) -> Result<bool, TooManyCombinations> {
        if let ValueSource::Var(var) = of
            && self.chosen[var as usize].0 == self.run
        {
            self.stack.push(self.chosen[var as usize].1);
            return Ok(true);
        }
        let Some((at, value)) = self.next(of, 0, vars, relaxed)? else { return Ok(false) };
        self.choices.push(ChosenValue { of, at, value });
        self.branches.push(Branch { after, first: self.saved.len() });
        self.saved.extend_from_slice(&self.stack);
        self.put(of, value);
        Ok(true)
    }
}
