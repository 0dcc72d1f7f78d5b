//! Updates as instructions. An update that no expression describes leaves any value in the
//! variables that it may change.

use std::collections::BTreeSet;

use beeline_factored::{
    Assignment, AssignmentTarget, Binary, Element, FactorExpr, FactorId, Instruction, Interval,
};

use super::expressions::{Target, Translator, binary, has_effects, moved};
use crate::network::code::{Action, Argument, Code, Place, StoreCode};
use crate::network::operators::TimedOperator;
use crate::network::traverse::visit;
use crate::semantics::cases::may_split;
use crate::zones::bound::LARGEST;

/// The instructions of a step so far, and those of the steps that fail on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// The instructions.
    pub(super) actions: Vec<Instruction>,
    /// Each failing step: the number of instructions before it fails, and when it does.
    pub(super) failures: Vec<(usize, FactorExpr)>,
}

impl Effects {
    /// Adds a condition without which the step fails.
    fn demand(&mut self, condition: FactorExpr) {
        if condition == FactorExpr::TRUE {
            return;
        }
        self.may_fail(condition.clone().negated());
        self.require(condition);
    }

    /// Adds a condition without which there is no step.
    pub(super) fn require(&mut self, condition: FactorExpr) {
        if condition != FactorExpr::TRUE {
            self.actions.push(Instruction::Require(condition));
        }
    }

    /// The step may fail here.
    pub(super) fn may_fail(&mut self, when: FactorExpr) {
        self.failures.push((self.actions.len(), when));
    }

    pub(super) fn set(&mut self, place: AssignmentTarget, value: FactorExpr) {
        self.actions.push(Instruction::Set(vec![Assignment { place, value }]));
    }
}

/// A place that is assigned.
fn assigned(target: Target) -> Option<AssignmentTarget> {
    match target {
        Target::Factor(factor) => Some(AssignmentTarget::Factor(factor)),
        Target::Element(element) => Some(AssignmentTarget::Element(element)),
        Target::Constants(..) | Target::Unknown => None,
    }
}

/// The element as an expression.
fn value_of(place: &AssignmentTarget) -> FactorExpr {
    match place {
        AssignmentTarget::Factor(factor) => FactorExpr::Factor(*factor),
        AssignmentTarget::Element(element) => FactorExpr::Element(Element::clone(element)),
    }
}

