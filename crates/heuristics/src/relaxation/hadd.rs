//! h^add: the sum of the costs of the values that a goal needs; an operator costs its own cost plus
//! the sum of the costs of the values that it needs.
//!
//! Source: [BG01], generalised to sets of values: for each tested factor, the cheapest allowed
//! value counts; for each assigned value, the value that it is computed from.
//! Values are found in the order of costs (Dijkstra). Beyond 4000, the estimate is 4000.
//! Claims: safe.

use beeline_factored::Interval;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::bit_table::{BitTable, NOTHING};
use super::cells::CellShape;
use super::code::{Application, CompiledOperator, Condition, Effect, TruthProgram};
use super::compiled_relaxation::{ARGUMENTS, Relaxation};
use super::enumerate::ChosenValue;
use super::program::ValueSource;
use super::relaxed_apply::RelaxedApply;
use super::relaxed_state::RelaxedState;
use super::worklist::{FlowMode, Worklist};
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "hadd",
    aliases: &[],
    arguments: ARGUMENTS,
    about: "sum of the costs of all facts that an error needs, in the delete relaxation",
    promises: Some("safe"),
    source: Some("[AWW15] §1"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Hadd::new(&Relaxation::requested(of)?))),
    },
};

/// The greatest cost.
const MOST: u32 = 4000;

/// The sum of the costs of values.
#[derive(Clone)]
pub struct Hadd<'a> {
    relaxation: Relaxation<'a>,
    relaxed: RelaxedState,
    apply: RelaxedApply,
    agenda: Worklist,
    costs: Costs,
    notes: Notes,
    steps: Vec<u32>,
    /// Mask over all cells: values that are new to all examined operators.
    fresh: Vec<u64>,
    /// Whether only effects of these values are computed.
    is_fresh: bool,
}

/// The queue of values by cost.
#[derive(Clone, Debug)]
struct Notes {
    /// By cost: cells with the values that they get.
    waiting: Vec<Vec<(u32, Interval)>>,
    /// By value: the state of this entry, and the least cost so far.
    best: Vec<(u32, u32)>,
    state: u32,
    /// The greatest cost.
    last: u32,
    /// Lower bound on the cost of new values: they come from new values.
    least: u32,
}

/// Costs.
#[derive(Clone, Debug)]
struct Costs {
    /// By value.
    of: Vec<u32>,
    /// By applied operator.
    steps: Vec<u32>,
    /// By variable of the examined operator: the cost of its cheapest remaining value, if it is
    /// part of the operator's cost.
    cheapest: Vec<Option<u32>>,
}

impl<'a> Hadd<'a> {
    /// For the states of a relaxation.
    pub fn new(relaxation: &Relaxation<'a>) -> Self {
        let compiled = &relaxation.compiled;
        let relaxed = RelaxedState::new(compiled.cells.clone());
        Hadd {
            relaxation: relaxation.clone(),
            apply: RelaxedApply::new(&compiled.codes),
            agenda: Worklist::new(compiled, FlowMode::AsEffects),
            costs: Costs {
                of: vec![0; relaxed.rank.len()],
                steps: vec![0; compiled.codes.len()],
                cheapest: Vec::new(),
            },
            notes: Notes {
                waiting: vec![Vec::new(); MOST as usize + 1],
                best: vec![(0, 0); relaxed.rank.len()],
                state: 0,
                last: 0,
                least: 0,
            },
            steps: Vec::new(),
            fresh: vec![0; compiled.cells.words as usize],
            is_fresh: false,
            relaxed,
        }
    }

