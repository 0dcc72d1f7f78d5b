//! Factors, steps and goals.

use std::collections::HashMap;

use beeline_kernel::StepLabel;

use crate::expr::{Element, FactorExpr};
use crate::factor::{Factor, FactorId, FactorKind};
use crate::interval::Interval;

/// What is set: a factor, or one of several that an index chooses.
#[derive(Clone, Debug, PartialEq)]
pub enum AssignmentTarget {
    /// This one.
    Factor(FactorId),
    /// One of a row.
    Element(Element),
}

/// A place gets a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// What is set.
    pub place: AssignmentTarget,
    /// To what.
    pub value: FactorExpr,
}

/// A part of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// The step can be taken only if this is not 0 here.
    Require(FactorExpr),
    /// All values and indices are looked up first, then all places are set.
    Set(Vec<Assignment>),
}

/// The process of a step that any of a crowd may take.
pub const ANY_PROCESS: u32 = u32::MAX;

/// What can happen: its actions, one after the other, as one step.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its name, for people.
    pub name: String,
    /// Who moves, and by which edge, as the ways of the state space say it; [`ANY_PROCESS`] for a
    /// crowd.
    pub label: StepLabel,
    /// 1, or 0 for what happens along with other steps.
    pub cost: u32,
    /// What it asks and does, in order.
    pub actions: Vec<Instruction>,
}

/// What is looked for: all of these are not 0.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Its name, for people.
    pub name: String,
    /// What has to be true.
    pub conditions: Vec<FactorExpr>,
}

/// A system in factors.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its factors.
    pub factors: Vec<Factor>,
    /// The value of each in the initial state.
    pub initial: Vec<i32>,
    /// Its steps.
    pub steps: Vec<Operator>,
    /// An error is where one of these is reached.
    pub goals: Vec<Goal>,
}

impl System {
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
    /// Gives the second factor of a name the name `NAME@2`, and so on: variables of one name can be
    /// in several blocks.
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
    /// The factors that may be set.
    pub fn factors(&self) -> impl Iterator<Item = FactorId> + use<> {
        let (first, stride, count) = match self {
            AssignmentTarget::Factor(factor) => (*factor, 1, 1),
            AssignmentTarget::Element(element) => (element.first, element.stride, element.count),
        };
        (0..count).map(move |at| FactorId(first.0 + at * stride))
    }
}

impl Operator {
    /// Calls `visit` on all that is required, and on all values and indices.
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
