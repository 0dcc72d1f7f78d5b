//! Environments: the ranges of the variables of one process at one place.

use std::collections::{BTreeSet, HashMap};

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_factored::Interval;
use beeline_promela::hir::{Access, GlobalId, Model, ProcessId, RecvArg, Root, Type, Variable};

use super::instance_bounds::InstanceBounds;
use super::shared::type_range;
use super::thresholds::Thresholds;

/// Intervals of the locals of a process, then of the globals that only this process writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Environment(pub(super) Vec<Interval>);

impl Environment {
    pub(super) fn hull(&self, other: &Environment) -> Environment {
        Environment(self.0.iter().zip(&other.0).map(|(one, two)| one.hull(*two)).collect())
    }

    /// Widens the intervals that have grown in `grown`.
    pub(super) fn widen(
        &self,
        grown: &Environment,
        slots: &Slots,
        thresholds: &Thresholds,
        changes: u32,
    ) -> Environment {
        let widened = self
            .0
            .iter()
            .zip(&grown.0)
            .zip(&slots.types)
            .map(|((old, new), ty)| thresholds.widen(*old, *new, *ty, changes));
        Environment(widened.collect())
    }
}

/// The variables of the environments of a process type.
pub(super) struct Slots {
    /// The ranges of their types.
    pub(super) types: Vec<Interval>,
    /// Whether the variable is one value, neither array nor structure.
    pub(super) is_plain: Vec<bool>,
    owned: HashMap<GlobalId, usize>,
}

impl Slots {
    /// `writers` are the [`writers`] of the globals.
    pub(super) fn of(
        machine: &Machine<'_>,
        id: ProcessId,
        instances: &InstanceBounds,
        writers: &[BTreeSet<ProcessId>],
    ) -> Slots {
        let model = machine.model();
        let mut slots = Slots { types: Vec::new(), is_plain: Vec::new(), owned: HashMap::new() };
        for local in &model.process(id).locals {
            slots.push(machine, local);
        }
        if instances.of_type(id) == Some(1) {
            for (at, global) in (0u32..).zip(&model.globals) {
                if writers[at as usize].iter().all(|&writer| writer == id) {
                    slots.owned.insert(GlobalId(at), slots.types.len());
                    slots.push(machine, global);
                }
            }
        }
        slots
    }

    fn push(&mut self, machine: &Machine<'_>, variable: &Variable) {
        let is_structure = matches!(variable.ty, Type::Struct(_));
        self.types.push(type_range(machine, variable));
        self.is_plain.push(variable.length.is_none() && !is_structure);
    }

    /// The number of the variable at the root of an access.
    pub(super) fn number(&self, root: Root) -> Option<usize> {
        match root {
            Root::Local(id) => Some(id.index()),
            Root::Global(id) => self.owned.get(&id).copied(),
            Root::Predefined(_) => None,
        }
    }

    /// The owned globals, with their numbers.
    pub(super) fn owned(&self) -> impl Iterator<Item = (GlobalId, usize)> {
        self.owned.iter().map(|(&id, &number)| (id, number))
    }

    /// The number of the variable of an access, if it is a plain one.
    pub(super) fn plain(&self, access: &Access) -> Option<usize> {
        self.number(access.root).filter(|&number| self.is_plain[number])
    }
}

/// By global: the process types that write it.
pub(super) fn writers(machine: &Machine<'_>) -> Vec<BTreeSet<ProcessId>> {
    let model: &Model = machine.model();
    let mut writers: Vec<BTreeSet<ProcessId>> = vec![BTreeSet::new(); model.globals.len()];
    for id in (0..model.processes.len() as u32).map(ProcessId) {
        let mut note = |access: &Access| {
            if let Root::Global(global) = access.root {
                writers[global.index()].insert(id);
            }
        };
        for step in machine.automaton(id).all_edges().flat_map(|edge| &edge.steps) {
            match step.written() {
                EdgeAction::Assign { target, .. } => note(target),
                EdgeAction::Receive { args, .. } => args.iter().for_each(|arg| {
                    if let RecvArg::Store(access) = arg {
                        note(access);
                    }
                }),
                _ => {}
            }
        }
    }
    writers
}
