//! Broadcasts: one operator for each sender, in which all processes that can receive do so.
//!
//! A condition on a receiver is evaluated where its variables may have changed already: then it may
//! hold or not.

use std::collections::BTreeSet;

use beeline_factored::{
    Assignment, AssignmentTarget, Element, FactorExpr, FactorId, Instruction, Interval,
};

use super::effects::Effects;
use super::operators::{Move, Operators, TooManyOperators, written};

impl Operators<'_> {
    /// Adds the broadcast of a sender.
    pub(super) fn broadcast(
        &mut self,
        (sender, condition): (&Move, &FactorExpr),
        receivers: &[(&Move, &FactorExpr)],
    ) -> Result<(), TooManyOperators> {
        let mut effects = Effects::default();
        effects.require(sender.guard.clone());
        effects.require(condition.clone());
        let offset = effects.actions.len();
        let failures = sender.effects.failures.iter();
        effects.failures.extend(failures.map(|(at, when)| (at + offset, when.clone())));
        effects.actions.extend(sender.effects.actions.iter().cloned());
        let mut changed = BTreeSet::new();
        written(&effects.actions, &mut changed);
        let others = receivers.iter().filter(|one| one.0.part.process != sender.part.process);
        let others: Vec<_> = others.copied().collect();
        for of_process in others.chunk_by(|one, other| one.0.part.process == other.0.part.process) {
            self.receive(of_process, &mut changed, &mut effects);
        }
        self.push(&[sender.part], effects)
    }

    /// The part of one process: the edges with which it may receive.
    fn receive(
        &self,
        edges: &[(&Move, &FactorExpr)],
        changed: &mut BTreeSet<FactorId>,
        effects: &mut Effects,
    ) {
        let process = edges[0].0.part.process;
        let location = self.translator.factors.locations[process as usize];
        for (one, _) in edges {
            written(&one.effects.actions, changed);
        }
        if let Some(location) = location {
            changed.remove(&location);
        }
        let from = |one: &Move| {
            let edges = &self.net.processes[process as usize].edges;
            edges[one.part.edge as usize].from
        };
        let mut next = location.map(FactorExpr::Factor);
        for (one, channel) in edges {
            let at = self.translator.factors.is_at(process, from(one));
            let guard = one.guard.clone().and((*channel).clone());
            let mut is_stable = true;
            guard.factors(&mut |factor| is_stable &= !changed.contains(&factor));
            let is_alone = edges.iter().filter(|other| from(other.0) == from(one)).count() == 1;
            let maybe = FactorExpr::Any(Interval::TRUTH);
            let condition = match (is_stable, is_alone) {
                (true, true) => guard,
                (true, false) => guard.and(maybe),
                (false, _) => at.and(maybe),
            };
            let (last, updates) = match location {
                Some(_) => one.effects.actions.split_last().expect("the new location is set"),
                None => (&Instruction::Require(FactorExpr::TRUE), &one.effects.actions[..]),
            };
            if !one.effects.failures.is_empty() {
                effects.may_fail(condition.clone().and(FactorExpr::Any(Interval::TRUTH)));
            }
            for update in updates {
                effects.actions.push(under(&condition, update));
            }
            if let (Instruction::Set(all), Some(so_far)) = (last, next.take()) {
                next = Some(choose(&condition, all[0].value.clone(), so_far));
            }
        }
        if let (Some(location), Some(next)) = (location, next) {
            effects.set(AssignmentTarget::Factor(location), next);
        }
    }
}

fn choose(condition: &FactorExpr, yes: FactorExpr, no: FactorExpr) -> FactorExpr {
    FactorExpr::Conditional(Box::new(condition.clone()), Box::new(yes), Box::new(no))
}

/// An instruction that is executed only under a condition.
fn under(condition: &FactorExpr, instruction: &Instruction) -> Instruction {
    match instruction {
        Instruction::Require(needed) => {
            Instruction::Require(condition.clone().negated().or(needed.clone()))
        }
        Instruction::Set(all) => Instruction::Set(
            all.iter()
                .map(|one| {
                    let (place, old) = match &one.place {
                        AssignmentTarget::Factor(factor) => {
                            (one.place.clone(), FactorExpr::Factor(*factor))
                        }
                        // Where the condition does not hold, the index may be out of bounds.
                        AssignmentTarget::Element(element) => {
                            let index = element.index.as_ref().clone();
                            let index = Box::new(choose(condition, index, FactorExpr::Const(0)));
                            let element = Element { index, ..element.clone() };
                            (
                                AssignmentTarget::Element(element.clone()),
                                FactorExpr::Element(element),
                            )
                        }
                    };
                    let value = choose(condition, one.value.clone(), old);
                    Assignment { place, value }
                })
                .collect(),
        ),
    }
}
