//! Factored systems: factors, operators and goals.

use std::collections::HashMap;

use beeline_kernel::{FaultKind, Faults, StepLabel};

use crate::expr::{Element, FactorExpr};
use crate::factor::{Factor, FactorId, FactorKind};
use crate::interval::Interval;
use crate::precision::Precision;

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum AssignmentTarget {
    /// A factor.
    Factor(FactorId),
    /// An array element.
    Element(Element),
}

/// An assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The target.
    pub place: AssignmentTarget,
    /// The value.
    pub value: FactorExpr,
}

/// An instruction of an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// A condition at this point of the operator.
    Require(FactorExpr),
    /// Simultaneous assignments: all values and indices are evaluated first.
    Set(Vec<Assignment>),
}

/// The process number of summary instances.
pub const ANY_PROCESS: u32 = u32::MAX;

/// An operator: instructions that are executed in order, as one step.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The name.
    pub name: String,
    /// Process and edge, as transitions of the state space have them; [`ANY_PROCESS`] for summary
    /// instances.
    pub label: StepLabel,
    /// The part of another process, where two move together: the receiver of a rendezvous.
    pub partner: Option<StepLabel>,
    /// 1, or 0 for a part of another step.
    pub cost: u32,
    /// Instructions in order.
    pub actions: Vec<Instruction>,
    /// The process that keeps control afterwards, as in an atomic sequence: while one of its
    /// operators is applicable, no other process moves. Only systems that are exact say so.
    pub holds: Option<u32>,
    /// The set of operators ([`System::shut_outs`]) that exclude this one: it is not applicable
    /// where one of them is. Only systems that are exact say so.
    pub shut_out_by: Option<ShutOutId>,
    /// The fault of the step, if it fails: the state has this step, which leads to no state. Such
    /// operators matter to the question whether there is a step at all. A fault after which the
    /// model goes on is an operator besides the one that goes on. Only systems that are exact say
    /// so.
    pub fails: Option<FaultKind>,
    /// The number of the channel that its first statement sends to or receives from. Only systems
    /// that are exact say so.
    pub channel: Option<i32>,
}

/// The number of a set of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShutOutId(pub u32);

/// A goal: a conjunction of conditions.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The name.
    pub name: String,
    /// Conditions.
    pub conditions: Vec<FactorExpr>,
}

/// A factored system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its factors.
    pub factors: Vec<Factor>,
    /// The initial value of each factor.
    pub initial: Vec<i32>,
    /// The operators.
    pub steps: Vec<Operator>,
    /// A state that satisfies one of these is an error.
    pub goals: Vec<Goal>,
    /// Sets of operators, by their positions in `steps`, that exclude others.
    pub shut_outs: Vec<Vec<u32>>,
    /// The states without a step that are no deadlocks. Without it, there are none. Only systems
    /// that are exact say so.
    pub valid_end: Option<FactorExpr>,
    /// What the model has beyond the bounds of this system, if it has bounds: where an operator
    /// fails with [`FaultKind::Limit`], the system lacks a step of the model. It is exact only if
    /// no reachable state has such an operator.
    pub excess: Option<String>,
    /// Whether it has exactly the steps of the model.
    pub precision: Precision,
}

impl System {
    /// The operators that fail with one of these faults, by their positions.
    pub fn failing(&self, kinds: Faults) -> Vec<u32> {
        let fails = |step: &Operator| step.fails.is_some_and(|kind| kinds.contains(kind));
        (0..).zip(&self.steps).filter(|(_, step)| fails(step)).map(|(at, _)| at).collect()
    }

    /// The same operators at any time: no operator keeps control, and none excludes others. Where a
    /// system is not exact, it may say too often that an operator is applicable. Then control takes
    /// steps away that the model has, but this system has them.
    #[must_use]
    pub fn without_control(&self) -> System {
        let mut system = self.clone();
        system.shut_outs.clear();
        for step in &mut system.steps {
            (step.holds, step.shut_out_by) = (None, None);
        }
        system
    }

    /// A factor.
    pub fn factor(&self, id: FactorId) -> &Factor {
        &self.factors[id.index()]
    }

    /// Adds a factor that is in no pool.
    pub fn add(
        &mut self,
        name: String,
        kind: FactorKind,
        domain: Interval,
        initial: i32,
    ) -> FactorId {
        let id = FactorId(self.factors.len() as u32);
        self.factors.push(Factor { name, kind, domain, pool: id, is_summary: false });
        self.initial.push(initial);
        id
    }
}

impl System {
    /// Makes names unique: the second factor of a name becomes `NAME@2`, and so on. Variables in
    /// different blocks may share a name.
    pub fn tell_names_apart(&mut self) {
        let mut known: HashMap<String, u32> = HashMap::new();
        for at in 0..self.factors.len() {
            let name = self.factors[at].name.clone();
            let count = known.entry(name.clone()).or_insert(0);
            *count += 1;
            if *count > 1 {
                self.factors[at].name = format!("{name}@{count}");
            }
        }
    }
}

impl AssignmentTarget {
    /// The factors that may be assigned.
    pub fn factors(&self) -> impl Iterator<Item = FactorId> + use<> {
        let (first, stride, count) = match self {
            AssignmentTarget::Factor(factor) => (*factor, 1, 1),
            AssignmentTarget::Element(element) => (element.first, element.stride, element.count),
        };
        (0..count).map(move |at| FactorId(first.0 + at * stride))
    }
}

impl Operator {
    /// An operator that neither keeps control nor is excluded by others.
    pub fn new(name: String, label: StepLabel, cost: u32, actions: Vec<Instruction>) -> Operator {
        let (partner, holds, shut_out_by, fails) = (None, None, None, None);
        Operator { name, label, partner, cost, actions, holds, shut_out_by, fails, channel: None }
    }

    /// Whether it only reports a fault: wherever it is applicable, another operator of the same
    /// step goes on. After a wrong index, none does.
    pub fn only_reports(&self) -> bool {
        self.fails.is_some_and(|kind| kind.is_survivable() && kind != FaultKind::Index)
    }

    /// Visits all conditions, values and indices.
    pub fn exprs<'a>(&'a self, mut visit: impl FnMut(&'a FactorExpr)) {
        for action in &self.actions {
            match action {
                Instruction::Require(condition) => visit(condition),
                Instruction::Set(all) => all.iter().for_each(|one| {
                    visit(&one.value);
                    if let AssignmentTarget::Element(element) = &one.place {
                        visit(&element.index);
                    }
                }),
            }
        }
    }
}
