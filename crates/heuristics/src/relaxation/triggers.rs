//! Dependencies of operators: the cells that trigger a new examination, and the parts that matter
//! after the first application.

use super::bit_table::BitTable;
use super::code::{CompiledOperator, Condition, Effect, Masks, RepeatPart};
use super::program::{Op, Program, ValueSource};

/// When growth of a cell triggers an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    /// Until its first application.
    Once,
    /// Always: its effects depend on the cell.
    Again,
    /// Only its flows depend on the cell.
    Flow,
}

impl Condition {
    /// Whether it narrows its variables.
    fn narrows(&self) -> bool {
        match self {
            Condition::Whole(whole) => whole.narrows,
            Condition::Compare(compare) => compare.narrows,
            Condition::Either(_) => false,
        }
    }
}

impl CompiledOperator {
    /// Adds the cells that a program reads.
    fn of_program(&self, program: &Program, found: &mut Vec<u32>) {
        let mut add = |of: &ValueSource| match of {
            ValueSource::Var(var) => found.push(self.vars.all[*var as usize].cell),
            ValueSource::Cell(cell) => found.push(*cell),
            ValueSource::Any(..) => {}
        };
        for op in &program.ops {
            match op {
                Op::Value(of) => add(of),
                Op::Row(row) => self.vars.rows[*row as usize].iter().for_each(&mut add),
                _ => {}
            }
        }
    }

    /// Adds the cells of masks.
    fn of_masks(&self, masks: &Masks, found: &mut Vec<u32>) {
        found.extend(masks.iter().map(|(var, _)| self.vars.all[*var as usize].cell));
    }

    /// The cells that each condition reads.
    fn of_conditions(&self) -> Vec<Vec<u32>> {
        let each = self.conditions.iter().map(|condition| {
            let mut found = Vec::new();
            match condition {
                Condition::Whole(whole) => self.of_program(&whole.program, &mut found),
                Condition::Compare(both) => {
                    let sides = [both.left, both.right];
                    found.extend(sides.map(|var| self.vars.all[var as usize].cell));
                }
                Condition::Either(all) => all.iter().for_each(|one| {
                    self.of_masks(&one.masks, &mut found);
                    one.rest.iter().for_each(|rest| self.of_program(&rest.program, &mut found));
                }),
            }
            found
        });
        each.collect()
    }

    /// The cells read by effects that are no flows, and by flows.
    fn of_effects(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut sources, mut flowing) = (Vec::new(), Vec::new());
        let mut effects: Vec<&Effect> = self.effects.iter().collect();
        while let Some(effect) = effects.pop() {
            match effect {
                Effect::Const { .. } | Effect::Span { .. } | Effect::Nothing => {}
                Effect::Map(map) => {
                    let found = if map.flow.is_some() { &mut flowing } else { &mut sources };
                    found.push(self.vars.all[map.var as usize].cell);
                }
                Effect::Value { program, .. } | Effect::Element { program, .. } => {
                    self.of_program(program, &mut sources);
                }
                Effect::Chosen { var, effects: each, .. } => {
                    sources.push(self.vars.all[*var as usize].cell);
                    effects.extend(each);
                }
            }
        }
        (sources, flowing)
    }

    /// Determines which conditions narrow their variables.
    pub(super) fn find_narrowing(&mut self) {
        let (own, (sources, _)) = (self.of_conditions(), self.of_effects());
        for at in 0..own.len() {
            let others = own.iter().enumerate().filter(|(other, _)| *other != at);
            let mut others = sources.iter().chain(others.flat_map(|(_, cells)| cells));
            let is_shared = others.any(|cell| own[at].contains(cell));
            match &mut self.conditions[at] {
                Condition::Whole(whole) => whole.narrows = is_shared,
                Condition::Compare(compare) => compare.narrows = is_shared,
                Condition::Either(_) => {}
            }
        }
    }

    /// The cells of narrowing conditions.
    fn of_narrowing(&self) -> Vec<u32> {
        let own = self.of_conditions().into_iter().zip(&self.conditions);
        own.filter(|(_, condition)| condition.narrows()).flat_map(|(cells, _)| cells).collect()
    }

    /// The variables that may be narrowed.
    pub(super) fn narrowed(&self) -> Vec<u32> {
        let cells = self.of_narrowing();
        let all = self.vars.all.iter().zip(0..);
        let by_condition = all.filter(|(var, _)| cells.contains(&var.cell)).map(|(_, at)| at);
        self.masks.iter().map(|(var, _)| *var).chain(by_condition).collect()
    }

    /// Computes its dependencies, once its flows are known.
    pub(super) fn find_reads(&mut self) {
        let (mut sources, mut flowing) = self.of_effects();
        if !sources.is_empty() {
            sources.extend(self.of_narrowing());
        }
        let (mut reads, mut masked) = (Vec::new(), Vec::new());
        self.of_masks(&self.masks, &mut masked);
        masked.sort_unstable();
        let mut compared = self.of_conditions().concat();
        reads.extend([&masked, &compared, &sources, &flowing].into_iter().flatten());
        let twice = masked.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
        compared.extend(twice.map(|same| same[0]));
        for list in [&mut reads, &mut sources, &mut flowing, &mut compared] {
            list.sort_unstable();
            list.dedup();
        }
        (self.reads, self.compared) = (reads, compared);
        (self.sources, self.flowing) = (sources, flowing);
        self.sort();
    }

    /// When growth of a cell that it reads triggers it.
    pub(super) fn need(&self, cell: u32) -> Trigger {
        if self.sources.contains(&cell) {
            Trigger::Again
        } else if self.flowing.contains(&cell) {
            Trigger::Flow
        } else {
            Trigger::Once
        }
    }

    /// Moves the parts that matter for repeated applications to the front.
    fn sort(&mut self) {
        let (all, sources) = (&self.vars.all, &self.sources);
        let is_idle = |var: u32| !sources.contains(&all[var as usize].cell);
        self.masks.sort_by_key(|(var, _)| is_idle(*var));
        self.conditions.sort_by_key(|condition| !condition.narrows());
        let order = |one: &Effect| match one {
            Effect::Map(BitTable { flow: Some(_), .. }) => 1,
            Effect::Const { .. } | Effect::Span { .. } | Effect::Nothing => 2,
            _ => 0,
        };
        self.effects.sort_by_key(order);
        self.again = RepeatPart {
            masks: self.masks.iter().filter(|(var, _)| !is_idle(*var)).count(),
            conditions: self.conditions.iter().filter(|one| one.narrows()).count(),
            effects: self.effects.iter().filter(|one| order(one) == 0).count(),
            with_flows: self.effects.iter().filter(|one| order(one) < 2).count(),
        };
    }
}
