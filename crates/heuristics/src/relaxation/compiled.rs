//! A factored system compiled for relaxed states: its operators and goals, and which of them depend
//! on which values and cells.

use std::sync::Arc;

use beeline_factored::{FlatOperator, Ranges, System};
use beeline_kernel::StepLabel;

use super::cells::{Cells, RelaxationOptions};
use super::code::CompiledOperator;
use super::compile::Compiler;
use super::flow::{Flow, flows};
use super::triggers::Trigger;

/// When an operator or goal is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// Within a layer: an operator of cost 0.
    Free,
    /// Between layers: an operator of cost 1.
    Costly,
    /// After the operators of cost 0: a goal.
    Goal,
}

/// Lists of items by key, in one array.
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

/// A compiled system.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub(super) cells: Arc<Cells>,
    /// Operators, then goals.
    pub(super) codes: Vec<CompiledOperator>,
    /// By operator or goal: when it is examined.
    pub(super) turns: Vec<Occasion>,
    pub(super) steps: u32,
    /// By value: the operators that wait for it or for an alternative value.
    pub(super) waiting: Lists<u32>,
    /// Operators that wait for no value.
    pub(super) always: Vec<u32>,
    /// By cell: the operators that read it, and when they are triggered.
    pub(super) readers: Lists<(u32, Trigger)>,
    pub(super) flows: Vec<Flow>,
    /// By cell: the flows from it.
    pub(super) flowing: Lists<u32>,
}

impl Compiled {
    pub(super) fn new(system: &System, ranges: &Ranges, options: RelaxationOptions) -> Compiled {
        let cells = Arc::new(Cells::new(system, ranges, options));
        let crowds: Vec<bool> = system.factors.iter().map(|factor| factor.is_summary).collect();
        let mut codes = Vec::new();
        for step in &system.steps {
            let Some(flat) = FlatOperator::step(system, ranges, step) else { continue };
            let builder = Compiler::new(&cells, &crowds);
            codes.extend(builder.build(&flat, step.cost.min(1), step.label));
        }
        let steps = codes.len() as u32;
        for goal in &system.goals {
            let Some(flat) = FlatOperator::goal(goal) else { continue };
            codes.extend(Compiler::new(&cells, &crowds).build(&flat, 0, StepLabel::default()));
        }
        let flows = flows(&mut codes);
        codes.iter_mut().for_each(CompiledOperator::find_reads);
        let mut conditions = 0;
        for code in &mut codes {
            code.first_condition = conditions;
            conditions += code.conditions.len() as u32;
        }
        let (mut waiting, mut readers, mut always) = (Vec::new(), Vec::new(), Vec::new());
        for (at, code) in codes.iter().enumerate() {
            let at = at as u32;
            // An awake operator has its awaited value: further values of that cell change nothing,
            // unless another part reads it.
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
                if met != Some(cell) || need != Trigger::Once || code.compared.contains(&cell) {
                    readers.push((cell, (at, need)));
                }
            }
        }
        let turn = |(at, code): (usize, &CompiledOperator)| match code.cost {
            _ if at as u32 >= steps => Occasion::Goal,
            0 => Occasion::Free,
            _ => Occasion::Costly,
        };
        let turns = codes.iter().enumerate().map(turn).collect();
        let from = flows.iter().enumerate().map(|(at, flow)| (flow.from, at as u32));
        Compiled {
            flowing: Lists::new(cells.all.len(), from.collect()),
            flows,
            waiting: Lists::new(cells.words as usize * 64, waiting),
            readers: Lists::new(cells.all.len(), readers),
            always,
            codes,
            turns,
            steps,
            cells,
        }
    }
}

/// Upper bound on the values that an operator waits for.
const AWAITED: u32 = 8;

impl CompiledOperator {
    /// The cell with the smallest mask and its allowed values, if they are few.
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
