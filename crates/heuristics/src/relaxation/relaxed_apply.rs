//! Applicability of an operator in a relaxed state, the remaining values of its factors, and the
//! values that it adds.

use beeline_factored::{Binary, FactorExpr, FactorId, Interval, evaluate_some, narrow};

use super::bit_table::{BitTable, NOTHING};
use super::cells::{CellShape, WIDE};
use super::code::{
    Alternative, Application, Compare, CompiledOperator, Condition, Effect, TruthProgram,
};
use super::enumerate::EnumerationScratch;
use super::program::ValueSource;
use super::relaxed_state::RelaxedState;

/// Examines and applies operators.
#[derive(Clone, Debug)]
pub(super) struct RelaxedApply {
    pub(super) scratch: EnumerationScratch,
    /// Masks of values that satisfy a condition.
    allowed: Vec<u64>,
    /// By variable: the number of satisfying combinations in which it had a value.
    allowed_tries: Vec<u32>,
    /// New values with their cells.
    found: Vec<(u32, i32)>,
    /// Flows that an operator starts.
    pub(super) flows: Vec<u32>,
    /// By condition: the state in which it is known to be satisfiable. Value sets only grow, so it
    /// stays satisfiable.
    known: Vec<u32>,
    state: u32,
}

impl RelaxedApply {
    pub(super) fn new(codes: &[CompiledOperator]) -> RelaxedApply {
        let vars = codes.iter().map(|code| code.vars.all.len()).max().unwrap_or(0);
        let words = codes.iter().map(|code| code.vars.words as usize).max().unwrap_or(0);
        RelaxedApply {
            scratch: EnumerationScratch::new(vars, words),
            allowed: vec![0; words],
            allowed_tries: vec![0; vars],
            found: Vec::new(),
            flows: Vec::new(),
            known: vec![0; codes.iter().map(|code| code.conditions.len()).sum()],
            state: 0,
        }
    }

