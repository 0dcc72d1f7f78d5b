//! Steps and goals, prepared for relaxed states.
//!
//! What a step asks of a single factor with few values is a mask of those with which it can be
//! taken; what such a factor becomes is a table. Everything else is a program.

use std::collections::BTreeSet;
use std::sync::Arc;

use beeline_factored::{
    Assignment, Binary, Expr, FactorId, Flat, Interval, Place, Ranges, System, evaluate_some,
};
use beeline_kernel::Mover;

use super::cells::{Cells, Options, Shape};
use super::flow::{Flow, Map, NOTHING, flows};
use super::needs::Need;
use super::program::{Assembler, Of, Program, Vars};

/// Values for which a step can wait one by one, at most.
const AWAITED: u32 = 8;

/// What is asked of more than one factor, or of one with many values.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// An expression is true.
    Whole(Whole),
    /// One of these is.
    Either(Box<[Alternative]>),
    /// Two variables compare like this.
    Compare(Compare),
}

/// Two variables that are compared: of each, it is plain which values are left.
#[derive(Clone, Debug)]
pub(super) struct Compare {
    pub(super) op: Binary,
    pub(super) left: u32,
    pub(super) right: u32,
    /// Other parts of the step read the same factors.
    pub(super) narrows: bool,
}

/// An expression that has to be true.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) program: Program,
    pub(super) expr: Expr,
    /// Other parts of the step read the same factors, so it matters which values are left.
    pub(super) narrows: bool,
}

/// Variables of few values, and words of those with which something can be true.
pub(super) type Masks = Vec<(u32, Box<[u64]>)>;

/// What can make a condition true: all of its parts together. No variable is in both.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) masks: Masks,
    pub(super) rest: Option<Whole>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// A cell gets a value.
    Const { cell: u32, value: i32 },
    /// A cell gets what a table has for the values of a variable, both of them sets of bits.
    Map(Map),
    /// A cell gets the values of an expression.
    Value { cell: u32, program: Program, expr: Expr },
    /// One of several does: the program leaves the index and the value.
    Element { cells: Box<[u32]>, program: Program, index: Expr, value: Expr },
    /// One of several effects takes place, by the bits of a variable that none of them reads.
    Chosen { var: u32, table: Box<[u16]>, effects: Box<[Effect]> },
    /// A cell gets all values of an interval.
    Span { cell: u32, values: Interval },
    /// Nothing that was not there.
    Nothing,
}

/// A step or a goal.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// 1 at most.
    pub(super) cost: u32,
    pub(super) mover: Mover,
    pub(super) vars: Vars,
    /// Variables of few values, and words of those with which it can be taken.
    pub(super) masks: Masks,
    pub(super) conditions: Vec<Condition>,
    /// The number of the first of them, among those of all steps and goals.
    pub(super) first_condition: u32,
    pub(super) effects: Vec<Effect>,
    /// How many of each, from the first, matter once it was taken: what was true stays true,
    /// and what was constant is there.
    pub(super) again: Again,
    /// Cells that it reads.
    pub(super) reads: Vec<u32>,
    /// Cells that conditions read, or several masks.
    pub(super) compared: Vec<u32>,
    /// Those of them on whose further values its effects depend.
    pub(super) sources: Vec<u32>,
    /// The same, where only flows depend on them.
    pub(super) flowing: Vec<u32>,
}

/// How many masks, conditions and effects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Again {
    pub(super) masks: usize,
    pub(super) conditions: usize,
    pub(super) effects: usize,
    pub(super) with_flows: usize,
}

/// Whether a step was taken before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    First,
    Again,
}

/// A list of numbers for each of many things.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new(count: usize, mut pairs: Vec<(u32, T)>) -> Lists<T> {
        pairs.sort_by_key(|pair| pair.0);
        let mut starts = vec![0; count + 1];
        pairs.iter().for_each(|pair| starts[pair.0 as usize + 1] += 1);
        (0..count).for_each(|at| starts[at + 1] += starts[at]);
        Lists { starts, items: pairs.into_iter().map(|pair| pair.1).collect() }
    }

    #[inline]
    pub(super) fn of(&self, at: u32) -> &[T] {
        &self.items[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }
}

