//! Relaxed plan extraction: each needed value is supported by the operator that added it first; its
//! preconditions are needed in turn, down to the values of the state. Of the values that satisfy a
//! condition, the earliest are chosen.

use super::bit_table::BitTable;
use super::code::{Alternative, Application, CompiledOperator, Condition, Effect, TruthProgram};
use super::enumerate::ChosenValue;
use super::layers::Layers;
use super::program::ValueSource;
use super::relaxed_apply::RelaxedApply;
use super::relaxed_state::RelaxedState;

/// The full mask.
const ALL: [u64; 4] = [u64::MAX; 4];

/// A relaxed plan.
#[derive(Clone, Debug)]
pub(super) struct RelaxedPlan {
    /// By value and by operator: the state in which it is needed.
    values: Vec<u32>,
    steps: Vec<u32>,
    state: u32,
    /// Needed values without a supporter yet.
    open: Vec<u32>,
    /// The operators, and their total cost.
    pub(super) taken: Vec<u32>,
    pub(super) cost: u32,
    best: Best,
    kept: Best,
    /// Variables of the operator whose value is chosen.
    settled: Vec<bool>,
    /// Reused buffer for masks.
    masks: Vec<u64>,
}

/// The earliest values for an expression so far.
#[derive(Clone, Debug, Default)]
struct Best {
    values: Vec<u32>,
    /// The rank of the latest of them; `None` if there are none.
    latest: Option<u32>,
    tried: Vec<u32>,
}

impl Best {
    fn clear(&mut self) {
        self.values.clear();
        self.latest = None;
    }

    /// Keeps the tried values if they are earlier.
    fn offer(&mut self, latest: u32) {
        if self.latest.is_none_or(|known| latest < known) {
            self.latest = Some(latest);
            std::mem::swap(&mut self.values, &mut self.tried);
        }
    }

    /// Keeps the chosen values if they are earlier.
    fn offer_choices(
        &mut self,
        choices: &[ChosenValue],
        code: &CompiledOperator,
        relaxed: &RelaxedState,
    ) {
        self.tried.clear();
        let mut latest = 0;
        for choice in choices {
            let cell = match choice.of {
                ValueSource::Var(var) => code.vars.all[var as usize].cell,
                ValueSource::Cell(cell) => cell,
                ValueSource::Any(..) => continue,
            };
            if let Some(value) = relaxed.place(cell, choice.value) {
                latest = latest.max(relaxed.rank[value as usize] + 1);
                self.tried.push(value);
            }
        }
        self.offer(latest);
    }
}

impl RelaxedPlan {
    pub(super) fn new(layers: &Layers) -> RelaxedPlan {
        RelaxedPlan {
            values: vec![0; layers.relaxed.rank.len()],
            steps: vec![0; layers.compiled.codes.len()],
            state: 0,
            open: Vec::new(),
            taken: Vec::new(),
            cost: 0,
            best: Best::default(),
            kept: Best::default(),
            settled: Vec::new(),
            masks: Vec::new(),
        }
    }

