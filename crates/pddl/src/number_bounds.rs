//! Whether arithmetic on 32 bits has the results of arithmetic on integers.

use crate::encode::{EncodedTask, ValueChange};
use crate::ground::{GroundNumber, GroundOperation};
use crate::task::NumericChange;

/// Beyond this, constants are cut: comparisons with smaller numbers have the same result.
pub(crate) const GREAT: i64 = i32::MAX as i64 - 1;

/// The least and the greatest value.
type Bounds = (i64, i64);

/// Whether all results stay below [`GREAT`], if numeric fluents have these bounds. The answer is no
/// for divisions, whose results are not always integers.
pub(crate) fn are_exact(task: &EncodedTask, fluents: &impl Fn(u32) -> Bounds) -> bool {
    let comparisons = task.comparisons.iter().flat_map(|one| [&one.left, &one.right]);
    let mut changes = task.operators.iter().flat_map(|operator| &operator.effects);
    comparisons.into_iter().all(|number| bounds(number, fluents).is_some())
        && changes.all(|effect| match &effect.change {
            ValueChange::Set(..) => true,
            ValueChange::Number(kind, fluent, by) => {
                let by = bounds(by, fluents);
                by.and_then(|by| after(*kind, fluents(*fluent), by)).is_some()
            }
        })
}

fn after(kind: NumericChange, old: Bounds, by: Bounds) -> Option<Bounds> {
    match kind {
        NumericChange::Assign => Some(by),
        NumericChange::Increase => result(GroundOperation::Add, old, by),
        NumericChange::Decrease => result(GroundOperation::Subtract, old, by),
        NumericChange::ScaleUp => result(GroundOperation::Multiply, old, by),
        NumericChange::ScaleDown => None,
    }
}

/// The bounds of an expression; `None` if it may be large or has a division.
fn bounds(number: &GroundNumber, fluents: &impl Fn(u32) -> Bounds) -> Option<Bounds> {
    match number {
        GroundNumber::Const(value) => within((*value, *value)),
        GroundNumber::Fluent(fluent) => within(fluents(*fluent)),
        GroundNumber::Operation(operation, a, b) => {
            result(*operation, bounds(a, fluents)?, bounds(b, fluents)?)
        }
    }
}

fn result(operation: GroundOperation, a: Bounds, b: Bounds) -> Option<Bounds> {
    within(match operation {
        GroundOperation::Add => (a.0 + b.0, a.1 + b.1),
        GroundOperation::Subtract => (a.0 - b.1, a.1 - b.0),
        GroundOperation::Multiply => {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            let least = corners.into_iter().min().unwrap_or(0);
            (least, corners.into_iter().max().unwrap_or(0))
        }
        GroundOperation::Divide => return None,
    })
}

fn within(bounds: Bounds) -> Option<Bounds> {
    (-GREAT < bounds.0 && bounds.1 < GREAT).then_some(bounds)
}