/// A system, prepared for relaxed states.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) cells: Arc<Cells>,
    /// Steps, then goals.
    pub(super) codes: Vec<Code>,
    pub(super) steps: u32,
    /// By value: who cannot be taken before it, or another one like it, is there.
    pub(super) waiting: Lists<u32>,
    /// Who waits for no value.
    pub(super) always: Vec<u32>,
    /// By cell: who reads it, and for how long.
    pub(super) readers: Lists<(u32, Need)>,
    pub(super) flows: Vec<Flow>,
    /// By cell: the flows from it.
    pub(super) flowing: Lists<u32>,
}

impl Compiled {
    pub(super) fn new(system: &System, ranges: &Ranges, options: Options) -> Compiled {
        let cells = Arc::new(Cells::new(system, ranges, options));
        let crowds: Vec<bool> = system.factors.iter().map(|factor| factor.is_crowd).collect();
        let mut codes = Vec::new();
        for step in &system.steps {
            let Some(flat) = Flat::step(system, ranges, step) else { continue };
            let builder = Builder::new(&cells, &crowds);
            codes.extend(builder.build(&flat, step.cost.min(1), step.mover));
        }
        let steps = codes.len() as u32;
        for goal in &system.goals {
            let Some(flat) = Flat::goal(goal) else { continue };
            codes.extend(Builder::new(&cells, &crowds).build(&flat, 0, Mover::default()));
        }
        let flows = flows(&mut codes);
        codes.iter_mut().for_each(Code::find_reads);
        let mut conditions = 0;
        for code in &mut codes {
            code.first_condition = conditions;
            conditions += code.conditions.len() as u32;
        }
        let (mut waiting, mut readers, mut always) = (Vec::new(), Vec::new(), Vec::new());
        for (at, code) in codes.iter().enumerate() {
            let at = at as u32;
            // Who is awake has the value that it waited for: others of that cell change nothing,
            // unless something else looks at it.
            let mut met = None;
            match code.awaited(&cells) {
                Some((cell, values)) => {
                    met = Some(cell);
                    waiting.extend(values.into_iter().map(|value| (value, at)));
                }
                None => always.push(at),
            }
            for &cell in &code.reads {
                let need = code.need(cell);
                if met != Some(cell) || need != Need::Once || code.compared.contains(&cell) {
                    readers.push((cell, (at, need)));
                }
            }
        }
        let from = flows.iter().enumerate().map(|(at, flow)| (flow.from, at as u32));
        Compiled {
            flowing: Lists::new(cells.all.len(), from.collect()),
            flows,
            waiting: Lists::new(cells.words as usize * 64, waiting),
            readers: Lists::new(cells.all.len(), readers),
            always,
            codes,
            steps,
            cells,
        }
    }
}

impl Code {
    /// The cell of a variable, and its values with which the step can be taken, if they are few.
    fn awaited(&self, cells: &Cells) -> Option<(u32, Vec<u32>)> {
        let count = |mask: &[u64]| mask.iter().map(|word| word.count_ones()).sum::<u32>();
        let (var, mask) = self.masks.iter().min_by_key(|(_, mask)| count(mask))?;
        if count(mask) > AWAITED {
            return None;
        }
        let cell = self.vars.all[*var as usize].cell;
        let first = cells.get(cell).first * 64;
        let bits = (0..mask.len() as u32 * 64)
            .filter(|bit| mask[(bit / 64) as usize] & 1 << (bit % 64) != 0);
        Some((cell, bits.map(|bit| first + bit).collect()))
    }
}