    /// Extracts a relaxed plan for the reached goal.
    pub(super) fn find(&mut self, layers: &mut Layers) {
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.values.fill(0);
            self.steps.fill(0);
            self.state = 1;
        }
        self.open.clear();
        self.taken.clear();
        self.cost = 0;
        let Layers { compiled, relaxed, apply, goal, first, .. } = layers;
        let goal = &compiled.codes[*goal as usize];
        self.look(goal, apply, relaxed);
        self.conditions(goal, apply, relaxed, *first);
        while let Some(value) = self.open.pop() {
            let step = relaxed.support[value as usize];
            let code = &compiled.codes[step as usize];
            self.look(code, apply, relaxed);
            self.sources(code, value, apply, relaxed, *first);
            let known = std::mem::replace(&mut self.steps[step as usize], self.state);
            if known != self.state {
                self.taken.push(step);
                self.cost += code.cost;
                self.conditions(code, apply, relaxed, *first);
            }
        }
    }

    /// Recomputes the remaining values of an operator; a superset of those at its first
    /// application.
    fn look(&mut self, code: &CompiledOperator, apply: &mut RelaxedApply, relaxed: &RelaxedState) {
        apply.look(code, Application::First, relaxed);
        self.settled.clear();
        self.settled.resize(code.vars.all.len(), false);
    }

    /// Requests the values that an operator needs to add a value.
    fn sources(
        &mut self,
        code: &CompiledOperator,
        value: u32,
        apply: &mut RelaxedApply,
        relaxed: &RelaxedState,
        first: u32,
    ) {
        for effect in &code.effects {
            self.best.clear();
            self.source(code, effect, value, apply, relaxed);
            // A value that supports itself was added together with another one.
            let rank = relaxed.rank[value as usize];
            if self.best.latest.is_some_and(|latest| latest <= rank) {
                self.settle(code, relaxed, first);
                return;
            }
        }
    }

    /// Finds the values that an effect computes a value from. Beyond the bound on combinations, the
    /// best so far is used.
    fn source(
        &mut self,
        code: &CompiledOperator,
        effect: &Effect,
        value: u32,
        apply: &mut RelaxedApply,
        relaxed: &RelaxedState,
    ) {
        let best = &mut self.best;
        let scratch = &mut apply.scratch;
        match effect {
            Effect::Const { .. } | Effect::Span { .. } | Effect::Nothing => {}
            Effect::Map(map) => origin(best, map, code, value, apply, relaxed),
            Effect::Value { cell, program, .. } => {
                let _ = scratch.each(program, &code.vars, relaxed, |stack, choices| {
                    if relaxed.place(*cell, stack[0]) == Some(value) {
                        best.offer_choices(choices, code, relaxed);
                    }
                    false
                });
            }
            Effect::Element { cells, program, .. } => {
                let _ = scratch.each(program, &code.vars, relaxed, |stack, choices| {
                    let cell = usize::try_from(stack[0]).ok().and_then(|at| cells.get(at));
                    if cell.and_then(|&cell| relaxed.place(cell, stack[1])) == Some(value) {
                        best.offer_choices(choices, code, relaxed);
                    }
                    false
                });
            }
            Effect::Chosen { var, table, effects } => {
                for (at, effect) in effects.iter().enumerate() {
                    let is_there = match effect {
                        Effect::Const { cell, value: made } => {
                            relaxed.place(*cell, *made) == Some(value)
                        }
                        _ => false,
                    };
                    let known = self.best.latest;
                    if !is_there {
                        self.source(code, effect, value, apply, relaxed);
                    }
                    if !is_there && self.best.latest == known {
                        continue;
                    }
                    let mask = self.mask(table, at as u16);
                    if let Some(chosen) = earliest(*var, &mask, code, apply, relaxed) {
                        let latest = self.best.latest.unwrap_or(0);
                        let rank = relaxed.rank[chosen as usize] + 1;
                        self.best.latest = Some(latest.max(rank));
                        self.best.values.push(chosen);
                    }
                    self.masks = mask;
                    return;
                }
            }
        }
    }

    /// The mask that selects an alternative.
    fn mask(&mut self, table: &[u16], at: u16) -> Vec<u64> {
        let mut mask = std::mem::take(&mut self.masks);
        mask.clear();
        mask.resize(table.len().div_ceil(64), 0);
        for bit in (0..table.len()).filter(|&bit| table[bit] == at) {
            mask[bit / 64] |= 1 << (bit % 64);
        }
        mask
    }

    /// Requests values that satisfy the conditions of an operator.
    fn conditions(
        &mut self,
        code: &CompiledOperator,
        apply: &mut RelaxedApply,
        relaxed: &RelaxedState,
        first: u32,
    ) {
        for condition in &code.conditions {
            self.best.clear();
            match condition {
                Condition::Whole(whole) => truth(&mut self.best, whole, code, apply, relaxed),
                Condition::Compare(compare) => {
                    for var in [compare.left, compare.right] {
                        if let Some(value) = earliest(var, &ALL, code, apply, relaxed) {
                            self.best.values.push(value);
                        }
                    }
                }
                Condition::Either(all) => {
                    for one in all {
                        self.alternative(one, code, apply, relaxed);
                    }
                }
            }
            self.settle(code, relaxed, first);
        }
        for (var, mask) in &code.masks {
            if !self.settled[*var as usize]
                && let Some(value) = earliest(*var, mask, code, apply, relaxed)
            {
                self.need(value, relaxed, first);
            }
        }
    }

    /// Keeps values that satisfy a disjunct if they are earlier.
    fn alternative(
        &mut self,
        one: &Alternative,
        code: &CompiledOperator,
        apply: &mut RelaxedApply,
        relaxed: &RelaxedState,
    ) {
        if !apply.may_be(code, one, relaxed) {
            return;
        }
        std::mem::swap(&mut self.best, &mut self.kept);
        self.best.clear();
        if let Some(rest) = &one.rest {
            truth(&mut self.best, rest, code, apply, relaxed);
        }
        let mut latest = self.best.latest.unwrap_or(0);
        for (var, mask) in &one.masks {
            if let Some(value) = earliest(*var, mask, code, apply, relaxed) {
                latest = latest.max(relaxed.rank[value as usize] + 1);
                self.best.values.push(value);
            }
        }
        std::mem::swap(&mut self.best, &mut self.kept);
        std::mem::swap(&mut self.best.tried, &mut self.kept.values);
        self.best.offer(latest);
    }

    /// Requests the earliest values.
    fn settle(&mut self, code: &CompiledOperator, relaxed: &RelaxedState, first: u32) {
        let values = std::mem::take(&mut self.best.values);
        for &value in &values {
            for (settled, var) in self.settled.iter_mut().zip(&code.vars.all) {
                let cell = relaxed.cells.get(var.cell);
                *settled |= (cell.first..cell.first + cell.words).contains(&(value / 64));
            }
            self.need(value, relaxed, first);
        }
        self.best.values = values;
    }

    /// Requests a value unless the state has it or it is already requested.
    fn need(&mut self, value: u32, relaxed: &RelaxedState, first: u32) {
        if relaxed.rank[value as usize] < first {
            return;
        }
        let known = std::mem::replace(&mut self.values[value as usize], self.state);
        if known != self.state {
            self.open.push(value);
        }
    }
}