    /// Finds values in the order of costs until no goal can become cheaper.
    fn explore(&mut self) -> Estimate {
        let compiled = self.relaxation.compiled.clone();
        let mut goal: Option<u32> = None;
        self.notes.begin();
        for cost in 0..=MOST {
            if cost == MOST {
                goal = goal.or(Some(MOST));
            }
            if goal.is_some_and(|goal| goal <= cost) || cost > self.notes.last {
                break;
            }
            loop {
                for (cell, values) in self.notes.waiting[cost as usize].drain(..) {
                    self.relaxed.add_interval(cell, values);
                }
                for &value in &self.agenda.fresh {
                    self.fresh[(value / 64) as usize] = 0;
                }
                self.agenda.commit(&compiled, &mut self.relaxed);
                for &value in &self.agenda.fresh {
                    self.costs.of[value as usize] = cost;
                    self.fresh[(value / 64) as usize] |= 1 << (value % 64);
                }
                let Worklist { free, others, goals, .. } = &mut self.agenda;
                [free, others, goals].into_iter().for_each(|list| self.steps.append(list));
                if self.steps.is_empty() {
                    break;
                }
                while let Some(step) = self.steps.pop() {
                    let look = self.agenda.looked_at(step);
                    let code = &compiled.codes[step as usize];
                    if !self.apply.look(code, look, &self.relaxed) {
                        continue;
                    }
                    // The least cost of a condition may decrease later.
                    if code.conditions.is_empty() {
                        self.agenda.taken(step, cost == 0);
                    }
                    let base = self.needs(code, step, look);
                    if step >= compiled.steps {
                        let base = base.max(cost);
                        goal = Some(goal.map_or(base, |goal| goal.min(base)));
                        continue;
                    }
                    self.notes.least = cost + code.cost;
                    self.is_fresh = look == Application::Again;
                    for effect in code.effects_and_flows(look) {
                        self.add(code, effect, base);
                    }
                }
            }
        }
        goal.map_or(Estimate::DeadEnd, |goal| Estimate::Finite(Cost(goal)))
    }

    /// The cost of an operator with the values that it needs. A repeated application costs the
    /// same.
    fn needs(&mut self, code: &CompiledOperator, step: u32, look: Application) -> u32 {
        let Hadd { apply, relaxed, costs, .. } = self;
        costs.cheapest.clear();
        costs.cheapest.resize(code.vars.all.len(), None);
        let mut sum = code.cost;
        for (var, mask) in code.masks(look) {
            let cheapest = costs.least(*var, mask, code, apply, relaxed);
            costs.cheapest[*var as usize] = Some(cheapest);
            sum = sum.saturating_add(cheapest);
        }
        if look == Application::Again {
            return costs.steps[step as usize];
        }
        for condition in &code.conditions {
            let least = match condition {
                Condition::Whole(whole) => costs.truth(whole, code, apply, relaxed),
                Condition::Compare(compare) => {
                    let sides = [compare.left, compare.right].map(|var| {
                        let least = costs.least(var, &[u64::MAX; 4], code, apply, relaxed);
                        least.saturating_sub(costs.cheapest[var as usize].unwrap_or(0))
                    });
                    sides[0].saturating_add(sides[1])
                }
                Condition::Either(all) => {
                    let each = all.iter().filter_map(|one| {
                        if !apply.may_be(code, one, relaxed) {
                            return None;
                        }
                        let masks = one.masks.iter().map(|(var, mask)| {
                            let least = costs.least(*var, mask, code, apply, relaxed);
                            least.saturating_sub(costs.cheapest[*var as usize].unwrap_or(0))
                        });
                        let sum = masks.fold(0, u32::saturating_add);
                        let rest = one.rest.as_ref();
                        let rest = rest.map_or(0, |rest| costs.truth(rest, code, apply, relaxed));
                        Some(sum.saturating_add(rest))
                    });
                    each.min().unwrap_or(0)
                }
            };
            sum = sum.saturating_add(least);
        }
        costs.steps[step as usize] = sum.min(MOST);
        sum.min(MOST)
    }

