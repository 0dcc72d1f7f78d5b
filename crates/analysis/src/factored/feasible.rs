//! Feasible paths through a `d_step`: those whose conditions may hold, by the intervals of values
//! along the path. With them, loops that count are followed to their end.

use std::collections::HashMap;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, FactorExpr, FactorId, Instruction, Interval, evaluate,
    narrow,
};

use super::action_sequences::ActionSequence;
use super::builder::Builder;

/// The intervals of factors, where they differ from their domains.
type KnownIntervals = HashMap<FactorId, Interval>;

impl Builder<'_> {
    /// Whether all conditions of a sequence may hold. What follows a rendezvous is not considered.
    pub(super) fn is_feasible(&self, sequence: &ActionSequence<'_>) -> bool {
        let mut known = KnownIntervals::new();
        sequence.actions.iter().all(|action| match action {
            Instruction::Require(condition) => self.may_hold(condition, &mut known),
            Instruction::Set(all) => {
                self.assign(all, &mut known);
                true
            }
        })
    }

    fn interval(&self, factor: FactorId, known: &KnownIntervals) -> Interval {
        known.get(&factor).copied().unwrap_or(self.system.factor(factor).domain)
    }

    /// Whether a condition may hold; if so, it bounds factors.
    fn may_hold(&self, condition: &FactorExpr, known: &mut KnownIntervals) -> bool {
        if let FactorExpr::Binary(Binary::And, a, b) = condition {
            return self.may_hold(a, known) && self.may_hold(b, known);
        }
        let of = |factor| self.interval(factor, known);
        // A condition without a value belongs to a path that fails.
        let Some(value) = evaluate(condition, &of) else { return true };
        if !value.may_be_true() {
            return false;
        }
        let mut bounds = Vec::new();
        narrow(condition, &|factor| Some(of(factor)), &mut |factor, bound| {
            bounds.push((factor, bound));
        });
        bounds.into_iter().all(|(factor, bound)| {
            let met = self.interval(factor, known).meet(bound);
            known.extend(met.map(|met| (factor, met)));
            met.is_some()
        })
    }

    /// Simultaneous assignments.
    fn assign(&self, all: &[Assignment], known: &mut KnownIntervals) {
        let of = |factor| self.interval(factor, known);
        let mut assigned = Vec::new();
        for Assignment { place, value } in all {
            let value = evaluate(value, &of);
            let (factors, is_certain) = match place {
                AssignmentTarget::Factor(factor) => (vec![*factor], true),
                AssignmentTarget::Element(element) => {
                    let index = evaluate(&element.index, &of).and_then(Interval::single);
                    match index.and_then(|index| element.at(index)) {
                        Some(factor) => (vec![factor], true),
                        None => (place.factors().collect(), false),
                    }
                }
            };
            for factor in factors {
                let value = value.unwrap_or(self.system.factor(factor).domain);
                let value = if is_certain { value } else { value.hull(of(factor)) };
                assigned.push((factor, value));
            }
        }
        known.extend(assigned);
    }
}
