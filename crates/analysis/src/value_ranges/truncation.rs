//! Stores whose value may not fit in the type of the variable.

use beeline_engine::automata::EdgeAction;
use beeline_factored::Interval;
use beeline_promela::hir::{Access, DeclaredValue, Expr, ExprKind, RecvArg, Type};

use super::ranges::Scope;
use super::shared::{SharedCell, scalar_range, type_range};

impl Scope<'_> {
    /// Whether an action may store a value that does not fit.
    pub fn may_truncate(self, action: &EdgeAction) -> bool {
        let mut arguments = false;
        action.visit(&mut |part| arguments |= self.may_truncate_arguments(part));
        arguments
            || match action {
                EdgeAction::Assign { target, value } => {
                    !matches!(value.kind, ExprKind::Run { .. })
                        && self.exceeds(target, self.range(value))
                }
                EdgeAction::Declare { var, value: Some(value) } => {
                    let ty = self.ranges.slots[self.process.index()].types[var.index()];
                    let values = match value {
                        DeclaredValue::Value(value) => std::slice::from_ref(value),
                        DeclaredValue::List(values) => values,
                    };
                    values.iter().any(|value| !ty.covers(self.range(value)))
                }
                EdgeAction::Send { args, .. } => args.iter().enumerate().any(|(at, arg)| {
                    let value = self.range(arg);
                    self.field_types(args.len(), at).any(|ty| !ty.covers(value))
                }),
                EdgeAction::Receive { args, .. } => args.iter().enumerate().any(|(at, arg)| {
                    let cell = SharedCell::Message(args.len(), at);
                    match (arg, self.ranges.shared.get(cell)) {
                        (RecvArg::Store(target), Some(received)) => self.exceeds(target, received),
                        _ => false,
                    }
                }),
                _ => false,
            }
    }

    /// Whether values may exceed the type of a variable.
    fn exceeds(self, target: &Access, values: Interval) -> bool {
        let declared = self.ranges.declared(self.process, target);
        declared
            .is_some_and(|(variable, _)| !type_range(self.ranges.machine, variable).covers(values))
    }

    fn may_truncate_arguments(self, part: &Expr) -> bool {
        let ExprKind::Run { process, args, .. } = &part.kind else { return false };
        let machine = self.ranges.machine;
        let declared = machine.model().process(*process);
        let parameters = &declared.locals[..declared.params as usize];
        let types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty).collect();
        let scalars = machine.layout().scalars(machine.model(), &types);
        let mut pairs = scalars.into_iter().zip(args);
        pairs.any(|(scalar, arg)| !scalar_range(scalar).covers(self.range(arg)))
    }

    /// The types of a field of all channels with this number of fields.
    fn field_types(&self, fields: usize, at: usize) -> impl Iterator<Item = Interval> {
        let channels = self.ranges.machine.layout().channels.iter();
        channels
            .filter(move |one| one.fields.len() == fields)
            .map(move |one| scalar_range(one.fields[at]))
    }
}
