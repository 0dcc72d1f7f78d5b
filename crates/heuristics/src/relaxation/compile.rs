//! Compilation of an operator or goal: conditions become masks or programs, effects become tables
//! or programs.

use std::collections::BTreeSet;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, FactorExpr, FactorId, FlatOperator, Interval,
    evaluate_some,
};
use beeline_kernel::StepLabel;

use super::bit_table::{BitTable, NOTHING};
use super::cells::{CellShape, Cells};
use super::code::{
    Alternative, Compare, CompiledOperator, Condition, Effect, Masks, RepeatPart, TruthProgram,
};
use super::program::{Assembler, Program, ValueSource, Vars};

/// The interval of a factor that satisfies a comparison with a constant.
fn bound(condition: &FactorExpr) -> Option<Interval> {
    let FactorExpr::Binary(op, left, right) = condition else { return None };
    let (FactorExpr::Factor(_), FactorExpr::Const(value)) = (left.as_ref(), right.as_ref()) else {
        return None;
    };
    let (least, value) = (i64::MIN, i64::from(*value));
    match op {
        Binary::Equal => Some(Interval { least: value, greatest: value }),
        Binary::Less => Some(Interval { least, greatest: value - 1 }),
        Binary::LessEqual => Some(Interval { least, greatest: value }),
        _ => None,
    }
}

