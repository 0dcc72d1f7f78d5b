//! The ranges of what several processes share: one interval for all times.

use std::collections::HashMap;

use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_factored::Interval;
use beeline_promela::hir::{GlobalId, LocalId, ProcessId, StructId, Type, Variable};

use super::thresholds::{EXACT_CHANGES, Thresholds};

/// What processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SharedCell {
    /// A global variable; all elements of an array.
    Global(GlobalId),
    /// A field of all structures of a type.
    Field(StructId, u32),
    /// A field of all messages with this number of fields.
    Message(usize, usize),
    /// A parameter of all processes of a type.
    Parameter(ProcessId, LocalId),
}

/// The ranges of shared cells.
#[derive(Default)]
pub(super) struct SharedRanges {
    /// Interval, and number of changes; a cell without value is absent.
    cells: HashMap<SharedCell, (Interval, u32)>,
    started: Vec<bool>,
    /// Whether something has changed.
    pub(super) is_changed: bool,
}

impl SharedRanges {
    pub(super) fn new(machine: &Machine<'_>) -> SharedRanges {
        let started = vec![false; machine.model().processes.len()];
        SharedRanges { started, ..SharedRanges::default() }
    }

    /// The range of a cell; `None` if it never gets a value.
    pub(super) fn get(&self, cell: SharedCell) -> Option<Interval> {
        self.cells.get(&cell).map(|(range, _)| *range)
    }

    /// Adds values to a cell of a type.
    pub(super) fn add(
        &mut self,
        cell: SharedCell,
        values: Interval,
        ty: Interval,
        thresholds: &Thresholds,
    ) {
        let Some((range, changes)) = self.cells.get_mut(&cell) else {
            self.cells.insert(cell, (values, 0));
            self.is_changed = true;
            return;
        };
        let joined = range.hull(values);
        if joined != *range {
            *changes += 1;
            let widens = *changes > EXACT_CHANGES;
            *range = if widens { thresholds.widen(*range, joined, ty, *changes) } else { joined };
            self.is_changed = true;
        }
    }

    pub(super) fn is_started(&self, id: ProcessId) -> bool {
        self.started[id.index()]
    }

    pub(super) fn start(&mut self, id: ProcessId) {
        self.is_changed |= !self.started[id.index()];
        self.started[id.index()] = true;
    }
}

/// The values of a stored form.
pub(super) fn scalar_range(scalar: Scalar) -> Interval {
    match scalar {
        Scalar::Bit => Interval::TRUTH,
        Scalar::Byte => Interval { least: 0, greatest: 255 },
        Scalar::Short => Interval { least: i64::from(i16::MIN), greatest: i64::from(i16::MAX) },
        Scalar::Unsigned(bits) if bits < 31 => Interval { least: 0, greatest: (1 << bits) - 1 },
        Scalar::Int | Scalar::Unsigned(_) => Interval::ALL,
    }
}

/// The values of the type of a variable; those of its elements, for an array.
pub(super) fn type_range(machine: &Machine<'_>, variable: &Variable) -> Interval {
    match variable.ty {
        Type::Struct(_) => Interval::ALL,
        ty => scalar_range(machine.layout().element(ty, variable.length)),
    }
}

/// Values after they are stored in a type.
pub(super) fn stored(ty: Interval, values: Interval) -> Interval {
    if ty.covers(values) { values } else { ty }
}
