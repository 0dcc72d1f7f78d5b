//! Widening: an interval that keeps growing jumps to the next constant of the model.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_factored::Interval;
use beeline_promela::hir::{Expr, ExprKind};

/// Changes of an interval before it is widened to the constants of the model.
pub(super) const EXACT_CHANGES: u32 = 3;
/// Changes of an interval before it is widened to its type.
const MOST_CHANGES: u32 = 16;

/// The bounds that intervals are widened to, ascending.
pub(super) struct Thresholds(Vec<i64>);

impl Thresholds {
    /// The constants of a model with their neighbours, and the lengths of its arrays.
    pub(super) fn of(machine: &Machine<'_>) -> Thresholds {
        let model = machine.model();
        let mut found = vec![0, 1, i64::from(i32::MIN), i64::from(i32::MAX)];
        let mut note = |value: i64| found.extend([value - 1, value, value + 1]);
        let variables = model
            .globals
            .iter()
            .chain(model.processes.iter().flat_map(|process| &process.locals))
            .chain(model.structs.iter().flat_map(|one| &one.fields));
        for length in variables.filter_map(|variable| variable.length) {
            note(i64::from(length));
        }
        let mut constants = |part: &Expr| {
            if let ExprKind::Const(value) = part.kind {
                note(i64::from(value));
            }
        };
        for id in 0..model.processes.len() as u32 {
            let automaton = machine.automaton(beeline_promela::hir::ProcessId(id));
            let steps = automaton.all_edges().flat_map(|edge| &edge.steps);
            steps.map(|step| step.written()).for_each(|action: &EdgeAction| {
                action.visit(&mut constants);
            });
        }
        found.sort_unstable();
        found.dedup();
        Thresholds(found)
    }

    /// The interval `new`, with each bound that has changed since `old` moved to a threshold.
    pub(super) fn widen(
        &self,
        old: Interval,
        new: Interval,
        ty: Interval,
        changes: u32,
    ) -> Interval {
        let (mut least, mut greatest) = (new.least, new.greatest);
        if new.least < old.least {
            let below = self.0.partition_point(|&one| one <= new.least);
            least = below.checked_sub(1).map_or(ty.least, |at| self.0[at]);
        }
        if new.greatest > old.greatest {
            let above = self.0.partition_point(|&one| one < new.greatest);
            greatest = self.0.get(above).copied().unwrap_or(ty.greatest);
        }
        if changes > MOST_CHANGES {
            least = if least < old.least { ty.least } else { least };
            greatest = if greatest > old.greatest { ty.greatest } else { greatest };
        }
        Interval { least, greatest }.meet(ty).unwrap_or(ty).hull(new)
    }
}
