//! Environments: the ranges of the variables of one process at one place.

use std::collections::HashMap;

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
    pub(super) fn of(machine: &Machine<'_>, id: ProcessId, instances: &InstanceBounds) -> Slots {
        let model = machine.model();
        let mut slots = Slots { types: Vec::new(), is_plain: Vec::new(), owned: HashMap::new() };
        for local in &model.process(id).locals {
            slots.push(machine, local);
        }
        if instances.of_type(id) == Some(1) {
            for (at, global) in (0u32..).zip(&model.globals) {
                let global_id = GlobalId(at);
                if writers(machine, global_id).all(|writer| writer == id) {
                    slots.owned.insert(global_id, slots.types.len());
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

/// The process types that write a global.
fn writers<'a>(machine: &'a Machine<'_>, global: GlobalId) -> impl Iterator<Item = ProcessId> + 'a {
    let model: &Model = machine.model();
    let is_global = move |access: &Access| access.root == Root::Global(global);
    (0..model.processes.len() as u32).map(ProcessId).filter(move |&id| {
        let mut steps = machine.automaton(id).all_edges().flat_map(|edge| &edge.steps);
        steps.any(|step| match step.written() {
            EdgeAction::Assign { target, .. } => is_global(target),
            EdgeAction::Receive { args, .. } => {
                args.iter().any(|arg| matches!(arg, RecvArg::Store(access) if is_global(access)))
            }
            _ => false,
        })
    })
}