    /// Starts a new state.
    pub(super) fn begin(&mut self) {
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.known.fill(0);
            self.state = 1;
        }
    }

    /// Whether all conditions are satisfiable, each alone and pairwise on shared factors.
    /// Afterwards the scratch has the remaining values.
    #[inline]
    pub(super) fn look(
        &mut self,
        code: &CompiledOperator,
        look: Application,
        relaxed: &RelaxedState,
    ) -> bool {
        self.scratch.begin();
        for (var, mask) in code.masks(look) {
            let of = &code.vars.all[*var as usize];
            let first = relaxed.cells.get(of.cell).first as usize;
            let mut any = 0;
            for (at, mask) in mask.iter().enumerate() {
                let left = relaxed.now[first + at] & mask;
                self.scratch.words[of.at as usize + at] = left;
                any |= left;
            }
            if any == 0 {
                return false;
            }
            self.scratch.narrow(*var);
        }
        code.conditions(look).iter().zip(code.first_condition..).all(|(condition, number)| {
            match condition {
                Condition::Whole(whole) if whole.narrows => self.narrowing(code, whole, relaxed),
                Condition::Compare(compare) => self.compare(code, compare, relaxed),
                Condition::Whole(whole) => {
                    self.once(number, |apply| apply.may_be_true(code, whole, relaxed))
                }
                Condition::Either(all) => self
                    .once(number, |apply| all.iter().any(|one| apply.may_be(code, one, relaxed))),
            }
        })
    }

    /// Tests a condition that narrows nothing; memoised per state.
    fn once(&mut self, number: u32, may_be: impl FnOnce(&mut RelaxedApply) -> bool) -> bool {
        if self.known[number as usize] == self.state {
            return true;
        }
        let is_known = may_be(self);
        if is_known {
            self.known[number as usize] = self.state;
        }
        is_known
    }

    /// Tests a comparison of two variables; the remaining values are exact.
    fn compare(
        &mut self,
        code: &CompiledOperator,
        compare: &Compare,
        relaxed: &RelaxedState,
    ) -> bool {
        let &Compare { op, left, right, narrows } = compare;
        let hull = |var| self.scratch.hull(var, &code.vars, relaxed);
        let (Some(a), Some(b)) = (hull(left), hull(right)) else { return false };
        match op {
            Binary::Equal => return self.same(code, compare, relaxed),
            Binary::NotEqual => {
                if a == b && a.single().is_some() {
                    return false;
                }
                if narrows && let Some(value) = b.single() {
                    self.remove(code, left, value, relaxed);
                }
                if narrows && let Some(value) = a.single() {
                    self.remove(code, right, value, relaxed);
                }
                return true;
            }
            _ => {}
        }
        let apart = i64::from(op == Binary::Less);
        if a.least + apart > b.greatest {
            return false;
        }
        if narrows {
            let (least, greatest) = (a.least + apart, b.greatest - apart);
            self.meet(code, left, Interval { least: i64::MIN, greatest }, relaxed);
            self.meet(code, right, Interval { least, greatest: i64::MAX }, relaxed);
        }
        true
    }

    /// Narrows two variables with few values to their common values if it matters; returns whether
    /// there are any.
    fn same(&mut self, code: &CompiledOperator, compare: &Compare, relaxed: &RelaxedState) -> bool {
        let sides = [(compare.left, compare.right), (compare.right, compare.left)];
        for (own, other) in sides {
            let (of, by) = (&code.vars.all[own as usize], &code.vars.all[other as usize]);
            let (cell, other_cell) = (relaxed.cells.get(of.cell), relaxed.cells.get(by.cell));
            let mut any = false;
            for word in 0..cell.words {
                let mut left = self.scratch.words_of(own, of, cell, relaxed)[word as usize];
                let others = self.scratch.words_of(other, by, other_cell, relaxed);
                let mut kept = 0;
                while left != 0 {
                    let value = cell.value(word * 64 + left.trailing_zeros());
                    if other_cell.range.contains(value) {
                        let bit = other_cell.bit(value);
                        if others[(bit / 64) as usize] & 1 << (bit % 64) != 0 {
                            kept |= left & left.wrapping_neg();
                        }
                    }
                    left &= left - 1;
                }
                any |= kept != 0;
                if compare.narrows {
                    self.allowed[(of.at + word) as usize] = kept;
                }
            }
            if !compare.narrows || !any {
                return any;
            }
            let words = of.at as usize..(of.at + cell.words) as usize;
            self.scratch.words[words.clone()].copy_from_slice(&self.allowed[words]);
            self.scratch.narrow(own);
        }
        true
    }

    /// Removes a value of a variable with few values.
    fn remove(&mut self, code: &CompiledOperator, var: u32, value: i32, relaxed: &RelaxedState) {
        let of = &code.vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        for word in 0..cell.words {
            let now = self.scratch.words_of(var, of, cell, relaxed)[word as usize];
            let left = now & !cell.bits_within(word, Interval::one(value));
            self.scratch.words[(of.at + word) as usize] = left;
        }
        self.scratch.narrow(var);
    }

    /// Whether a disjunct is satisfiable.
    pub(super) fn may_be(
        &mut self,
        code: &CompiledOperator,
        one: &Alternative,
        relaxed: &RelaxedState,
    ) -> bool {
        let is_allowed = |(var, mask): &(u32, Box<[u64]>)| {
            let of = &code.vars.all[*var as usize];
            let cell = relaxed.cells.get(of.cell);
            let words = self.scratch.words_of(*var, of, cell, relaxed);
            words.iter().zip(mask).any(|(word, mask)| word & mask != 0)
        };
        one.masks.iter().all(is_allowed)
            && one.rest.as_ref().is_none_or(|rest| self.may_be_true(code, rest, relaxed))
    }

    fn may_be_true(
        &mut self,
        code: &CompiledOperator,
        condition: &TruthProgram,
        relaxed: &RelaxedState,
    ) -> bool {
        let mut found = false;
        let tried = self.scratch.each(&condition.program, &code.vars, relaxed, |stack, _| {
            found = stack[0] != 0;
            found
        });
        found
            || tried.is_err()
                && self.interval(code, &condition.expr, relaxed).is_some_and(Interval::may_be_true)
    }

    /// Tests a condition and narrows its variables to the satisfying values.
    fn narrowing(
        &mut self,
        code: &CompiledOperator,
        condition: &TruthProgram,
        relaxed: &RelaxedState,
    ) -> bool {
        let RelaxedApply { scratch, allowed, allowed_tries, .. } = self;
        allowed[..code.vars.words as usize].fill(0);
        allowed_tries[..code.vars.all.len()].fill(0);
        let mut tries = 0;
        let tried = scratch.each(&condition.program, &code.vars, relaxed, |stack, choices| {
            if stack[0] != 0 {
                tries += 1;
                for choice in choices {
                    let ValueSource::Var(var) = choice.of else { continue };
                    let of = &code.vars.all[var as usize];
                    allowed_tries[var as usize] += 1;
                    allowed[(of.at + choice.at / 64) as usize] |= 1 << (choice.at % 64);
                }
            }
            false
        });
        if tried.is_err() {
            return self.narrowing_intervals(code, condition, relaxed);
        }
        if tries == 0 {
            return false;
        }
        for (var, (of, &known)) in code.vars.all.iter().zip(allowed_tries.iter()).enumerate() {
            // In some satisfying combination the variable is not read: any value satisfies.
            if known != tries {
                continue;
            }
            let cell = relaxed.cells.get(of.cell);
            let words = of.at as usize..(of.at + cell.words) as usize;
            scratch.words[words.clone()].copy_from_slice(&allowed[words]);
            scratch.narrow(var as u32);
        }
        true
    }

    fn narrowing_intervals(
        &mut self,
        code: &CompiledOperator,
        condition: &TruthProgram,
        relaxed: &RelaxedState,
    ) -> bool {
        let truth = self.interval(code, &condition.expr, relaxed);
        if !truth.is_some_and(Interval::may_be_true) {
            return false;
        }
        let mut bounds = [None; 2];
        narrow(&condition.expr, &|one| self.values(code, one, relaxed), &mut |factor, bound| {
            let free = bounds.iter_mut().find(|bound| bound.is_none());
            *free.expect("a comparison has two sides") = Some((factor, bound));
        });
        for (factor, bound) in bounds.into_iter().flatten() {
            let Some(var) = code.vars.number(factor) else { continue };
            if !self.meet(code, var, bound, relaxed) {
                return false;
            }
        }
        true
    }

    /// Narrows a variable to an interval; returns whether a value remains.
    fn meet(
        &mut self,
        code: &CompiledOperator,
        var: u32,
        bound: Interval,
        relaxed: &RelaxedState,
    ) -> bool {
        let of = &code.vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let scratch = &mut self.scratch;
        let hull = scratch.hull(var, &code.vars, relaxed);
        let mut any = 0;
        for word in 0..cell.words {
            let now = scratch.words_of(var, of, cell, relaxed)[word as usize];
            let left = match cell.shape {
                CellShape::Bits => now & cell.bits_within(word, bound),
                CellShape::List(_) if now & WIDE != 0 => {
                    let met = hull.and_then(|hull| hull.meet(bound));
                    scratch.hulls[var as usize] = met;
                    if met.is_some() { WIDE } else { 0 }
                }
                CellShape::List(list) => {
                    let mut left = now;
                    for bit in 0..WIDE.trailing_zeros() {
                        if now & 1 << bit != 0 && !bound.contains(relaxed.listed(list, bit)) {
                            left &= !(1 << bit);
                        }
                    }
                    left
                }
            };
            // All words are read before the variable is marked as narrowed.
            scratch.words[(of.at + word) as usize] = left;
            any |= left;
        }
        scratch.narrow(var);
        any != 0
    }

    /// The hull of a factor's values.
    fn values(
        &self,
        code: &CompiledOperator,
        factor: FactorId,
        relaxed: &RelaxedState,
    ) -> Option<Interval> {
        match code.vars.number(factor) {
            Some(var) => self.scratch.hull(var, &code.vars, relaxed),
            None => relaxed.hull(relaxed.cells.cell_of(factor)),
        }
    }

    /// The hull of an expression's values.
    pub(super) fn interval(
        &self,
        code: &CompiledOperator,
        expr: &FactorExpr,
        relaxed: &RelaxedState,
    ) -> Option<Interval> {
        evaluate_some(expr, &|factor| self.values(code, factor, relaxed))
    }

    /// Adds the effects of an operator for the remaining values. Flows are only reported.
    #[inline]
    pub(super) fn apply(
        &mut self,
        code: &CompiledOperator,
        look: Application,
        relaxed: &mut RelaxedState,
    ) {
        for effect in code.effects(look) {
            self.add(code, effect, relaxed);
        }
    }

    #[inline]
    fn add(&mut self, code: &CompiledOperator, effect: &Effect, relaxed: &mut RelaxedState) {
        match effect {
            Effect::Const { cell, value } => relaxed.add(*cell, *value),
            Effect::Map(BitTable { flow: Some(flow), .. }) => self.flows.push(*flow),
            Effect::Map(map) => {
                let of = &code.vars.all[map.var as usize];
                let cell = *relaxed.cells.get(of.cell);
                for word in 0..cell.words {
                    let now = self.scratch.words_of(map.var, of, &cell, relaxed)[word as usize];
                    map.add(word, now, relaxed);
                }
            }
            Effect::Value { cell, program, expr } => {
                let mut found = std::mem::take(&mut self.found);
                let tried = self.scratch.each(program, &code.vars, relaxed, |stack, _| {
                    found.push((*cell, stack[0]));
                    false
                });
                found.drain(..).for_each(|(cell, value)| relaxed.add(cell, value));
                self.found = found;
                if tried.is_err()
                    && let Some(values) = self.interval(code, expr, relaxed)
                {
                    relaxed.add_interval(*cell, values);
                }
            }
            Effect::Element { cells, program, index, value } => {
                let mut found = std::mem::take(&mut self.found);
                let tried = self.scratch.each(program, &code.vars, relaxed, |stack, _| {
                    let index = usize::try_from(stack[0]).ok();
                    if let Some(&cell) = index.and_then(|index| cells.get(index)) {
                        found.push((cell, stack[1]));
                    }
                    false
                });
                found.drain(..).for_each(|(cell, value)| relaxed.add(cell, value));
                self.found = found;
                if tried.is_err() {
                    self.apply_intervals(code, cells, index, value, relaxed);
                }
            }
            Effect::Chosen { var, table, effects } => {
                let of = &code.vars.all[*var as usize];
                let cell = *relaxed.cells.get(of.cell);
                for word in 0..cell.words {
                    let words = self.scratch.words_of(*var, of, &cell, relaxed);
                    let mut left = words[word as usize];
                    while left != 0 {
                        let at = table[(word * 64 + left.trailing_zeros()) as usize];
                        if at != NOTHING {
                            self.add(code, &effects[usize::from(at)], relaxed);
                        }
                        left &= left - 1;
                    }
                }
            }
            Effect::Nothing => {}
            Effect::Span { cell, values } => relaxed.add_interval(*cell, *values),
        }
    }

    fn apply_intervals(
        &self,
        code: &CompiledOperator,
        cells: &[u32],
        index: &FactorExpr,
        value: &FactorExpr,
        relaxed: &mut RelaxedState,
    ) {
        let row = Interval { least: 0, greatest: cells.len() as i64 - 1 };
        let index = self.interval(code, index, relaxed).and_then(|index| index.meet(row));
        let value = self.interval(code, value, relaxed);
        if let (Some(index), Some(value)) = (index, value) {
            for at in index.least..=index.greatest {
                relaxed.add_interval(cells[at as usize], value);
            }
        }
    }
}