/// The earliest values that satisfy an expression.
fn truth(
    best: &mut Best,
    whole: &TruthProgram,
    code: &CompiledOperator,
    apply: &mut RelaxedApply,
    relaxed: &RelaxedState,
) {
    let _ = apply.scratch.each(&whole.program, &code.vars, relaxed, |stack, choices| {
        if stack[0] != 0 {
            best.offer_choices(choices, code, relaxed);
        }
        false
    });
}

/// The earliest value of a variable within a mask.
fn earliest(
    var: u32,
    mask: &[u64],
    code: &CompiledOperator,
    apply: &RelaxedApply,
    relaxed: &RelaxedState,
) -> Option<u32> {
    let of = &code.vars.all[var as usize];
    let cell = relaxed.cells.get(of.cell);
    let words = apply.scratch.words_of(var, of, cell, relaxed);
    let mut found: Option<u32> = None;
    for (at, (word, mask)) in words.iter().zip(mask).enumerate() {
        let mut left = word & mask;
        while left != 0 {
            let value = (cell.first + at as u32) * 64 + left.trailing_zeros();
            let rank = |value: u32| relaxed.rank[value as usize];
            if found.is_none_or(|found| rank(value) < rank(found)) {
                found = Some(value);
            }
            left &= left - 1;
        }
    }
    found
}

/// The earliest preimage of a value under a table.
fn origin(
    best: &mut Best,
    map: &BitTable,
    code: &CompiledOperator,
    value: u32,
    apply: &RelaxedApply,
    relaxed: &RelaxedState,
) {
    let to = relaxed.cells.get(map.cell);
    if !(to.first..to.first + to.words).contains(&(value / 64)) {
        return;
    }
    let bit = (value - to.first * 64) as u16;
    let of = &code.vars.all[map.var as usize];
    let from = relaxed.cells.get(of.cell);
    let words = apply.scratch.words_of(map.var, of, from, relaxed);
    for (at, &to) in map.table.iter().enumerate() {
        if to == bit && words[at / 64] & 1 << (at % 64) != 0 {
            let value = from.first * 64 + at as u32;
            best.tried.clear();
            best.tried.push(value);
            best.offer(relaxed.rank[value as usize] + 1);
        }
    }
}
