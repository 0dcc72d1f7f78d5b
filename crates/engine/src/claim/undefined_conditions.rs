//! Conditions without a value: `a[x] == 1` has no value while `x` is beyond the array. As in SPIN,
//! this is reported and counts neither as true nor as false: for each condition that may have no
//! value, the claim has an additional move that ends it.
//!
//! A move evaluates its conditions in order and stops at the first one that does not hold, so a
//! condition after `x < 3` is evaluated only where that is true.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, BinaryOp, Expr, ExprKind, Model, Process, Root, Type};

use crate::claim_automaton::{Claim, ClaimCondition, ClaimLiteral, ClaimMove};
use crate::interpreter::{DecodedState, Machine};
use crate::layout::Declaration;

impl Claim {
    /// Adds moves that end the claim where an evaluated condition has no value, before all other
    /// moves.
    pub(super) fn with_fault_moves(mut self, machine: &Machine<'_>) -> Claim {
        let may_fail: Vec<bool> =
            self.conditions.iter().map(|condition| may_fail(machine, condition)).collect();
        for (here, place) in self.states.iter_mut().enumerate() {
            let mut ends: Vec<ClaimMove> = Vec::new();
            for step in &place.moves {
                for (at, literal) in step.when.iter().enumerate() {
                    let ClaimCondition::Holds(number) = literal.condition else { continue };
                    if !may_fail[number as usize] {
                        continue;
                    }
                    let mut when = step.when[..at].to_vec();
                    when.push(ClaimLiteral {
                        condition: ClaimCondition::Undefined(number),
                        is: true,
                    });
                    if ends.iter().all(|end| end.when != when) {
                        let (to, edges) = (here as u32, step.edges.clone());
                        ends.push(ClaimMove { when, to, violated: true, edges });
                    }
                }
            }
            place.moves.splice(0..0, ends);
        }
        self
    }

    /// Whether the condition of this number has no value in a state.
    pub(super) fn is_undefined(
        &self,
        number: u32,
        machine: &Machine<'_>,
        now: &DecodedState,
    ) -> bool {
        machine.value(&self.conditions[number as usize], now, 0).is_none()
    }

    /// Why the claim ends in this state: one of its conditions, and the fault of its evaluation.
    /// `None` if all conditions have a value, or are not evaluated.
    pub fn undefined_condition(
        &self,
        machine: &Machine<'_>,
        now: &DecodedState,
    ) -> Option<(&Expr, FaultKind)> {
        let mut possible = self.possible_moves(now.claim() as usize, machine, now);
        possible.find_map(|step| match step.when.last()?.condition {
            ClaimCondition::Undefined(number) => {
                let condition = &self.conditions[number as usize];
                Some((condition, machine.evaluate(condition, now, 0).err()?))
            }
            _ => None,
        })
    }
}

/// Whether an expression may have no value in some state.
fn may_fail(machine: &Machine<'_>, expr: &Expr) -> bool {
    let model = machine.model();
    expr.any(|part| match &part.kind {
        ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => {
            by.kind.constant().is_none_or(|by| by == 0)
        }
        ExprKind::Read(access) => may_leave(model, access, None),
        ExprKind::RemoteVar { process, var, .. } => {
            may_leave(model, var, Some(model.process(*process)))
        }
        ExprKind::Channel(_, channel) => fields(machine, channel).is_none(),
        ExprKind::Poll { channel, args, .. } => {
            fields(machine, channel).is_none_or(|fields| fields < args.len())
        }
        _ => false,
    })
}

/// Whether an index of a variable may be out of bounds.
fn may_leave(model: &Model, access: &Access, inside: Option<&Process>) -> bool {
    let Some(variable) = model.variable(access.root, inside) else { return false };
    let is_within = |index: Option<&Expr>, length: Option<u32>| {
        let (Some(index), Some(length)) = (index, length) else { return true };
        index.kind.constant().is_some_and(|at| u32::try_from(at).is_ok_and(|at| at < length))
    };
    let mut ty = variable.ty;
    let mut within = is_within(access.index.as_deref(), variable.length);
    for step in &access.path {
        let Type::Struct(id) = ty else { break };
        let field = &model.structs[id.index()].fields[step.field as usize];
        within &= is_within(step.index.as_ref(), field.length);
        ty = field.ty;
    }
    !within
}

/// The number of fields of a channel's messages, if the channel is constant.
fn fields(machine: &Machine<'_>, channel: &Access) -> Option<usize> {
    let (layout, model) = (machine.layout(), machine.model());
    let Root::Global(id) = channel.root else { return None };
    layout.names[id.index()].filter(|_| !may_leave(model, channel, None))?;
    let number = layout.declarations.get(&Declaration::Global(id.index()))?;
    Some(layout.channels[*number].fields.len())
}