/// Compiles one operator.
pub(super) struct Compiler<'a> {
    cells: &'a Cells,
    crowds: &'a [bool],
    vars: Vars,
    /// By tested factor: the mask of allowed values.
    masks: Vec<(FactorId, Box<[u64]>)>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(cells: &'a Cells, crowds: &'a [bool]) -> Self {
        Compiler { cells, crowds, vars: Vars::default(), masks: Vec::new() }
    }

    /// The compiled operator; `None` if it is never applicable.
    pub(super) fn build(
        mut self,
        flat: &FlatOperator,
        cost: u32,
        label: StepLabel,
    ) -> Option<CompiledOperator> {
        let mut rest = Vec::new();
        for condition in &flat.conditions {
            match self.single(condition) {
                Some(factor) => self.restrict(factor, condition),
                None => rest.push(condition),
            }
        }
        let masks = self.masks()?;
        let mut conditions: Vec<Condition> = Vec::new();
        for condition in &rest {
            let parts = condition.disjuncts();
            conditions.push(match parts.as_slice() {
                [one] if let Some(compare) = self.compare(one) => Condition::Compare(compare),
                [one] => Condition::Whole(self.whole((*one).clone())),
                parts => {
                    let each = parts.iter().filter_map(|part| self.alternative(part)).collect();
                    Condition::Either(each)
                }
            });
        }
        let mut effects = Vec::new();
        for effect in &flat.effects {
            self.effect(effect, cost, &mut effects);
        }
        let mut code = CompiledOperator {
            cost,
            label,
            vars: self.vars,
            masks,
            conditions,
            first_condition: 0,
            effects,
            again: RepeatPart::default(),
            reads: Vec::new(),
            compared: Vec::new(),
            sources: Vec::new(),
            flowing: Vec::new(),
        };
        code.find_narrowing();
        Some(code)
    }

    /// The masks; `None` if one is empty.
    fn masks(&mut self) -> Option<Masks> {
        let mut masks = Vec::new();
        for (factor, mask) in std::mem::take(&mut self.masks) {
            if mask.iter().all(|&word| word == 0) {
                return None;
            }
            if let ValueSource::Var(var) = self.vars.of(factor, self.cells, self.crowds) {
                masks.push((var, mask));
            }
        }
        Some(masks)
    }

    /// Compiles a comparison of two factors.
    fn compare(&mut self, condition: &FactorExpr) -> Option<Compare> {
        let FactorExpr::Binary(op, left, right) = condition else { return None };
        let (FactorExpr::Factor(left), FactorExpr::Factor(right)) = (left.as_ref(), right.as_ref())
        else {
            return None;
        };
        let cell = |factor: &FactorId| self.cells.get(self.cells.cell_of(*factor));
        let are_bits = [left, right].into_iter().all(|one| cell(one).shape == CellShape::Bits);
        let is_plain = match op {
            Binary::Less | Binary::LessEqual => left != right,
            Binary::Equal | Binary::NotEqual => left != right && are_bits,
            _ => false,
        };
        if !is_plain {
            return None;
        }
        let left = self.vars.of(*left, self.cells, self.crowds);
        let right = self.vars.of(*right, self.cells, self.crowds);
        match (left, right) {
            (ValueSource::Var(left), ValueSource::Var(right)) => {
                Some(Compare { op: *op, left, right, narrows: false })
            }
            _ => None,
        }
    }

    fn whole(&mut self, expr: FactorExpr) -> TruthProgram {
        TruthProgram { program: self.program(&[&expr]), expr, narrows: false }
    }

    /// Compiles a disjunct; `None` if it is never true.
    fn alternative(&mut self, part: &FactorExpr) -> Option<Alternative> {
        let mut conjuncts = Vec::new();
        part.conjuncts(&mut conjuncts);
        let mut shared = BTreeSet::new();
        for conjunct in conjuncts.iter().filter(|conjunct| self.single(conjunct).is_none()) {
            conjunct.factors(&mut |factor| {
                shared.insert(factor);
            });
        }
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for conjunct in conjuncts {
            match (conjunct, self.single(conjunct)) {
                (FactorExpr::Const(0), _) => {
                    self.masks.clear();
                    return None;
                }
                (FactorExpr::Const(_), _) => {}
                (_, Some(factor)) if !shared.contains(&factor) => self.restrict(factor, conjunct),
                (_, Some(_)) => early.push(conjunct.clone()),
                (_, None) => late.push(conjunct.clone()),
            }
        }
        let masks = self.masks()?;
        let rest = early.into_iter().chain(late).reduce(FactorExpr::and);
        Some(Alternative { masks, rest: rest.map(|rest| self.whole(rest)) })
    }

    /// The only factor of an expression, if it has few values and is no summary factor.
    fn single(&self, expr: &FactorExpr) -> Option<FactorId> {
        let (mut found, mut several) = (None, false);
        expr.factors(&mut |factor| several |= *found.get_or_insert(factor) != factor);
        let factor = found.filter(|_| !several)?;
        let cell = self.cells.get(self.cells.cell_of(factor));
        (cell.shape == CellShape::Bits && !self.crowds[factor.index()]).then_some(factor)
    }

    /// Restricts the mask of a factor to the values that may satisfy a condition.
    fn restrict(&mut self, factor: FactorId, condition: &FactorExpr) {
        let cell = self.cells.get(self.cells.cell_of(factor));
        let at = match self.masks.iter().position(|(one, _)| *one == factor) {
            Some(at) => at,
            None => {
                let all = (0..cell.words).map(|word| cell.bits_within(word, cell.range)).collect();
                self.masks.push((factor, all));
                self.masks.len() - 1
            }
        };
        let mask = &mut self.masks[at].1;
        if let Some(values) = bound(condition) {
            (0..cell.words).for_each(|word| mask[word as usize] &= cell.bits_within(word, values));
            return;
        }
        for bit in 0..cell.range.size() as u32 {
            let value = Interval::one(cell.value(bit));
            let truth = evaluate_some(condition, &|_| Some(value));
            if !truth.is_some_and(Interval::may_be_true) {
                mask[(bit / 64) as usize] &= !(1 << (bit % 64));
            }
        }
    }

    /// Compiles a sequence of expressions.
    fn program(&mut self, exprs: &[&FactorExpr]) -> Program {
        let mut assembler = Assembler::new(self.cells, self.crowds, &mut self.vars);
        exprs.iter().for_each(|expr| assembler.expr(expr));
        assembler.finish()
    }

    fn effect(&mut self, effect: &Assignment, cost: u32, effects: &mut Vec<Effect>) {
        let value = &effect.value;
        let cells: Vec<u32> = effect.place.factors().map(|one| self.cells.cell_of(one)).collect();
        let is_same = cells.iter().all(|&cell| cell == cells[0]);
        // Without a cost, lists could grow forever.
        let grows = |&cell: &u32| {
            cost == 0
                && self.cells.get(cell).shape != CellShape::Bits
                && !matches!(value, FactorExpr::Const(_))
        };
        if cells.iter().any(grows) {
            let all = |&cell: &u32| Effect::Span { cell, values: self.cells.get(cell).range };
            effects.extend(cells.iter().map(all));
            return;
        }
        match &effect.place {
            AssignmentTarget::Element(element)
                if !is_same
                    && let Some((var, table)) = self.choice(&element.index, value, cells.len()) =>
            {
                let each = cells.iter().map(|&cell| self.set(cell, value));
                let each = each.map(|one| one.unwrap_or(Effect::Nothing)).collect();
                effects.push(Effect::Chosen { var, table, effects: each });
            }
            AssignmentTarget::Element(element) if !is_same => {
                let program = self.program(&[&element.index, value]);
                let (index, value) = (element.index.as_ref().clone(), value.clone());
                effects.push(Effect::Element { cells: cells.into(), program, index, value });
            }
            // All slots of a pool are one cell.
            _ => effects.extend(self.set(cells[0], value)),
        }
    }

    /// An array index that depends on one factor with few values that the value does not depend on.
    fn choice(
        &mut self,
        index: &FactorExpr,
        value: &FactorExpr,
        count: usize,
    ) -> Option<(u32, Box<[u16]>)> {
        let factor = self.single(index)?;
        let mut is_shared = false;
        value.factors(&mut |one| is_shared |= one == factor);
        let table = self.table(factor, index, |index| {
            let index = usize::try_from(index).ok().filter(|&index| index < count);
            index.map(|index| index as u16)
        })?;
        match self.vars.of(factor, self.cells, self.crowds) {
            ValueSource::Var(var) if !is_shared && count < usize::from(NOTHING) => {
                Some((var, table.into()))
            }
            _ => None,
        }
    }

    /// The effect of an assignment to a cell; `None` if the cell already has all values.
    fn set(&mut self, cell: u32, value: &FactorExpr) -> Option<Effect> {
        match value {
            FactorExpr::Const(value) => return Some(Effect::Const { cell, value: *value }),
            FactorExpr::Factor(from) if self.cells.cell_of(*from) == cell => return None,
            _ => {}
        }
        let mut is_known = true;
        value.factors(&mut |_| is_known = false);
        if is_known {
            // An unknown value has the same interval in every state.
            let values = evaluate_some(value, &|_| None)?;
            return Some(Effect::Span { cell, values });
        }
        if let Some(factor) = self.single(value)
            && self.cells.get(cell).shape == CellShape::Bits
            && let Some(map) = self.map(factor, cell, value)
        {
            return Some(Effect::Map(map));
        }
        let program = self.program(&[value]);
        Some(Effect::Value { cell, program, expr: value.clone() })
    }

    /// The table of an expression over one factor; `None` if a value has several images.
    fn map(&mut self, factor: FactorId, cell: u32, value: &FactorExpr) -> Option<BitTable> {
        let to = self.cells.get(cell);
        let bit = |made| to.range.contains(made).then(|| to.bit(made) as u16);
        let table = self.table(factor, value, bit)?;
        let ValueSource::Var(var) = self.vars.of(factor, self.cells, self.crowds) else {
            return None;
        };
        Some(BitTable::new(var, cell, table, to.words))
    }

    /// By value of a factor: the image of an expression over it; `None` if a value has several
    /// images.
    fn table(
        &self,
        factor: FactorId,
        expr: &FactorExpr,
        meaning: impl Fn(i32) -> Option<u16>,
    ) -> Option<Vec<u16>> {
        let cell = self.cells.get(self.cells.cell_of(factor));
        let meant = |bit| {
            let known = Interval::one(cell.value(bit));
            let Some(found) = evaluate_some(expr, &|_| Some(known)) else { return Some(NOTHING) };
            Some(meaning(found.single()?).unwrap_or(NOTHING))
        };
        (0..cell.range.size() as u32).map(meant).collect()
    }
}