    /// Queues the values of an effect at the cost `base` of its operator.
    fn add(&mut self, code: &CompiledOperator, effect: &Effect, base: u32) {
        let Hadd { apply, relaxed, costs, notes, .. } = self;
        match effect {
            Effect::Nothing => {}
            Effect::Const { cell, value } => notes.value(*cell, *value, base, relaxed),
            Effect::Span { cell, values } => notes.interval(*cell, *values, base, relaxed),
            Effect::Map(map) => self.add_map(code, map, base),
            Effect::Value { cell, program, expr } => {
                let tried = apply.scratch.each(program, &code.vars, relaxed, |stack, choices| {
                    let cost = base.saturating_add(costs.more(choices, code, relaxed));
                    notes.value(*cell, stack[0], cost, relaxed);
                    false
                });
                if tried.is_err()
                    && let Some(values) = apply.interval(code, expr, relaxed)
                {
                    notes.interval(*cell, values, base, relaxed);
                }
            }
            Effect::Element { cells, program, index, value } => {
                let tried = apply.scratch.each(program, &code.vars, relaxed, |stack, choices| {
                    let cell = usize::try_from(stack[0]).ok().and_then(|at| cells.get(at));
                    if let Some(&cell) = cell {
                        let cost = base.saturating_add(costs.more(choices, code, relaxed));
                        notes.value(cell, stack[1], cost, relaxed);
                    }
                    false
                });
                let row = Interval { least: 0, greatest: cells.len() as i64 - 1 };
                if tried.is_err()
                    && let Some(index) = apply.interval(code, index, relaxed)
                    && let Some(index) = index.meet(row)
                    && let Some(value) = apply.interval(code, value, relaxed)
                {
                    for at in index.least..=index.greatest {
                        notes.interval(cells[at as usize], value, base, relaxed);
                    }
                }
            }
            Effect::Chosen { var, table, effects } => {
                self.add_chosen(code, *var, table, effects, base);
            }
        }
    }

    /// Queues the image of a variable's values.
    fn add_map(&mut self, code: &CompiledOperator, map: &BitTable, base: u32) {
        let Hadd { apply, relaxed, costs, notes, fresh, is_fresh, .. } = self;
        let of = &code.vars.all[map.var as usize];
        let (from, to) = (relaxed.cells.get(of.cell), relaxed.cells.get(map.cell));
        let words = apply.scratch.words_of(map.var, of, from, relaxed);
        let included = costs.cheapest[map.var as usize].unwrap_or(0);
        for (word, &now) in words.iter().enumerate() {
            let mut left = now;
            if *is_fresh {
                left &= fresh[from.first as usize + word];
            }
            while left != 0 {
                let bit = word as u32 * 64 + left.trailing_zeros();
                left &= left - 1;
                let made = map.table[bit as usize];
                if made != NOTHING {
                    let own = costs.of[(from.first * 64 + bit) as usize];
                    let cost = base.saturating_add(own.saturating_sub(included));
                    notes.value(map.cell, to.value(u32::from(made)), cost, relaxed);
                }
            }
        }
    }

    /// Queues the values of the effects that a variable selects.
    fn add_chosen(
        &mut self,
        code: &CompiledOperator,
        var: u32,
        table: &[u16],
        effects: &[Effect],
        base: u32,
    ) {
        let of = &code.vars.all[var as usize];
        let cell = *self.relaxed.cells.get(of.cell);
        let included = self.costs.cheapest[var as usize].unwrap_or(0);
        for bit in 0..table.len() as u32 {
            let words = self.apply.scratch.words_of(var, of, &cell, &self.relaxed);
            let is_left = words[(bit / 64) as usize] & 1 << (bit % 64) != 0;
            if is_left && table[bit as usize] != NOTHING {
                let own = self.costs.of[(cell.first * 64 + bit) as usize];
                let base = base.saturating_add(own.saturating_sub(included));
                let is_fresh = self.is_fresh;
                let at = cell.first + bit / 64;
                self.is_fresh &= self.fresh[at as usize] & 1 << (bit % 64) == 0;
                self.add(code, &effects[usize::from(table[bit as usize])], base);
                self.is_fresh = is_fresh;
            }
        }
    }
}

