//! The moves of a claim that are enabled in a state of a machine.

use beeline_promela::hir::{Expr, ProcessId, ProcessKind};

use crate::claim_automaton::{Claim, ClaimCondition, ClaimLiteral, ClaimMove};
use crate::interpreter::{DecodedState, Machine};

impl Claim {
    /// Whether a literal holds in a state of a machine. A condition without a value is false.
    fn is_so(&self, literal: ClaimLiteral, machine: &Machine<'_>, now: &DecodedState) -> bool {
        let value = match literal.condition {
            ClaimCondition::Holds(number) => {
                let value = machine.value(&self.conditions[number as usize], now, 0);
                value.is_some_and(|value| value != 0)
            }
            ClaimCondition::Undefined(number) => self.is_undefined(number, machine, now),
            ClaimCondition::NoProgress => machine.lacks_progress(now),
        };
        value == literal.is
    }

    /// The enabled moves of a claim state in a state of a machine, in order.
    #[inline]
    pub(super) fn possible_moves<'c>(
        &'c self,
        place: usize,
        machine: &'c Machine<'_>,
        now: &'c DecodedState,
    ) -> impl Iterator<Item = &'c ClaimMove> + 'c {
        let is_so = |literal: &ClaimLiteral| self.is_so(*literal, machine, now);
        self.states[place].moves.iter().filter(move |step| step.when.iter().all(is_so))
    }

    /// The conditions by which the claim reaches its end in a state, each with its truth. Empty if
    /// the claim ends there without a condition, or does not end.
    pub fn ending_conditions(
        &self,
        machine: &Machine<'_>,
        now: &DecodedState,
    ) -> Vec<(&Expr, bool)> {
        let mut possible = self.possible_moves(now.claim() as usize, machine, now);
        let end = possible.find(|step| step.violated);
        let literals = end.into_iter().flat_map(|step| &step.when);
        let conditions = literals.filter_map(|literal| match literal.condition {
            ClaimCondition::Holds(number) => Some((&self.conditions[number as usize], literal.is)),
            ClaimCondition::Undefined(_) | ClaimCondition::NoProgress => None,
        });
        conditions.collect()
    }
}

impl Machine<'_> {
    /// The never claim with this number among the processes.
    pub fn never(&self, number: usize) -> Option<ProcessId> {
        let process = self.model().processes.get(number)?;
        (process.kind == ProcessKind::Never).then_some(ProcessId(number as u32))
    }

    /// The enabled moves of the machine's claim in a state, in order.
    #[inline]
    pub fn claim_moves<'c>(
        &'c self,
        now: &'c DecodedState,
    ) -> impl Iterator<Item = &'c ClaimMove> + 'c {
        let claim = self.claim().into_iter();
        claim.flat_map(|claim| claim.possible_moves(now.claim() as usize, self, now))
    }

    /// Whether no process can move in a state.
    pub fn is_stuck(&self, now: &DecodedState) -> bool {
        self.moves(now).is_ok_and(|found| found.moves.is_empty())
    }
}
