//! Hamming distance: the number of bits, or of values, in which a state differs from a known one.
//!
//! Source: [ELL01] §4.1, also for values instead of bits; "Hamming Distance Heuristic" in [EMJ05]
//! (Heuristics).
//! Deviation: states may differ in length; missing bytes differ in every bit, or count as one value
//! each. Values are those of the known state; a state with other records is compared by position.
//! Claims: safe, since it has no dead ends. Not admissible, since one step can change any number of
//! bits or values.

use crate::goal::{GoalKind, HeuristicGoal};
use crate::request::{HeuristicBuilder, HeuristicRow, argument};
use beeline_engine::frame::RecordKind;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};
use beeline_promela::hir::{ProcessId, Type, Variable};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "hamming",
    aliases: &["hd"],
    arguments: &[argument("by", "bits or values (default: bits)")],
    about: "number of bits or values in which a state differs from a known one",
    promises: Some("safe"),
    source: Some("[ELL01] §4.1"),
    build: HeuristicBuilder {
        goals: &[GoalKind::State],
        build: |of| match of.goal {
            HeuristicGoal::State(target) => {
                let unit = of.arguments.choice(
                    "by",
                    &[("bits", HammingUnit::Bits), ("values", HammingUnit::Values)],
                )?;
                Ok(Box::new(Hamming::new(of.machine, target.clone(), unit)))
            }
            _ => Err(of.wrong_goal()),
        },
    },
};

/// The unit of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HammingUnit {
    /// Bits.
    Bits,
    /// Values of variables, locations, lengths of channels and fields of messages.
    Values,
}

/// The difference from a known state.
#[derive(Clone)]
pub struct Hamming {
    target: Vec<u8>,
    /// Sizes of the target's values in order, if values are counted.
    values: Option<Vec<u8>>,
}

impl Hamming {
    /// The difference from `target`, a state of the machine.
    pub fn new(machine: &Machine<'_>, target: Vec<u8>, unit: HammingUnit) -> Self {
        let values = (unit == HammingUnit::Values).then(|| value_sizes(machine, &target));
        Hamming { target, values }
    }

    /// Bytes that only one of the states has.
    fn beyond(&self, state: &[u8]) -> u32 {
        state.len().abs_diff(self.target.len()) as u32
    }

    fn bits(&self, state: &[u8]) -> u32 {
        let common = state.len().min(self.target.len());
        let (ours, theirs) = (state[..common].chunks(8), self.target[..common].chunks(8));
        let word = |bytes: &[u8]| match bytes.try_into() {
            Ok(bytes) => u64::from_le_bytes(bytes),
            Err(_) => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        ours.zip(theirs).map(|(one, two)| (word(one) ^ word(two)).count_ones()).sum()
    }

    fn differing(&self, state: &[u8], sizes: &[u8]) -> u32 {
        let mut at = 0;
        let mut count = 0;
        for &size in sizes {
            let end = at + usize::from(size);
            if end > state.len() {
                break;
            }
            count += u32::from(state[at..end] != self.target[at..end]);
            at = end;
        }
        count
    }
}

/// Sizes of all values of a state, in order.
fn value_sizes(machine: &Machine<'_>, state: &[u8]) -> Vec<u8> {
    let (layout, model) = (machine.layout(), machine.model());
    let frame = layout.frame;
    let mut sizes = vec![1; frame.header];
    let in_states = model.globals.iter().zip(&layout.names).filter(|(_, name)| name.is_none());
    in_states.for_each(|(global, _)| add_sizes(machine, global, &mut sizes));
    for (at, record) in layout.records(state) {
        let tag = layout.own_tag(at, record);
        sizes.extend((!tag.is_empty()).then_some(tag.len() as u8));
        match record {
            RecordKind::Process(process) => {
                sizes.push(frame.location_size as u8);
                sizes.extend(frame.priority.map(|_| 1));
                let locals = machine.locals_in_states(ProcessId(process as u32));
                locals.for_each(|(_, local)| add_sizes(machine, local, &mut sizes));
            }
            RecordKind::Channel(declaration) => {
                let channel = &layout.channels[declaration];
                sizes.extend((channel.capacity > 0).then_some(1));
                for _ in 0..channel.capacity {
                    sizes.extend(channel.fields.iter().map(|field| field.size() as u8));
                }
            }
        }
    }
    sizes
}

fn add_sizes(machine: &Machine<'_>, variable: &Variable, sizes: &mut Vec<u8>) {
    for _ in 0..variable.length.unwrap_or(1) {
        match variable.ty {
            Type::Struct(id) => {
                let fields = &machine.model().structs[id.index()].fields;
                fields.iter().for_each(|field| add_sizes(machine, field, sizes));
            }
            ty => sizes.push(machine.layout().element(ty, variable.length).size() as u8),
        }
    }
}

impl Heuristic for Hamming {
    fn name(&self) -> &str {
        "hamming"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let beyond = self.beyond(state);
        Estimate::Finite(Cost(match &self.values {
            None => self.bits(state) + 8 * beyond,
            Some(sizes) => self.differing(state, sizes) + beyond,
        }))
    }
}
