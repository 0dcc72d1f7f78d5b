//! The effect of a step on ranges.

use beeline_engine::automata::{Edge, EdgeAction, EdgeStep};
use beeline_factored::Interval;
use beeline_promela::hir::{
    Access, DeclaredValue, Expr, ExprKind, Init, LocalId, ProcessId, RecvArg, Root, Type, Variable,
};

use super::environment::Environment;
use super::ranges::ValueRanges;
use super::shared::{SharedCell, scalar_range, stored, type_range};

impl ValueRanges<'_> {
    /// The environment of a new process.
    pub(super) fn start(&self, id: ProcessId) -> Environment {
        let model = self.machine.model();
        let process = model.process(id);
        let mut now = Environment(self.slots[id.index()].types.clone());
        for (at, local) in process.locals.iter().enumerate() {
            let ty = self.slots[id.index()].types[at];
            let is_parameter = at < process.params as usize;
            now.0[at] = if is_parameter {
                let cell = SharedCell::Parameter(id, LocalId(at as u32));
                let given = self.shared.get(cell);
                let default = (process.active > 0).then_some(Interval::one(0));
                match (given, default) {
                    (Some(given), Some(default)) => given.hull(default),
                    (given, default) => given.or(default).unwrap_or(ty),
                }
            } else {
                self.initial_value(id, local, ty, &now)
            };
        }
        let owned: Vec<_> = self.slots[id.index()].owned().collect();
        for (global, number) in owned {
            let ty = self.slots[id.index()].types[number];
            now.0[number] = self.initial_value(id, &model.globals[global.index()], ty, &now);
        }
        now
    }

    /// Adds the initial values of globals and fields.
    pub(super) fn share_initial_values(&mut self) {
        let model = self.machine.model();
        let nowhere = Environment(Vec::new());
        let globals = (0u32..).zip(&model.globals).map(|(at, variable)| {
            (SharedCell::Global(beeline_promela::hir::GlobalId(at)), variable)
        });
        let fields = (0u32..).zip(&model.structs).flat_map(|(at, one)| {
            let id = beeline_promela::hir::StructId(at);
            (0u32..).zip(&one.fields).map(move |(at, field)| (SharedCell::Field(id, at), field))
        });
        for (cell, variable) in globals.chain(fields) {
            let ty = type_range(self.machine, variable);
            let value = self.initial_value(ProcessId(0), variable, ty, &nowhere);
            self.shared.add(cell, value, ty, &self.thresholds);
        }
    }

    /// The initial value of a variable, where `now` has the variables before it.
    fn initial_value(
        &self,
        id: ProcessId,
        variable: &Variable,
        ty: Interval,
        now: &Environment,
    ) -> Interval {
        let value = |value: &Expr| match value.kind.constant() {
            Some(constant) => stored(ty, Interval::one(constant)),
            // Names of other variables mean nothing without an environment.
            None if now.0.is_empty() => ty,
            None => stored(ty, self.scope(id, now).range(value)),
        };
        match &variable.init {
            Init::Zero if matches!(variable.ty, Type::Struct(_)) => ty,
            Init::Zero => Interval::one(0),
            Init::Value(one) => value(one),
            // Elements without a value are 0.
            Init::List(values) => {
                values.iter().map(value).fold(Interval::one(0), |all, one| all.hull(one))
            }
            Init::Channel(_) => ty,
        }
    }

    /// The environment after a step; `None` if the step is never executable.
    pub(super) fn after(
        &self,
        id: ProcessId,
        step: &EdgeStep,
        siblings: &[&Edge],
        mut now: Environment,
    ) -> Option<Environment> {
        match step.written() {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {}
            EdgeAction::Guard(condition) => now = self.scope(id, &now).refined(condition, true)?,
            EdgeAction::Else => {
                for sibling in siblings.iter().filter(|sibling| sibling.escape.is_none()) {
                    if let EdgeAction::Guard(condition) = sibling.steps[0].written()
                        && !condition.any(|part| matches!(part.kind, ExprKind::Run { .. }))
                    {
                        now = self.scope(id, &now).refined(condition, false)?;
                    }
                }
            }
            EdgeAction::Assign { target, value } => {
                let value = self.scope(id, &now).range(value);
                self.assign(id, target, value, &mut now);
            }
            EdgeAction::Declare { var, value } => {
                let scope = self.scope(id, &now);
                let value = match value {
                    None => Interval::one(0),
                    Some(DeclaredValue::Value(value)) => scope.range(value),
                    Some(DeclaredValue::List(values)) => values
                        .iter()
                        .map(|value| scope.range(value))
                        .fold(Interval::one(0), Interval::hull),
                };
                let slots = &self.slots[id.index()];
                let value = stored(slots.types[var.index()], value);
                let is_plain = slots.is_plain[var.index()];
                let slot = &mut now.0[var.index()];
                *slot = if is_plain { value } else { slot.hull(value) };
            }
            EdgeAction::Receive { args, .. } => {
                for (at, arg) in args.iter().enumerate() {
                    let received = self.shared.get(SharedCell::Message(args.len(), at))?;
                    if let RecvArg::Store(target) = arg {
                        self.assign(id, target, received, &mut now);
                    }
                }
            }
            _ => {}
        }
        for dead in &step.dead {
            let slot = &mut now.0[dead.index()];
            *slot = slot.hull(Interval::one(0));
        }
        Some(now)
    }

    /// Stores a value in a variable of the environment.
    fn assign(&self, id: ProcessId, target: &Access, value: Interval, now: &mut Environment) {
        let slots = &self.slots[id.index()];
        let Some(number) = slots.number(target.root).filter(|_| target.path.is_empty()) else {
            return;
        };
        let value = stored(slots.types[number], value);
        let slot = &mut now.0[number];
        *slot = if slots.is_plain[number] { value } else { slot.hull(value) };
    }

    /// Adds what a step stores, sends and starts to the shared cells.
    pub(super) fn share(&mut self, id: ProcessId, step: &EdgeStep, now: &Environment) {
        let action = step.written();
        match action {
            EdgeAction::Assign { target, value } => {
                let value = self.scope(id, now).range(value);
                self.share_store(id, target, value);
            }
            EdgeAction::Receive { args, .. } => {
                for (at, arg) in args.iter().enumerate() {
                    let received = self.shared.get(SharedCell::Message(args.len(), at));
                    if let (RecvArg::Store(target), Some(received)) = (arg, received) {
                        self.share_store(id, target, received);
                    }
                }
            }
            EdgeAction::Send { args, .. } => {
                let values: Vec<Interval> =
                    args.iter().map(|arg| self.scope(id, now).range(arg)).collect();
                for (at, &value) in values.iter().enumerate() {
                    self.share_message(values.len(), at, value);
                }
            }
            _ => {}
        }
        let mut runs = Vec::new();
        action.visit(&mut |part| {
            if let ExprKind::Run { process, args, .. } = &part.kind {
                let scope = self.scope(id, now);
                let values: Vec<_> = args.iter().map(|arg| scope.range(arg)).collect();
                runs.push((*process, values));
            }
        });
        for (process, values) in runs {
            self.share_parameters(process, &values);
        }
    }

    /// Adds a value that is stored in a variable outside of environments. An owned global is
    /// shared, too: other processes read it.
    fn share_store(&mut self, id: ProcessId, target: &Access, value: Interval) {
        let Some((variable, field)) = self.declared(id, target) else { return };
        let cell = match (field, target.root) {
            (Some(field), _) => field,
            (None, Root::Global(global)) => SharedCell::Global(global),
            _ => return,
        };
        let ty = type_range(self.machine, variable);
        self.shared.add(cell, stored(ty, value), ty, &self.thresholds);
    }

    /// Adds a field of a message, which may be truncated by any channel of this number of fields.
    fn share_message(&mut self, fields: usize, at: usize, value: Interval) {
        let channels = &self.machine.layout().channels;
        let types = channels.iter().filter(|one| one.fields.len() == fields);
        let types = types.map(|one| scalar_range(one.fields[at]));
        let value = types.fold(value, |all, ty| all.hull(stored(ty, value)));
        let cell = SharedCell::Message(fields, at);
        self.shared.add(cell, value, Interval::ALL, &self.thresholds);
    }

    fn share_parameters(&mut self, id: ProcessId, values: &[Interval]) {
        self.shared.start(id);
        let process = self.machine.model().process(id);
        let parameters = &process.locals[..process.params as usize];
        let is_spelled_out = parameters.iter().any(|one| matches!(one.ty, Type::Struct(_)));
        for (at, parameter) in parameters.iter().enumerate() {
            let ty = type_range(self.machine, parameter);
            // The arguments of a structure are its fields: positions differ.
            let value = if is_spelled_out { ty } else { values.get(at).copied().unwrap_or(ty) };
            let cell = SharedCell::Parameter(id, LocalId(at as u32));
            self.shared.add(cell, stored(ty, value), ty, &self.thresholds);
        }
        if is_spelled_out {
            self.share_all_fields();
        }
    }

    /// Gives the fields of all structures all values of their types.
    fn share_all_fields(&mut self) {
        let model = self.machine.model();
        for (at, one) in (0u32..).zip(&model.structs) {
            for (number, field) in (0u32..).zip(&one.fields) {
                let ty = type_range(self.machine, field);
                let cell = SharedCell::Field(beeline_promela::hir::StructId(at), number);
                self.shared.add(cell, ty, ty, &self.thresholds);
            }
        }
    }
}