/// Visits every set bit.
fn each_bit(words: &[u64], mut visit: impl FnMut(u32)) {
    for (at, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit(at as u32 * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

impl Notes {
    fn begin(&mut self) {
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.best.fill((0, 0));
            self.state = 1;
        }
        self.waiting[..=self.last as usize].iter_mut().for_each(Vec::clear);
        self.last = 0;
    }

    /// Queues a value at a cost.
    fn value(&mut self, cell: u32, value: i32, cost: u32, relaxed: &RelaxedState) {
        let of = relaxed.cells.get(cell);
        if of.shape != CellShape::Bits {
            return self.interval(cell, Interval::one(value), cost, relaxed);
        }
        if !of.range.contains(value) {
            return;
        }
        let at = of.first * 64 + of.bit(value);
        let is_there = relaxed.now[(at / 64) as usize] & 1 << (at % 64) != 0;
        let cost = cost.max(self.least).min(MOST);
        let (state, known) = self.best[at as usize];
        if !is_there && (state != self.state || cost < known) {
            self.best[at as usize] = (self.state, cost);
            self.push(cell, Interval::one(value), cost);
        }
    }

    /// Queues the values of an interval at a cost.
    fn interval(&mut self, cell: u32, values: Interval, cost: u32, relaxed: &RelaxedState) {
        if !relaxed.has(cell, values) {
            self.push(cell, values, cost.max(self.least).min(MOST));
        }
    }

    fn push(&mut self, cell: u32, values: Interval, cost: u32) {
        self.last = self.last.max(cost);
        self.waiting[cost as usize].push((cell, values));
    }
}

impl Costs {
    /// The cost of the cheapest value of a variable within a mask.
    fn least(
        &self,
        var: u32,
        mask: &[u64],
        code: &CompiledOperator,
        apply: &RelaxedApply,
        relaxed: &RelaxedState,
    ) -> u32 {
        let of = &code.vars.all[var as usize];
        let cell = relaxed.cells.get(of.cell);
        let words = apply.scratch.words_of(var, of, cell, relaxed);
        let mut least = u32::MAX;
        each_bit(words, |bit| {
            if mask[(bit / 64) as usize] & 1 << (bit % 64) != 0 {
                least = least.min(self.of[(cell.first * 64 + bit) as usize]);
            }
        });
        least
    }

    /// The least cost of values that satisfy an expression; 0 if there are too many to enumerate.
    fn truth(
        &self,
        whole: &TruthProgram,
        code: &CompiledOperator,
        apply: &mut RelaxedApply,
        relaxed: &RelaxedState,
    ) -> u32 {
        let mut least = u32::MAX;
        let tried = apply.scratch.each(&whole.program, &code.vars, relaxed, |stack, choices| {
            if stack[0] != 0 {
                least = least.min(self.more(choices, code, relaxed));
            }
            false
        });
        if tried.is_ok() && least != u32::MAX { least } else { 0 }
    }

    /// The cost of the chosen values beyond those that are part of the operator's cost.
    fn more(
        &self,
        choices: &[ChosenValue],
        code: &CompiledOperator,
        relaxed: &RelaxedState,
    ) -> u32 {
        let each = choices.iter().map(|choice| {
            let (cell, included) = match choice.of {
                ValueSource::Var(var) => {
                    (code.vars.all[var as usize].cell, self.cheapest[var as usize])
                }
                ValueSource::Cell(cell) => (cell, None),
                ValueSource::Any(..) => return 0,
            };
            let cost = relaxed.place(cell, choice.value).map_or(0, |at| self.of[at as usize]);
            cost.saturating_sub(included.unwrap_or(0))
        });
        each.fold(0, u32::saturating_add)
    }
}

impl Heuristic for Hadd<'_> {
    fn name(&self) -> &str {
        "hadd"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.agenda.begin(&self.relaxation.compiled);
        self.apply.begin();
        if !self.relaxed.read(self.relaxation.reading.as_ref(), state) {
            return Estimate::Finite(Cost::ZERO);
        }
        self.explore()
    }

    fn effort(&self) -> u64 {
        self.apply.scratch.effort
    }
}