/// The values with which a factor that is compared to a constant meets a condition.
fn bound(condition: &Expr) -> Option<Interval> {
    let Expr::Binary(op, left, right) = condition else { return None };
    let (Expr::Factor(_), Expr::Const(value)) = (left.as_ref(), right.as_ref()) else {
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

/// Prepares one step.
struct Builder<'a> {
    cells: &'a Cells,
    crowds: &'a [bool],
    vars: Vars,
    /// By factor that is asked about: which values of its bits are left.
    masks: Vec<(FactorId, Box<[u64]>)>,
}

impl<'a> Builder<'a> {
    fn new(cells: &'a Cells, crowds: &'a [bool]) -> Self {
        Builder { cells, crowds, vars: Vars::default(), masks: Vec::new() }
    }

    /// The step; none if it can never be taken.
    fn build(mut self, flat: &Flat, cost: u32, mover: Mover) -> Option<Code> {
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
        let mut code = Code {
            cost,
            mover,
            vars: self.vars,
            masks,
            conditions,
            first_condition: 0,
            effects,
            again: Again::default(),
            reads: Vec::new(),
            compared: Vec::new(),
            sources: Vec::new(),
            flowing: Vec::new(),
        };
        code.find_narrowing();
        Some(code)
    }

    /// The masks that were made; none if one of them leaves nothing.
    fn masks(&mut self) -> Option<Masks> {
        let mut masks = Vec::new();
        for (factor, mask) in std::mem::take(&mut self.masks) {
            if mask.iter().all(|&word| word == 0) {
                return None;
            }
            if let Of::Var(var) = self.vars.of(factor, self.cells, self.crowds) {
                masks.push((var, mask));
            }
        }
        Some(masks)
    }

    /// A comparison of two factors, if it is one.
    fn compare(&mut self, condition: &Expr) -> Option<Compare> {
        let Expr::Binary(op, left, right) = condition else { return None };
        let (Expr::Factor(left), Expr::Factor(right)) = (left.as_ref(), right.as_ref()) else {
            return None;
        };
        let cell = |factor: &FactorId| self.cells.get(self.cells.cell_of(*factor));
        let are_bits = [left, right].into_iter().all(|one| cell(one).shape == Shape::Bits);
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
            (Of::Var(left), Of::Var(right)) => {
                Some(Compare { op: *op, left, right, narrows: false })
            }
            _ => None,
        }
    }

    fn whole(&mut self, expr: Expr) -> Whole {
        Whole { program: self.program(&[&expr]), expr, narrows: false }
    }

    /// A part of a condition of which one part has to be true; none if it never is.
    fn alternative(&mut self, part: &Expr) -> Option<Alternative> {
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
                (Expr::Const(0), _) => {
                    self.masks.clear();
                    return None;
                }
                (Expr::Const(_), _) => {}
                (_, Some(factor)) if !shared.contains(&factor) => self.restrict(factor, conjunct),
                (_, Some(_)) => early.push(conjunct.clone()),
                (_, None) => late.push(conjunct.clone()),
            }
        }
        let masks = self.masks()?;
        let rest = early.into_iter().chain(late).reduce(Expr::and);
        Some(Alternative { masks, rest: rest.map(|rest| self.whole(rest)) })
    }

    /// The only factor of an expression, if it has few values and is no crowd.
    fn single(&self, expr: &Expr) -> Option<FactorId> {
        let (mut found, mut several) = (None, false);
        expr.factors(&mut |factor| several |= *found.get_or_insert(factor) != factor);
        let factor = found.filter(|_| !several)?;
        let cell = self.cells.get(self.cells.cell_of(factor));
        (cell.shape == Shape::Bits && !self.crowds[factor.index()]).then_some(factor)
    }

    /// Leaves the values of a factor with which a condition may be true.
    fn restrict(&mut self, factor: FactorId, condition: &Expr) {
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

    /// Expressions one after the other.
    fn program(&mut self, exprs: &[&Expr]) -> Program {
        let mut assembler = Assembler::new(self.cells, self.crowds, &mut self.vars);
        exprs.iter().for_each(|expr| assembler.expr(expr));
        assembler.finish()
    }

    fn effect(&mut self, effect: &Assignment, cost: u32, effects: &mut Vec<Effect>) {
        let value = &effect.value;
        let cells: Vec<u32> = effect.place.factors().map(|one| self.cells.cell_of(one)).collect();
        let is_same = cells.iter().all(|&cell| cell == cells[0]);
        // Without a cost, lists would grow without end.
        let grows = |&cell: &u32| {
            cost == 0
                && self.cells.get(cell).shape != Shape::Bits
                && !matches!(value, Expr::Const(_))
        };
        if cells.iter().any(grows) {
            let all = |&cell: &u32| Effect::Span { cell, values: self.cells.get(cell).range };
            effects.extend(cells.iter().map(all));
            return;
        }
        match &effect.place {
            Place::Element(element)
                if !is_same
                    && let Some((var, table)) = self.choice(&element.index, value, cells.len()) =>
            {
                let each = cells.iter().map(|&cell| self.set(cell, value));
                let each = each.map(|one| one.unwrap_or(Effect::Nothing)).collect();
                effects.push(Effect::Chosen { var, table, effects: each });
            }
            Place::Element(element) if !is_same => {
                let program = self.program(&[&element.index, value]);
                let (index, value) = (element.index.as_ref().clone(), value.clone());
                effects.push(Effect::Element { cells: cells.into(), program, index, value });
            }
            // It does not matter which place of a pool it is.
            _ => effects.extend(self.set(cells[0], value)),
        }
    }

    /// Which of a row an index chooses, if it depends on a factor with few values on which the
    /// value does not depend.
    fn choice(&mut self, index: &Expr, value: &Expr, count: usize) -> Option<(u32, Box<[u16]>)> {
        let factor = self.single(index)?;
        let mut is_shared = false;
        value.factors(&mut |one| is_shared |= one == factor);
        let cell = self.cells.get(self.cells.cell_of(factor));
        let mut table = Vec::new();
        for bit in 0..cell.range.size() as u32 {
            let known = Interval::one(cell.value(bit));
            table.push(match evaluate_some(index, &|_| Some(known)) {
                None => NOTHING,
                Some(index) => {
                    let index = usize::try_from(index.single()?).ok();
                    index.filter(|&index| index < count).map_or(NOTHING, |index| index as u16)
                }
            });
        }
        match self.vars.of(factor, self.cells, self.crowds) {
            Of::Var(var) if !is_shared && count < usize::from(NOTHING) => Some((var, table.into())),
            _ => None,
        }
    }

    /// What a cell gets; nothing if it has all that already.
    fn set(&mut self, cell: u32, value: &Expr) -> Option<Effect> {
        match value {
            Expr::Const(value) => return Some(Effect::Const { cell, value: *value }),
            Expr::Factor(from) if self.cells.cell_of(*from) == cell => return None,
            _ => {}
        }
        let mut is_known = true;
        value.factors(&mut |_| is_known = false);
        if is_known {
            // What the view does not know is the same everywhere.
            let values = evaluate_some(value, &|_| None)?;
            return Some(Effect::Span { cell, values });
        }
        if let Some(factor) = self.single(value)
            && self.cells.get(cell).shape == Shape::Bits
            && let Some(map) = self.map(factor, cell, value)
        {
            return Some(Effect::Map(map));
        }
        let program = self.program(&[value]);
        Some(Effect::Value { cell, program, expr: value.clone() })
    }

    /// The table of an expression about a single factor; none if a value of it leads to several.
    fn map(&mut self, factor: FactorId, cell: u32, value: &Expr) -> Option<Map> {
        let from = self.cells.get(self.cells.cell_of(factor));
        let to = self.cells.get(cell);
        let mut table = Vec::new();
        for bit in 0..from.range.size() as u32 {
            let known = Interval::one(from.value(bit));
            table.push(match evaluate_some(value, &|_| Some(known)) {
                None => NOTHING,
                Some(made) => {
                    let made = made.single()?;
                    if to.range.contains(made) { to.bit(made) as u16 } else { NOTHING }
                }
            });
        }
        let Of::Var(var) = self.vars.of(factor, self.cells, self.crowds) else { return None };
        Some(Map::new(var, cell, table, to.words))
    }
}

impl Code {
    /// The masks that have to be looked at.
    #[inline]
    pub(super) fn masks(&self, look: Look) -> &[(u32, Box<[u64]>)] {
        if look == Look::Again { &self.masks[..self.again.masks] } else { &self.masks }
    }

    /// The conditions that have to be looked at.
    #[inline]
    pub(super) fn conditions(&self, look: Look) -> &[Condition] {
        if look == Look::Again {
            &self.conditions[..self.again.conditions]
        } else {
            &self.conditions
        }
    }

    /// The effects that may add something, if nobody follows flows.
    #[inline]
    pub(super) fn effects_and_flows(&self, look: Look) -> &[Effect] {
        if look == Look::Again { &self.effects[..self.again.with_flows] } else { &self.effects }
    }

    /// The effects that may add something, if someone does.
    #[inline]
    pub(super) fn effects(&self, look: Look) -> &[Effect] {
        if look == Look::Again { &self.effects[..self.again.effects] } else { &self.effects }
    }
}