impl Translator<'_> {
    /// Adds an update.
    pub(super) fn update(&mut self, code: &Code, effects: &mut Effects) {
        match code {
            Code::Assign(store) if self.is_plain(store) => self.assign(store, effects),
            Code::Copy(copy) if self.are_plain([&copy.0, &copy.1]) => {
                let (to, from, size) = &**copy;
                let mut all = Vec::new();
                for at in 0..*size {
                    let value = self.expr(&Code::Load(moved(from, at)));
                    let target = self.target(&moved(to, at), &mut Vec::new());
                    let Some(place) = assigned(target) else { return self.forget(code, effects) };
                    all.push(Assignment { place, value });
                }
                // An index out of bounds has no value: the failing step is another one.
                if ![to, from].iter().all(|place| place.subscripts.is_empty()) {
                    effects.may_fail(FactorExpr::Any(Interval::TRUTH));
                }
                effects.actions.push(Instruction::Set(all));
            }
            Code::Reset(reset) if !has_effects(self.net, &reset.1) => {
                let value = self.expr(&reset.1);
                let is_known = |value: &i32| (0..=LARGEST).contains(value);
                let is_safe = matches!(&value, FactorExpr::Const(value) if is_known(value));
                if !is_safe || !reset.0.subscripts.is_empty() {
                    effects.may_fail(FactorExpr::Any(Interval::TRUTH));
                }
            }
            code if !has_effects(self.net, code) => {
                if !matches!(code, Code::Const(_)) {
                    effects.may_fail(FactorExpr::Any(Interval::TRUTH));
                }
            }
            code => self.forget(code, effects),
        }
    }

    /// Whether the parts of a store change nothing themselves.
    fn is_plain(&self, store: &StoreCode) -> bool {
        !has_effects(self.net, &store.value) && self.are_plain([&store.to])
    }

    fn are_plain<'p>(&self, places: impl IntoIterator<Item = &'p Place>) -> bool {
        let mut indices = places.into_iter().flat_map(|place| &place.subscripts);
        !indices.any(|one| has_effects(self.net, &one.index))
    }

    fn assign(&mut self, store: &StoreCode, effects: &mut Effects) {
        let mut bounds = Vec::new();
        let target = self.target(&store.to, &mut bounds);
        let Some(place) = assigned(target) else {
            bounds.into_iter().for_each(|one| effects.demand(one));
            return;
        };
        bounds.into_iter().for_each(|one| effects.demand(one));
        let value = self.expr(&store.value);
        let value = match store.op {
            None => value,
            Some(op) => binary(op, value_of(&place), value),
        };
        if may_have_no_value(&store.value) || store.op.is_some_and(divides) {
            effects.may_fail(FactorExpr::Any(Interval::TRUTH));
        }
        let (low, high) = store.bounds;
        let domain = Interval { least: low.into(), greatest: high.into() };
        let value = match value {
            FactorExpr::Any(all) if !domain.covers(all) => {
                effects.may_fail(FactorExpr::Any(Interval::TRUTH));
                FactorExpr::Any(domain)
            }
            value => {
                self.demand_within(&value, domain, effects);
                value
            }
        };
        effects.set(place, value);
    }

    /// The value must be in the range of its variable.
    fn demand_within(&self, value: &FactorExpr, domain: Interval, effects: &mut Effects) {
        let (low, high) = (domain.least as i32, domain.greatest as i32);
        match value {
            FactorExpr::Const(known) if domain.contains(*known) => {}
            FactorExpr::Any(_) => {}
            // A truth value in a range that has both.
            one if one.is_truth() && low <= 0 && high >= 1 => {}
            value => {
                effects.demand(FactorExpr::Const(low).binary(Binary::LessEqual, value.clone()));
                effects.demand(value.clone().binary(Binary::LessEqual, FactorExpr::Const(high)));
            }
        }
    }

    /// Leaves any value in all variables that an update may change.
    fn forget(&mut self, code: &Code, effects: &mut Effects) {
        effects.may_fail(FactorExpr::Any(Interval::TRUTH));
        let mut changed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        self.changed(code, &mut changed, &mut seen);
        self.forget_all(changed, effects);
    }

    fn forget_all(&self, changed: BTreeSet<FactorId>, effects: &mut Effects) {
        let all: Vec<Assignment> = changed
            .into_iter()
            .map(|factor| Assignment {
                place: AssignmentTarget::Factor(factor),
                value: FactorExpr::Any(self.domains[factor.index()]),
            })
            .collect();
        if !all.is_empty() {
            effects.actions.push(Instruction::Set(all));
        }
    }

    /// The variables that an expression may change.
    fn changed(&self, code: &Code, changed: &mut BTreeSet<FactorId>, seen: &mut BTreeSet<u32>) {
        visit(code, &mut |one| match one {
            Code::Assign(store) => changed.extend(self.factors.written(&store.to, 1)),
            Code::Copy(copy) => changed.extend(self.factors.written(&copy.0, copy.2)),
            Code::Fill(fill) => {
                changed.extend(self.factors.written(&fill.0, fill.3));
                self.called(fill.1, &fill.2, changed, seen);
            }
            Code::Call(function, arguments) => self.called(*function, arguments, changed, seen),
            _ => {}
        });
    }

    fn called(
        &self,
        function: u32,
        arguments: &[Argument],
        changed: &mut BTreeSet<FactorId>,
        seen: &mut BTreeSet<u32>,
    ) {
        let its = &self.net.functions[function as usize];
        for (argument, (ty, _)) in arguments.iter().zip(&its.parameters) {
            match argument {
                Argument::Reference(place) if its.writes_references || its.has_effects => {
                    changed.extend(self.factors.written(place, ty.size() as u32));
                }
                Argument::Result(function, arguments, _) => {
                    self.called(*function, arguments, changed, seen);
                }
                _ => {}
            }
        }
        if seen.insert(function) {
            self.changed_by(&its.body, changed, seen);
        }
    }

    fn changed_by(
        &self,
        action: &Action,
        changed: &mut BTreeSet<FactorId>,
        seen: &mut BTreeSet<u32>,
    ) {
        match action {
            Action::Eval(code) | Action::Return(Some(code)) | Action::Assert(code, _) => {
                self.changed(code, changed, seen);
            }
            Action::Block(actions) => {
                actions.iter().for_each(|one| self.changed_by(one, changed, seen));
            }
            Action::If(condition, yes, no) => {
                self.changed(condition, changed, seen);
                self.changed_by(yes, changed, seen);
                no.iter().for_each(|no| self.changed_by(no, changed, seen));
            }
            Action::Loop(condition, body, then, _) => {
                condition.iter().chain(then).for_each(|one| self.changed(one, changed, seen));
                self.changed_by(body, changed, seen);
            }
            Action::ForEach(_, _, _, body) => self.changed_by(body, changed, seen),
            Action::Return(None) | Action::ReturnCopy(..) | Action::Clear(..) => {}
        }
    }
}

/// Whether an operator may have no value.
fn divides(op: TimedOperator) -> bool {
    matches!(op, TimedOperator::Div | TimedOperator::Mod)
}

/// Whether the evaluation of an expression may fail: a division, an index, a call, a bound on a
/// clock that is no constant, a condition on clocks with several cases.
pub(super) fn may_have_no_value(code: &Code) -> bool {
    let mut found = false;
    visit(code, &mut |one| {
        found |= match one {
            Code::Binary(op, _, right, _) => {
                divides(*op) && !matches!(**right, Code::Const(value) if value != 0)
            }
            Code::Load(place) => {
                place.subscripts.iter().any(|one| !matches!(one.index, Code::Const(_)))
            }
            Code::Call(..) => true,
            Code::Clocks(comparison) => {
                let clocks = [&comparison.plus, &comparison.minus];
                let has_index = |place: &Place| !place.subscripts.is_empty();
                !matches!(comparison.bound, Code::Const(_))
                    || clocks.into_iter().flatten().any(has_index)
            }
            _ => false,
        };
    });
    found || may_split(code, true) || may_split(code, false)
}
